// Prints the results of a model's run as a table.
#pragma once

#include <string>

#include "kernels/onnx/model_network.h"

namespace convscope::cli {

/// Each of the layers of 'part', which is the model's network or a part of it: its shape, the zeros of x and w, and the
/// multiply-adds that have none; their sums; and the largest values of the model's outputs.
std::string model_table(const ModelNetwork&, const Network& part);

}  // namespace convscope::cli
