// Which image, channel and filter of the layer the views show. Draws nothing when there is only one of each.
#pragma once

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class MapSelector {
public:
    void draw(Frame&);
    static float width(const ConvShape&);  ///< in pixels
};

}  // namespace convscope::app
