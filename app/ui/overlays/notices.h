// Notices come up at the lower edge, stack, hold nothing up, and go by themselves or on a click. All of them can be
// read again in the list of notices.
#pragma once

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class Notices {
public:
    void draw(Frame&);
};

/// The list of all notices of this run, the newest first.
class NoticeList {
public:
    void draw(Frame&);
};

}  // namespace convscope::app
