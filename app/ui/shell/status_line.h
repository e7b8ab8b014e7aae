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

/// "ecr1 4.21 us ±0.3 % · 0.44x cudnn · verified": the fastest method that passed; empty before there is one.
std::string fastest_method(const LiveSnapshot&);

}  // namespace convscope::app
