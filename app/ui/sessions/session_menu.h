// The menu of the session at the left end of the toolbar, and undo and redo next to it.
#pragma once

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class SessionMenu {
public:
    /// 'named': with the app's name; 'undo': with undo and redo next to it. Both are in the menu, too.
    void draw(Frame&, bool named, bool undo);
    static float width(bool named, bool undo);

private:
    void menu(Frame&);
    void recent(Frame&);
    void undo_and_redo(Frame&);
};

}  // namespace convscope::app
