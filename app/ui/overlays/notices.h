// Notices come up at the lower edge, stack, cover nothing, and go by themselves or on a click. All of them can be read
// again in the list of notices.
#pragma once

#include "app/ui/overlays/first_tour.h"
#include "app/ui/widgets/frame.h"

namespace convscope::app {

class Notices {
public:
    /// Below 'view', which leaves them their room.
    void draw(Frame&, const Regions::Box& view);
    /// The height that they take of the window's lower edge; 0 where there are none.
    float height() const { return height_; }

private:
    float height_ = 0;
};

/// The list of all notices of this run, the newest first.
class NoticeList {
public:
    void draw(Frame&);
};

}  // namespace convscope::app
