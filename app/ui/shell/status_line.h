// The line at the bottom: the device, how arrays reach the screen, frame time, clock, the fastest method.
#pragma once

#include <string>

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class StatusLine {
public:
    /// 'path' says how the arrays on screen were written ("interop", "host upload").
    void draw(Frame&, const std::string& path, double frame_ms);
};

/// "sampling · fastest: ecr1 4.21 us ±0.3 % · 0.44x cudnn · verified · settled at ±1 %": how far measuring is, and of
/// results that are 'current' the fastest method that passed. Empty where there is neither.
std::string live_status(const LiveSnapshot&, bool current);

}  // namespace convscope::app
