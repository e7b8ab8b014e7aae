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

    float width_needed(const Session&, const Fit&) const;
    void preset_picker(Frame&, float width);
    void preset_list(Frame&);
    void run_button(Frame&);
    void views(Frame&, const Fit&);
    void list_of_views(Session&);
    float width_of_views(const Session&, const Fit&) const;
    void right_side(Frame&);
    float width_of_right_side() const;
    void menu(Session&);

    SessionMenu session_menu_;
    std::string search_;
};

/// True when every word of 'search' occurs in 'text', whatever the case.
bool matches(const std::string& text, const std::string& search);

}  // namespace convscope::app
