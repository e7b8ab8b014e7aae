// A network's layers as points of a sweep: measured by whoever measures those.
#pragma once

#include <string>

#include "kernels/measure/isolated/point_measurer.h"
#include "kernels/measure/network_run.h"

namespace convscope {

/// 'measurer' outlives what is returned.
NetworkRun::Measurer layer_measurer(PointMeasurer& measurer, std::string device);

}  // namespace convscope
