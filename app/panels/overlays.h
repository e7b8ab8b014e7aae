// What opens above the panels: help for the present view, the command palette, the export dialog, notices.
#pragma once

#include <string>

#include "app/commands.h"

namespace convscope::app {

class HelpOverlay {
public:
    void draw(Frame&);
};

class Palette {
public:
    void draw(Frame&, History&);

private:
    std::string search_;
    int chosen_ = 0;
    bool was_open_ = false;
};

class Notices {
public:
    void draw(Frame&);
};

}  // namespace convscope::app
