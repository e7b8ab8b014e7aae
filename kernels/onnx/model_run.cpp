#include "kernels/onnx/model_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/layers/nonzero_multiply_adds.h"
#include "kernels/onnx/layer_nodes.h"
#include "kernels/onnx/operators.h"

namespace convscope {
namespace {

/// Without its operator at the end, and without each part of the path that the next one begins with: exporters write
/// "/layer1/layer1.0/conv1/Conv" of a module that is called layer1.0.conv1.
std::string short_name(const OnnxNode& node) {
    std::vector<std::string> parts = split(node.label(), '/'), kept;
    if (parts.size() > 1 && parts.back() == node.op) parts.pop_back();
    for (const std::string& part : parts) {
        if (part.empty()) continue;
        if (!kept.empty() && part.starts_with(kept.back() + ".")) kept.pop_back();
        kept.push_back(part);
    }
    return plain_name(fmt::format("{}", fmt::join(kept, ".")));
}

class ModelRun {
public:
    ModelRun(const OnnxModel& model, const ModelOptions& options)
        : model_(model), options_(options), values_(model, options.max_elements) {}

    std::vector<ModelOutput> run(ModelArray input) {
        values_.set(model_input(model_).name, std::move(input));
        for (const OnnxNode& node : model_.nodes) {
            if (options_.stop.stop_requested()) throw Error(ErrorKind::failed, "running the model was stopped");
            if (!folded_.contains(&node)) run(node);
        }
        std::vector<ModelOutput> outputs;
        for (const OnnxValue& output : model_.outputs) {
            if (!values_.find(output.name)) model_.reject(fmt::format("no node makes its output '{}'", output.name));
            outputs.push_back({output.name, values_.take(output.name)});
        }
        return outputs;
    }

private:
    void run(const OnnxNode& node) {
        NodeCall call(node, values_);
        if (node.outputs.empty() || node.inputs.empty()) call.reject("it has no operand or no output");
        const OnnxOperator compute = find_operator(node.op);
        const bool own = node.domain.empty() || node.domain == "ai.onnx";
        if (!own || (!compute && !is_layer(node.op))) reject_operator(call);
        if (compute)
            values_.set(node.outputs.front(), compute(call));
        else
            compute_layer(call);
    }

    void compute_layer(NodeCall& call) {
        const OnnxNode& node = call.node();
        LayerResult result = run_layer(call);
        if (result.normalization) folded_.insert(result.normalization);
        const std::string& output = (result.normalization ? *result.normalization : node).outputs.front();
        add_pooling(result.workload.spec.shape, output, values_);
        tell(node, result);
        values_.set(output, std::move(result.y));
    }

    void tell(const OnnxNode& node, const LayerResult& result) {
        const Workload& data = result.workload;
        ModelLayer layer;
        layer.name = unique_name(node);
        layer.node = fmt::format("'{}' ({})", node.label(), node.op);
        layer.shape = data.spec.shape;
        layer.normalized = result.normalization != nullptr;
        layer.x_zeros = data.sparsity_measured;
        layer.w_zeros = data.weight_sparsity_measured;
        layer.multiply_adds = layer.shape.conv_elements() * layer.shape.reduction();
        layer.nonzero_multiply_adds = nonzero_multiply_adds(data);
        if (options_.layer) options_.layer(layer, data);
    }

    std::string unique_name(const OnnxNode& node) {
        const std::string name = short_name(node);
        std::string unique = name;
        for (int number = 2; !names_.insert(unique).second; ++number) unique = fmt::format("{}-{}", name, number);
        return unique;
    }

    [[noreturn]] static void reject_operator(const NodeCall& call) {
        std::vector<std::string> names = operator_names();
        for (std::string& layer : layer_operator_names()) names.push_back(std::move(layer));
        names.emplace_back("Constant");
        std::ranges::sort(names);
        call.reject(fmt::format("this operator is not supported; accepted are {}", fmt::join(names, ", ")));
    }

    const OnnxModel& model_;
    const ModelOptions& options_;
    GraphValues values_;
    std::set<const OnnxNode*> folded_;
    std::set<std::string> names_;
};

}  // namespace

std::string plain_name(std::string text) {
    constexpr std::size_t max_letters = 100;
    if (text.size() > max_letters) text.resize(max_letters);
    for (char& letter : text)
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && std::strchr("-_.+", letter) == nullptr)
            letter = '_';
    return text.empty() ? "unnamed" : text;
}

std::vector<ModelOutput> run_model(const OnnxModel& model, ModelArray input, const ModelOptions& options) {
    return ModelRun(model, options).run(std::move(input));
}

}  // namespace convscope
