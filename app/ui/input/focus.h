// Where the keyboard is: every control can be reached by Tab and is shown by a ring. Without a ring the keyboard
// belongs to the view (arrows move what is pinned, Space measures).
//
// Dear ImGui's own keyboard navigation moves within one window, 1.86 stops only at fields, and a pressed arrow would
// begin it at any time. So the order is kept here, from the controls as they were drawn, across all panels; ImGui's
// navigation is switched on only while there is a ring, and then presses, types and moves by arrows as without it.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "visualizers/style/control_hook.h"

struct ImGuiWindow;

namespace convscope::app {

class FocusOrder {
public:
    /// First thing in a frame: takes what ImGui's navigation did by itself; Tab is never its.
    void begin_frame();
    /// The control that was just submitted, named for tests.
    void add(const char* name, const Control&);
    /// Describes the control that was just submitted: shown on hover, and in the status line while it is focused.
    void explain(const std::string&);
    /// The control that was just submitted uses the arrows itself while it has the ring: they do not lead away from it.
    void keep_arrows();
    /// The ring stays within the present window, as long as this is said in each frame.
    void keep_within();
    /// Last thing in a frame: draws the ring. 'overlay': something stands above the panels, and has the keyboard.
    void end_frame(bool overlay, ImU32 colour, float scale);

    void step(int by);        ///< to the next or the previous control, round and round
    void step_panel(int by);  ///< to the first control of the next or the previous panel
    /// To the first control whose name begins so, once it is drawn.
    void go_to(const std::string& prefix) { requested_ = prefix; }
    /// To the control with this id, if it can be reached now.
    bool go_to(ImGuiID);
    void clear_focus();

    /// A control has the ring: Space, Enter and arrows are its.
    bool on() const { return on_; }
    /// No control has the ring, no list is open, nothing is typed in and nothing stands above the panels: keys without
    /// Ctrl are the view's.
    bool leaves_keys_to_view() const;
    /// Text that is typed in this frame goes into the focused field.
    bool begins_typing() const { return !typed_.empty(); }
    /// Esc cleared the focus, ended typing or closed a list in this frame: it is to do nothing else.
    bool took_escape() const { return took_escape_; }
    /// Name of the control in the ring; empty when there is none.
    const std::string& name() const { return name_; }
    /// The description of that control, if it was drawn in this frame.
    const std::string& meaning() const { return meaning_; }
    /// The names whose control has no description.
    std::vector<std::string> unexplained() const;
    /// Whether the control that was just submitted has the ring.
    bool is_last_item() const;
    /// The controls of the latest whole frame that can be reached now, in the order of Tab.
    std::vector<std::string> names() const;

private:
    struct Stop {
        ImGuiID id;
        ImGuiWindow* window;
        ImVec2 min, max;
        std::string name;
        Control control;  ///< without its texts
        char initial;     ///< of its label
        bool explained = false, keeps_arrows = false;
    };

    std::vector<const Stop*> reachable() const;
    void move_to(const Stop&);
    int place(const std::vector<const Stop*>&) const;
    /// Down and Up enter a list that a click has opened, at what is chosen; a letter goes to the next entry that begins
    /// with it. From there on the arrows are ImGui's navigation.
    void enter_list();

    /// Typing into a focused field replaces its text at once, without Enter before it.
    void type_into(const Stop& ring);
    void type_into_clicked();
    void take_typed(const Stop&);
    void hand_over_typed();

    std::vector<Stop> last_, now_;
    ImVector<ImWchar> typed_;  ///< waits for its field to take it
    ImGuiID typed_into_ = 0;
    bool typed_number_ = false;  ///< it goes into a field that can be dragged, too
    bool enter_waits_ = false;   ///< it was pressed behind letters
    int frames_waited_ = 0;
    const ImGuiWindow *within_last_ = nullptr, *within_ = nullptr;  ///< null: everywhere
    std::string requested_, name_, meaning_;
    bool on_ = false, overlay_ = false, took_escape_ = false;
    bool within_list_ = false;  ///< the ring began in an open list, and ends with it
    bool had_popup_ = false, was_active_ = false;
};

/// The one of the present window.
FocusOrder& focus_order();

}  // namespace convscope::app
