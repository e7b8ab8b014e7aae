// An ONNX file as it is written: the nodes of its graph, their attributes, and the constant tensors. Format:
// https://onnx.ai/onnx/repo-docs/IR.html, and onnx.proto for the numbers of the fields.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/files/npy.h"

namespace convscope {

/// A constant. Its elements are in 'raw' or, where that is empty, in one of the lists, as the file has them.
struct OnnxTensor {
    std::string name;
    NpyShape shape;         ///< empty for a scalar
    std::int64_t type = 0;  ///< of an element: onnx.proto's TensorProto.DataType
    std::string_view raw;   ///< little-endian, row-major
    std::vector<float> floats;
    std::vector<double> doubles;
    std::vector<std::int64_t> integers;
    bool elsewhere = false;  ///< its elements lie in another file
};

struct OnnxAttribute {
    std::string name;
    std::optional<float> real;
    std::optional<std::int64_t> integer;
    std::optional<std::string> text;
    std::optional<OnnxTensor> tensor;
    std::vector<float> reals;
    std::vector<std::int64_t> integers;
};

struct OnnxNode {
    std::string name, op, domain;
    std::vector<std::string> inputs, outputs;  ///< names of values; empty for one that is left out
    std::vector<OnnxAttribute> attributes;

    /// As messages call it: its name or, where it has none, its first output's; fit for a terminal.
    std::string label() const;
};

/// An input or an output of a graph.
struct OnnxValue {
    std::string name;
    std::int64_t type = 0;
    std::optional<NpyShape> shape;  ///< -1 for a size that the model leaves open; none where it states no shape
};

struct OnnxModel {
    std::filesystem::path path;
    std::shared_ptr<const std::string> bytes;     ///< of the file, in which the tensors' raw elements lie
    std::int64_t opset = 0;                       ///< version of ONNX's own operators
    std::vector<OnnxNode> nodes;                  ///< each after those whose outputs it takes
    std::map<std::string, OnnxTensor> constants;  ///< by name: initializers, and values of Constant nodes
    std::vector<OnnxValue> inputs, outputs;       ///< inputs without those that are constants

    /// Throws Error(file): "PATH: what".
    [[noreturn]] void reject(const std::string& what) const;
};

/// Throws Error(file) naming the file, what was found and what is accepted.
OnnxModel read_onnx(const std::filesystem::path&);

/// The model's one input that is no constant. Throws Error(file) for a model with another number, or whose input is not
/// float32.
const OnnxValue& model_input(const OnnxModel&);

/// The elements of a float32 or float64 tensor. Throws Error(file), and OutOfMemory.
std::vector<float> floats_of(const OnnxModel&, const OnnxTensor&);
/// The elements of an integer or boolean tensor. Throws Error(file).
std::vector<std::int64_t> integers_of(const OnnxModel&, const OnnxTensor&);

}  // namespace convscope
