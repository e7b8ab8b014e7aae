// Drives the whole app without a window: real frames, and events as a window's backend would feed them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/tour/headless.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/shell/shell.h"

namespace convscope::app {

class Driver {
public:
    /// With everything that this machine offers, or with devices and methods of the test's own.
    Driver(int width = 1600, int height = 1000, std::unique_ptr<Registry> = make_registry());
    ~Driver();

    Shell& shell() { return *shell_; }
    Registry& registry() { return *registry_; }
    Session& session() { return shell_->session(); }

    /// Lays out frames. Their pixels, which cost most where a CPU draws them, are drawn where something reads them, and
    /// those of the very last.
    void frames(int count = 1);
    /// The scale of sizes and letters, as the session and the image's size set it.
    float scale() {
        return ui_scale(session(), {static_cast<float>(headless_.width()), static_cast<float>(headless_.height()), 1});
    }
    /// The pixels of the last frame.
    gl::Image picture();
    /// Writes them to NAME.png in the folder that CONVSCOPE_TEST_PICTURES names, where it is set.
    void keep_image(const std::string& name);
    /// Draws until 'done'; false where the test hangs.
    bool wait(const std::function<bool()>& done);
    /// Where a widget was drawn in the last frame. Throws std::runtime_error that lists what there is.
    ItemRect item(const std::string& name) const;
    /// The tooltip's text, run of letters by run; empty where there is none.
    std::vector<std::string> tooltip() const { return texts("##Tooltip_00"); }
    /// The text of a window that Dear ImGui knows by this name, run of letters by run; empty where it is not open.
    std::vector<std::string> texts(const char* window) const;
    /// All of it, each run with a blank behind it.
    std::string text_of(const char* window) const;
    /// All that stands in any window, each run between bars: "|Run|Export|".
    std::string words_on_screen() const;
    const std::map<std::string, ItemRect>& items() const { return item_registry_.items(); }
    bool has(const std::string& name) const { return item_registry_.items().contains(name); }

    void point_at(ImVec2);
    void point_at(const std::string& name) { point_at(item(name).centre()); }
    void click(const std::string& name);
    /// Opens a list, goes to its top, for it begins at what is chosen, and clicks on an entry that is in sight there.
    void choose(const std::string& list, const std::string& entry);
    void click_at(ImVec2);
    void double_click(const std::string& name);
    void right_click(const std::string& name) { right_click_at(item(name).centre()); }
    void right_click_at(ImVec2);
    /// Presses at the first point, moves in steps, lets go at the second.
    void drag(ImVec2 from, ImVec2 to);
    /// Held until they are released: a key, the left button where the pointer is.
    void shift(bool down);
    void hold(Key key, bool down);
    void hold(bool down) { headless_.button(down); }
    void wheel(const std::string& name, float notches);
    void wheel_here(float notches);  ///< where the pointer is
    void press(Key, bool ctrl = false, bool shift = false, bool alt = false);
    /// Letters, as a keyboard sends them.
    void type(const std::string& text);
    /// Letters and a key behind them within one frame, as where frames are slow.
    void type_at_once(const std::string& text, Key);
    /// Clicks into a field, replaces what is there, Enter.
    void type_into(const std::string& name, const std::string& text);

private:
    std::unique_ptr<Registry> registry_;
    Headless headless_;
    std::unique_ptr<Shell> shell_;
    ItemRegistry item_registry_;
    float scale_ = 1;  ///< of the fonts that are loaded
};

}  // namespace convscope::app
