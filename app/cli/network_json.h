// A network's rows, layers and sums as JSON (docs/cli.md).
#pragma once

#include <string>
#include <vector>

#include "kernels/measure/network_run.h"
#include "kernels/measure/network_summary.h"

namespace convscope::cli {

/// 'layers' are the first ones of the plan's.
std::string network_json(const NetworkPlan&, const std::vector<LayerRows>& layers);

}  // namespace convscope::cli
