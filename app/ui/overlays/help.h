// Help: explains the present view and lists the keys; opened by F1 or ?.
#pragma once

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class HelpOverlay {
public:
    void draw(Frame&);
};

}  // namespace convscope::app
