// A node as its operator sees it: attributes and operands, each with an error that names the node.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/files/npy.h"
#include "kernels/onnx/onnx_model.h"

namespace convscope {

/// A value of a graph, row-major. Any number of dimensions: none for a scalar, and at least one element.
struct ModelArray {
    NpyShape shape;
    std::vector<float> data;
};

/// "1x3x224x224", or "a scalar".
std::string describe(const NpyShape&);

/// The values that a run has so far. Each is kept as long as a node that comes later takes it.
class GraphValues {
public:
    /// A value may have 'max_elements'. The model outlives it.
    GraphValues(const OnnxModel&, std::int64_t max_elements);

    void set(const std::string& name, ModelArray);
    const ModelArray* find(const std::string& name) const;
    /// Gives the value to one of the nodes that take it: the last of them gets it without a copy.
    ModelArray take(const std::string& name);
    /// The one node that takes the value, where no other does and the model does not return it; else null.
    const OnnxNode* only_taker(const std::string& name) const;
    bool is_used(const std::string& name) const { return uses_.contains(name); }
    const OnnxModel& model() const { return model_; }
    std::int64_t max_elements() const { return max_elements_; }

private:
    struct Uses {
        std::int64_t left = 0;  ///< nodes that take it and have not, and 1 where the model returns it
        const OnnxNode* first = nullptr;
    };

    const OnnxModel& model_;
    const std::int64_t max_elements_;
    std::map<std::string, Uses> uses_;
    std::map<std::string, ModelArray> values_;
};

class NodeCall {
public:
    NodeCall(const OnnxNode& node, GraphValues& values) : node_(node), values_(values) {}

    const OnnxNode& node() const { return node_; }
    std::int64_t opset() const { return values_.model().opset; }
    GraphValues& values() const { return values_; }

    /// Throws Error(file): "NET.onnx: node 'conv1' (Conv): what".
    [[noreturn]] void reject(const std::string& what) const;

    std::int64_t integer(const char* attribute, std::int64_t otherwise) const;
    float real(const char* attribute, float otherwise) const;
    std::string text(const char* attribute, const char* otherwise) const;
    /// Rejects a list of another length than 'count'. Each is at least 'min' and at most 2^31 - 1.
    std::vector<std::int64_t> integers(const char* attribute, std::vector<std::int64_t> otherwise,
                                       std::int64_t min) const;
    /// An axis of 'dimensions', counted from the end where it is negative; 'dimensions' itself where 'or_end'.
    std::size_t axis(std::int64_t otherwise, std::size_t dimensions, bool or_end = false) const;

    bool has(std::size_t operand) const;
    bool is_constant(std::size_t operand) const;
    /// A constant's elements or a value of the run, which this node then has no longer.
    ModelArray take(std::size_t operand);
    /// The same of 4 dimensions, (n, c, h, w).
    ModelArray take_maps(std::size_t operand);
    /// Rejects an operand that is no constant. 'what' is what the operator uses it as: "weights".
    ModelArray constant(std::size_t operand, const char* what) const;
    std::vector<std::int64_t> constant_integers(std::size_t operand, const char* what) const;

    /// An array of zeros; rejects one of more elements than a value may have. Throws OutOfMemory.
    ModelArray make_array(const NpyShape&) const;
    /// Rejects where a node after it takes the output with this number.
    void reject_output(std::size_t output, const char* what) const;

private:
    const OnnxAttribute* find(const char* attribute) const;
    const OnnxTensor& tensor(std::size_t operand, const char* what) const;

    const OnnxNode& node_;
    GraphValues& values_;
};

}  // namespace convscope
