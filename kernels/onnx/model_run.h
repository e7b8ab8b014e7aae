// Runs an ONNX model with the reference and says what each of its layers saw.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/layers/workload.h"
#include "kernels/onnx/node_call.h"
#include "kernels/onnx/onnx_model.h"

namespace convscope {

/// A text as a name of a layer: letters, digits and any of - _ . + stay, others become _; at most 100 of them.
std::string plain_name(std::string);

/// A convolution or a fully connected layer, of the input that the model was run with.
struct ModelLayer {
    std::string name;                 ///< "layer1.0.conv1": the node's name, as plain_name() has it; no other layer's
    std::string node;                 ///< as the model has it, and its operator: "'/layer1/layer1.0/conv1/Conv' (Conv)"
    ConvShape shape;                  ///< with the max-pooling that follows
    bool normalized = false;          ///< a BatchNormalization is folded into w
    double x_zeros = 0, w_zeros = 0;  ///< shares, 0..1
    std::int64_t multiply_adds = 0;   ///< of the dense convolution
    std::int64_t nonzero_multiply_adds = 0;  ///< of which neither factor is zero
};

struct ModelOptions {
    /// Called for each layer, in the model's order, with its x and w; may be empty.
    std::function<void(const ModelLayer&, const Workload&)> layer;
    std::stop_token stop;
    std::int64_t max_elements = std::numeric_limits<std::int32_t>::max();  ///< of any value
};

struct ModelOutput {
    std::string name;
    ModelArray array;
};

/// The model's outputs. Throws Error(file) that names the node where one is not supported, and says what is accepted;
/// Error(failed) after a stop request; OutOfMemory.
std::vector<ModelOutput> run_model(const OnnxModel&, ModelArray input, const ModelOptions&);

}  // namespace convscope
