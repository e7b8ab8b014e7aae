// A side panel that folds away where the window is too narrow for it, and comes back with the room.
#pragma once

namespace convscope::app {

class FoldForRoom {
public:
    void follow(bool narrow, bool& open) {
        if (narrow == narrow_) return;
        narrow_ = narrow;
        if (narrow) folded_ = open;
        open = !narrow && (open || folded_);
    }
    /// Whether the panel is open but for want of room.
    bool open_by_choice(bool open) const { return open || (narrow_ && folded_); }

private:
    bool narrow_ = false, folded_ = false;
};

}  // namespace convscope::app
