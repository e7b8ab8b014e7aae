#include "kernels/onnx/layer_nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/printable.h"
#include "kernels/onnx/operators.h"
#include "kernels/onnx/window_shape.h"
#include "kernels/reference/reference_result.h"

namespace convscope {
namespace {

Tensor as_tensor(ModelArray array, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    Tensor tensor;
    tensor.n = n;
    tensor.c = c;
    tensor.h = h;
    tensor.w = w;
    tensor.data = std::move(array.data);
    return tensor;
}

Workload make_layer(const NodeCall& call, const ConvShape& shape, ModelArray x, ModelArray w) {
    try {
        validate(shape);
    } catch (const Error& error) {
        call.reject(error.what());
    }
    if (shape.n * shape.c * shape.padded_h() * shape.padded_w() > call.values().max_elements() ||
        shape.conv_elements() > call.values().max_elements())
        call.reject(
            fmt::format("{} is more than {} elements of x or y", to_string(shape), call.values().max_elements()));
    // x with its padding and w as double, and y.
    const double doubles = static_cast<double>(shape.n * shape.c * shape.padded_h() * shape.padded_w()) +
                           static_cast<double>(shape.w_elements());
    require_host_memory(8 * doubles + 4 * static_cast<double>(shape.conv_elements()),
                        fmt::format("the convolution {}", to_string(shape)));
    Workload workload;
    workload.spec.shape = shape;
    workload.x = as_tensor(std::move(x), shape.n, shape.c, shape.h, shape.w);
    workload.w = as_tensor(std::move(w), shape.k, shape.group_channels(), shape.r, shape.s);
    workload.sparsity_measured = share_of_zeros(workload.x);
    workload.weight_sparsity_measured = share_of_zeros(workload.w);
    return workload;
}

LayerResult run_convolution(NodeCall& call) {
    ModelArray x = call.take_maps(0), w = call.constant(1, "weights");
    if (w.shape.size() != 4)
        call.reject(fmt::format("its weights are {}; accepted are 4 dimensions: filters, channels, height, width",
                                describe(w.shape)));
    if (call.integers("kernel_shape", {w.shape[2], w.shape[3]}, 1) != std::vector{w.shape[2], w.shape[3]})
        call.reject(fmt::format("its kernel_shape is not that of its weights of {}", describe(w.shape)));
    ConvShape shape = window_shape(call, x.shape[2], x.shape[3], w.shape[2], w.shape[3]);
    shape.n = x.shape[0];
    shape.c = x.shape[1];
    shape.k = w.shape[0];
    shape.groups = call.integer("group", 1);
    if (shape.groups < 1 || shape.groups > shape.c || w.shape[1] != shape.c / shape.groups ||
        shape.c % shape.groups != 0)
        call.reject(fmt::format("its weights of {} do not go with {} channels in {} groups", describe(w.shape), shape.c,
                                shape.groups));
    std::vector<float> bias(static_cast<std::size_t>(shape.k), 0.0F);
    if (call.has(2)) bias = call.constant(2, "bias").data;
    if (std::ssize(bias) != shape.k)
        call.reject(fmt::format("its bias has {} elements for {} filters", bias.size(), shape.k));

    LayerResult result;
    const OnnxNode* const next = call.values().only_taker(call.node().outputs.front());
    const bool folds = next && next->op == "BatchNormalization" && next->inputs.front() == call.node().outputs.front();
    if (folds && !next->outputs.empty()) {
        const ChannelScale of = batch_normalization_scale(NodeCall(*next, call.values()), shape.k);
        const std::size_t filter = w.data.size() / of.scale.size();
        for (std::size_t i = 0; i < w.data.size(); ++i) w.data[i] *= of.scale[i / filter];
        for (std::size_t k = 0; k < bias.size(); ++k) bias[k] = of.scale[k] * bias[k] + of.shift[k];
        result.normalization = next;
    }
    result.workload = make_layer(call, shape, std::move(x), std::move(w));
    result.y = {{shape.n, shape.k, shape.p(), shape.q()}, std::move(reference_output(result.workload).data)};
    const auto map = static_cast<std::size_t>(shape.p() * shape.q());
    for (std::size_t i = 0; i < result.y.data.size(); ++i) result.y.data[i] += bias[i / map % bias.size()];
    return result;
}

/// x is n x c, w is c x k or, transposed, k x c: each row of x is an image.
LayerResult connect_fully(NodeCall& call, ModelArray x, std::int64_t c, bool transposed) {
    ModelArray w = call.constant(1, "weights");
    if (w.shape.size() != 2 || w.shape[transposed ? 1 : 0] != c)
        call.reject(
            fmt::format("its weights of {} do not go with an operand of {}", describe(w.shape), describe(x.shape)));
    ConvShape shape;
    shape.n = std::ssize(x.data) / c;
    shape.c = c;
    shape.k = w.shape[transposed ? 0 : 1];
    if (!transposed) {
        ModelArray turned = w;
        for (std::int64_t i = 0; i < c; ++i)
            for (std::int64_t k = 0; k < shape.k; ++k)
                turned.data[static_cast<std::size_t>(k * c + i)] = w.data[static_cast<std::size_t>(i * shape.k + k)];
        w = std::move(turned);
    }
    const float alpha = call.real("alpha", 1);
    for (float& weight : w.data) weight *= alpha;
    LayerResult result;
    NpyShape y = x.shape;
    y.back() = shape.k;
    result.workload = make_layer(call, shape, std::move(x), std::move(w));
    result.y = {y, std::move(reference_output(result.workload).data)};
    return result;
}

LayerResult run_gemm(NodeCall& call) {
    if (call.integer("transA", 0) != 0) call.reject("its transA is 1; accepted is 0");
    ModelArray x = call.take(0);
    if (x.shape.size() != 2)
        call.reject(fmt::format("its operand is {}; accepted are 2 dimensions", describe(x.shape)));
    const std::int64_t c = x.shape[1];
    LayerResult result = connect_fully(call, std::move(x), c, call.integer("transB", 0) != 0);
    if (!call.has(2)) return result;
    ModelArray addend = call.take(2);
    const float beta = call.real("beta", 1);
    for (float& value : addend.data) value *= beta;
    const NpyShape shape = result.y.shape;
    result.y = add_arrays(call, std::move(result.y), std::move(addend));
    if (result.y.shape != shape)
        call.reject(fmt::format("its addend makes {} of a product of {}", describe(result.y.shape), describe(shape)));
    return result;
}

LayerResult run_matmul(NodeCall& call) {
    ModelArray x = call.take(0);
    if (x.shape.size() < 2)
        call.reject(fmt::format("its operand is {}; accepted are 2 dimensions and more", describe(x.shape)));
    const std::int64_t c = x.shape.back();
    return connect_fully(call, std::move(x), c, false);
}

struct LayerOperator {
    const char* name;
    LayerResult (*run)(NodeCall&);
    std::vector<std::string> attributes;
};
const std::array layer_operators{
    LayerOperator{"Conv", run_convolution, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}},
    LayerOperator{"Gemm", run_gemm, {"alpha", "beta", "broadcast", "transA", "transB"}},
    LayerOperator{"MatMul", run_matmul, {}}};

const LayerOperator* find(std::string_view op) {
    const auto* const found =
        std::ranges::find(layer_operators, op, [](const LayerOperator& each) { return std::string_view(each.name); });
    return found == layer_operators.end() ? nullptr : found;
}

/// Takes the node's pooling into the convolution's shape where it is one that a layer has.
void take_pooling(ConvShape& shape, const NodeCall& pool) {
    const std::vector<std::int64_t> kernel = pool.integers("kernel_shape", {0, 0}, 1);
    const ConvShape window = window_shape(pool, shape.p(), shape.q(), kernel[0], kernel[1]);
    const bool padded = window.padded_h() != window.h || window.padded_w() != window.w || window.padded_by_side();
    if (padded || window.dilated() || window.stride_h != window.stride_w) return;
    const bool round_up = pool.integer("ceil_mode", 0) != 0;
    const bool whole = (window.h - window.r) % window.stride_h == 0 && (window.w - window.s) % window.stride_w == 0;
    if (round_up && !whole) return;
    shape.pool_h = window.r;
    shape.pool_w = window.s;
    shape.pool_stride = window.stride_h;
}

}  // namespace

