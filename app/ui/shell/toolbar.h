// The bar at the top: the session menu, the preset, run and stop, export, the views, more, help.
#pragma once

#include <string>

#include "app/ui/sessions/session_menu.h"
#include "app/ui/widgets/frame.h"

namespace convscope::app {

class Toolbar {
public:
    void draw(Frame&);

private:
    struct Fit;

    static float width_needed(const Fit&);
    void preset_picker(Frame&, float width);
    void preset_list(Frame&);
    void run_button(Frame&);
    void views(Frame&, const Fit&);
    void list_of_views(Session&);
    static float width_of_views(const Fit&);
    void right_side(Frame&);
    static float width_of_right_side();
    void menu(Frame&);

    SessionMenu session_menu_;
    std::string search_;
};

}  // namespace convscope::app
