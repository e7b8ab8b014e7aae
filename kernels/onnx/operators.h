// ONNX's operators without weights to multiply with, on float32: https://onnx.ai/onnx/operators/
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/onnx/node_call.h"

namespace convscope {

/// Computes a node's first output. Rejects operands and attributes that it does not take.
using OnnxOperator = ModelArray (*)(NodeCall&);

/// Null where there is none of that name.
OnnxOperator find_operator(std::string_view op);
std::vector<std::string> operator_names();

/// y = scale x + shift, of each channel.
struct ChannelScale {
    std::vector<float> scale, shift;
};
/// The scale of a BatchNormalization node, whose four parameters must be constants.
ChannelScale batch_normalization_scale(const NodeCall&, std::int64_t channels);

/// Adds to each element of 'array' that of 'addend', which is repeated along the dimensions that it lacks or of which
/// it has one, as NumPy does, and the other way round.
ModelArray add_arrays(const NodeCall&, ModelArray array, ModelArray addend);

}  // namespace convscope
