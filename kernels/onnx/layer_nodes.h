// ONNX's operators with weights: Conv, and Gemm and MatMul as fully connected layers. They run by the reference.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/layers/workload.h"
#include "kernels/onnx/node_call.h"

namespace convscope {

/// The result of a node. Its convolution is x * w; a bias is added after it, and is in neither.
struct LayerResult {
    Workload workload;  ///< with the shape, and no name; an alpha and a batch normalization are multiplied into w
    ModelArray y;
    const OnnxNode* normalization = nullptr;  ///< the BatchNormalization node that y has passed, too
};

bool is_layer(std::string_view op);
std::vector<std::string> layer_operator_names();
/// Rejects weights that are no constant. A BatchNormalization that alone takes a convolution's output is folded into
/// it.
LayerResult run_layer(NodeCall&);

/// Adds to a convolution's shape the max-pooling that follows it: where its output goes to Relu and to MaxPool alone,
/// in one order or the other, and the pooling is one that a layer has: without padding, with one stride, rounded down.
void add_pooling(ConvShape&, const std::string& output, GraphValues&);

}  // namespace convscope
