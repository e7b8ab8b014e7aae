// A network's rows, layers and sums as JSON (docs/cli.md).
#pragma once

#include <string>
#include <vector>

#include "kernels/measure/network_run.h"
#include "kernels/measure/network_summary.h"
#include "kernels/onnx/model_network.h"

namespace convscope::cli {

/// 'layers' are the first ones of the plan's that were measured. Of a model all of the plan's layers are written, with
/// what a run of it found; null for a network of presets.
std::string network_json(const NetworkPlan&, const std::vector<LayerRows>& layers, const ModelNetwork* model);

}  // namespace convscope::cli
