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

/// An input for a model that is given none: values between -1 and 1, drawn with seed 1, of its input's sizes; one image
/// where it leaves that open. Throws Error(file) where it leaves others open, OutOfMemory.
ModelArray drawn_input(const OnnxModel&);

/// Whether the name is that of a picture that read_input() takes.
bool is_picture_file(const std::filesystem::path&);

}  // namespace convscope