bool is_layer(std::string_view op) {
    return find(op) != nullptr;
}

std::vector<std::string> layer_operator_names() {
    std::vector<std::string> names;
    for (const LayerOperator& each : layer_operators) names.emplace_back(each.name);
    return names;
}

LayerResult run_layer(NodeCall& call) {
    const LayerOperator& layer = *find(call.node().op);
    // One that is not known here may change the result.
    for (const OnnxAttribute& each : call.node().attributes)
        if (std::ranges::find(layer.attributes, each.name) == layer.attributes.end())
            call.reject(
                fmt::format("its attribute '{}' is unknown; accepted are {}", printable(each.name, 200),
                            layer.attributes.empty() ? "none" : fmt::format("{}", fmt::join(layer.attributes, ", "))));
    return layer.run(call);
}

void add_pooling(ConvShape& shape, const std::string& output, GraphValues& values) {
    const OnnxNode* const first = values.only_taker(output);
    const OnnxNode* const second =
        first && !first->outputs.empty() ? values.only_taker(first->outputs.front()) : nullptr;
    if (!second) return;
    if (first->op == "Relu" && second->op == "MaxPool") take_pooling(shape, NodeCall(*second, values));
    if (first->op == "MaxPool" && second->op == "Relu") take_pooling(shape, NodeCall(*first, values));
}

}  // namespace convscope
