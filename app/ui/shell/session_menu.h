// The menu of the session at the left end of the toolbar, and undo and redo beside it.
#pragma once

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class SessionMenu {
public:
    /// 'wide': with the app's name, and undo and redo beside it; else both are only in the menu.
    void draw(Frame&, bool wide);

private:
    void menu(Frame&);
    void recent(Frame&);
    void undo_and_redo(Frame&);
};

}  // namespace convscope::app
