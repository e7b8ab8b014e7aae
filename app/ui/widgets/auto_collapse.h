// A side panel that collapses where the window is too narrow for it, and comes back with the room.
#pragma once

namespace convscope::app {

class AutoCollapse {
public:
    void update(bool narrow, bool& open) {
        if (narrow == narrow_) return;
        narrow_ = narrow;
        if (narrow) collapsed_ = open;
        open = !narrow && (open || collapsed_);
    }
    /// Whether the panel is open but for want of room.
    bool open_by_choice(bool open) const { return open || (narrow_ && collapsed_); }

private:
    bool narrow_ = false, collapsed_ = false;
};

}  // namespace convscope::app
