#include "kernels/onnx/node_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/printable.h"

namespace convscope {

std::string describe(const NpyShape& shape) {
    return shape.empty() ? "a scalar" : to_string(shape);
}

GraphValues::GraphValues(const OnnxModel& model, std::int64_t max_elements)
    : model_(model), max_elements_(max_elements) {
    for (const OnnxNode& node : model.nodes)
        for (const std::string& input : node.inputs) {
            Uses& uses = uses_[input];
            if (++uses.left == 1) uses.first = &node;
        }
    for (const OnnxValue& output : model.outputs) ++uses_[output.name].left;
}

void GraphValues::set(const std::string& name, ModelArray array) {
    if (values_.contains(name) || model_.constants.contains(name))
        model_.reject(fmt::format("two of its values are called '{}'", name));
    if (uses_.contains(name)) values_.emplace(name, std::move(array));
}

const ModelArray* GraphValues::find(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
}

ModelArray GraphValues::take(const std::string& name) {
    const auto found = values_.find(name);
    if (--uses_[name].left > 0) return found->second;
    ModelArray taken = std::move(found->second);
    values_.erase(found);
    return taken;
}

const OnnxNode* GraphValues::only_taker(const std::string& name) const {
    const auto found = uses_.find(name);
    return found != uses_.end() && found->second.left == 1 ? found->second.first : nullptr;
}

void NodeCall::reject(const std::string& what) const {
    const std::string op = node_.domain.empty() ? node_.op : fmt::format("{} of {}", node_.op, node_.domain);
    values_.model().reject(fmt::format("node '{}' ({}): {}", node_.label(), printable(op, 200), what));
}

const OnnxAttribute* NodeCall::find(const char* attribute) const {
    const auto found = std::ranges::find(node_.attributes, attribute, &OnnxAttribute::name);
    return found == node_.attributes.end() ? nullptr : &*found;
}

std::int64_t NodeCall::integer(const char* attribute, std::int64_t otherwise) const {
    const OnnxAttribute* const found = find(attribute);
    if (!found) return otherwise;
    if (!found->integer) reject(fmt::format("its attribute '{}' must be an integer", attribute));
    return *found->integer;
}

float NodeCall::real(const char* attribute, float otherwise) const {
    const OnnxAttribute* const found = find(attribute);
    if (!found) return otherwise;
    if (!found->real) reject(fmt::format("its attribute '{}' must be a number", attribute));
    return *found->real;
}

std::string NodeCall::text(const char* attribute, const char* otherwise) const {
    const OnnxAttribute* const found = find(attribute);
    if (!found) return otherwise;
    if (!found->text) reject(fmt::format("its attribute '{}' must be a word", attribute));
    return *found->text;
}

std::vector<std::int64_t> NodeCall::integers(const char* attribute, std::vector<std::int64_t> otherwise,
                                             std::int64_t min) const {
    const OnnxAttribute* const found = find(attribute);
    if (!found) return otherwise;
    constexpr std::int64_t max = std::numeric_limits<std::int32_t>::max();
    const auto outside = [&](std::int64_t value) { return value < min || value > max; };
    if (found->integers.size() != otherwise.size() || std::ranges::any_of(found->integers, outside))
        reject(
            fmt::format("its attribute '{}' must be {} integers, each at least {} and at most {}, as of a "
                        "convolution over height and width",
                        attribute, otherwise.size(), min, max));
    return found->integers;
}

std::size_t NodeCall::axis(std::int64_t otherwise, std::size_t dimensions, bool or_end) const {
    const std::int64_t axis = integer("axis", otherwise), end = static_cast<std::int64_t>(dimensions);
    if (axis < -end || axis > (or_end ? end : end - 1))
        reject(fmt::format("its axis is {}, of an operand with {} dimensions", axis, dimensions));
    return static_cast<std::size_t>(axis < 0 ? axis + end : axis);
}

bool NodeCall::has(std::size_t operand) const {
    return operand < node_.inputs.size() && !node_.inputs[operand].empty();
}

bool NodeCall::is_constant(std::size_t operand) const {
    return has(operand) && values_.model().constants.contains(node_.inputs[operand]);
}

ModelArray NodeCall::take(std::size_t operand) {
    if (!has(operand)) reject(fmt::format("its operand {} is missing", operand));
    if (is_constant(operand)) return constant(operand, "operand");
    const std::string& name = node_.inputs[operand];
    if (!values_.find(name))
        reject(fmt::format("its operand '{}' is not there: no node before it makes it", printable(name, 200)));
    return values_.take(name);
}

ModelArray NodeCall::take_maps(std::size_t operand) {
    ModelArray array = take(operand);
    if (array.shape.size() != 4)
        reject(fmt::format("its operand is {}; accepted are 4 dimensions: images, channels, height, width",
                           describe(array.shape)));
    return array;
}

const OnnxTensor& NodeCall::tensor(std::size_t operand, const char* what) const {
    if (!is_constant(operand)) reject(fmt::format("its {} must be a constant of the model", what));
    return values_.model().constants.at(node_.inputs[operand]);
}

ModelArray NodeCall::constant(std::size_t operand, const char* what) const {
    const OnnxTensor& found = tensor(operand, what);
    return {found.shape, floats_of(values_.model(), found)};
}

std::vector<std::int64_t> NodeCall::constant_integers(std::size_t operand, const char* what) const {
    return integers_of(values_.model(), tensor(operand, what));
}

ModelArray NodeCall::make_array(const NpyShape& shape) const {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
        if (size < 1 || size > values_.max_elements() / elements)
            reject(fmt::format("its result would be {}; a value has 1 to {} elements", describe(shape),
                               values_.max_elements()));
        elements *= size;
    }
    require_host_memory(static_cast<double>(elements) * sizeof(float),
                        fmt::format("the result of node '{}'", node_.label()));
    return {shape, std::vector<float>(static_cast<std::size_t>(elements))};
}

void NodeCall::reject_output(std::size_t output, const char* what) const {
    if (output < node_.outputs.size() && values_.is_used(node_.outputs[output]))
        reject(fmt::format("the model uses {}, which is not computed here", what));
}

}  // namespace convscope
