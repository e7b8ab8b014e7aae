// What tiled-multi2's planner reckons a plan to take.
#pragma once

#include "kernels/tiled/multi2_plan.h"

namespace convscope {

/// Cycles of the layer: the SM that has the most blocks, by what its schedulers issue and by what it copies; the sum of
/// the parts. A model to rank plans by, fitted to some thousand points measured on an H100; not a prediction of times.
double multi2_cycles(const ConvShape&, const DeviceModel&, const Multi2Plan&);

}  // namespace convscope
