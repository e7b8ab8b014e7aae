// Counts the FLOPs that union1 executes: the multiply-adds of channels that are not all zero under a tile.
#pragma once

#include "kernels/method/flops.h"
#include "kernels/method/zero_boxes.h"

namespace convscope {

/// A box is a channel of the inputs under a tile of windows; it costs every window, tap and filter.
ZeroBoxes union1_boxes(const ConvShape&);
std::optional<double> union1_flops(const Workload&);

}  // namespace convscope
