// A model's input from a file: an array as NumPy writes it, or a picture.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/onnx/node_call.h"
#include "kernels/onnx/onnx_model.h"

namespace convscope {

/// How a picture is brought to the model's height and width, aspect ratio included: pixel centres correspond, and what
/// lies beyond the edge is the edge.
enum class Resize { nearest, bilinear };

struct InputScaling {
    std::optional<Resize> resize;   ///< none: the sizes must agree
    std::vector<double> mean, std;  ///< of each channel, or one for all; empty: 0 and 1. No std is 0.
};

/// A .npy array of float32 or float64 is taken as it is. One of uint8, and a picture (PNG, PPM or PGM, 8 bits of each
/// channel), becomes (v / 255 - mean) / std. Arrays have the dimensions that the model's input has, or all but the
/// first; pictures become 1 x channels x height x width, three channels in the order red, green, blue, or one of grey.
/// Throws Error(file) that names the file and what the model takes, Error(usage) for scaling that does not go with it.
ModelArray read_input(const std::filesystem::path&, const OnnxModel&, const InputScaling&);

}  // namespace convscope
