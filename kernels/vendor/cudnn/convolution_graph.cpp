#include "kernels/vendor/cudnn/convolution_graph.h"

#include "kernels/core/error.h"

namespace convscope::cudnn {
namespace {

enum Id : std::int64_t { id_x = 1, id_w, id_bias, id_out, id_conv, id_biased };

constexpr std::int64_t alignment = 16;  // bytes; what Gpu::allocate returns is aligned to more
constexpr std::size_t max_engines = 32;

/// 'dims' as (n, c, h, w), whatever the layout.
Backend tensor(std::int64_t id, const std::vector<std::int64_t>& dims, Layout layout, cudnnDataType_t type,
               bool is_virtual = false) {
    const std::int64_t c = dims[1], h = dims[2], w = dims[3];
    const std::vector<std::int64_t> strides = layout == Layout::nhwc
                                                  ? std::vector{h * w * c, std::int64_t{1}, w * c, c}
                                                  : std::vector{c * h * w, h * w, w, std::int64_t{1}};
    Backend tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
    tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
    tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, alignment);
    tensor.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, is_virtual);
    tensor.set(CUDNN_ATTR_TENSOR_DIMENSIONS, dims);
    tensor.set(CUDNN_ATTR_TENSOR_STRIDES, strides);
    tensor.finalize();
    return tensor;
}

Backend convolution(const ConvShape& shape, const Backend& x, const Backend& w, const Backend& y) {
    Backend settings(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    settings.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, std::int64_t{2});
    settings.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    settings.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION);
    settings.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {shape.pad_top(), shape.pad_left()});
    settings.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {shape.pad_bottom(), shape.pad_right()});
    settings.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {shape.dilation_h, shape.dilation_w});
    settings.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {shape.stride_h, shape.stride_w});
    settings.finalize();

    Backend operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, settings);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, y);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 1.0F);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, 0.0F);
    operation.finalize();
    return operation;
}

/// Adds 'second' to x, or rectifies x where there is none.
Backend pointwise(cudnnPointwiseMode_t mode, const Backend& x, const Backend* second, const Backend& y) {
    Backend settings(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    settings.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
    settings.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    // A NaN in the data must reach the result, as it does through the reference.
    settings.set(CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, CUDNN_PROPAGATE_NAN);
    settings.finalize();

    Backend operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, settings);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
    if (second) operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *second);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
    operation.finalize();
    return operation;
}

/// The operations from x, w and, in the fused form, the bias to the tensor that the caller gets.
std::vector<Backend> operations_of(const ConvShape& s, DType dtype, Layout layout, GraphForm form) {
    const cudnnDataType_t type = dtype == DType::f16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
    const std::vector<std::int64_t> conv_dims{s.n, s.k, s.p(), s.q()};
    const Backend x = tensor(id_x, {s.n, s.c, s.h, s.w}, layout, type);
    const Backend w = tensor(id_w, {s.k, s.group_channels(), s.r, s.s}, layout, type);  // fewer than x's: groups
    const Backend out = tensor(id_out, conv_dims, layout, type);

    std::vector<Backend> operations;
    if (form == GraphForm::convolution) {
        operations.push_back(convolution(s, x, w, out));
        return operations;
    }
    const Backend bias = tensor(id_bias, {1, s.k, 1, 1}, layout, type);
    const Backend conv = tensor(id_conv, conv_dims, layout, CUDNN_DATA_FLOAT, true);
    const Backend biased = tensor(id_biased, conv_dims, layout, CUDNN_DATA_FLOAT, true);
    operations.push_back(convolution(s, x, w, conv));
    operations.push_back(pointwise(CUDNN_POINTWISE_ADD, conv, &bias, biased));
    operations.push_back(pointwise(CUDNN_POINTWISE_RELU_FWD, biased, nullptr, out));
    return operations;
}

Backend make_graph(cudnnHandle_t handle, const std::vector<Backend>& operations) {
    std::vector<cudnnBackendDescriptor_t> descriptors;
    for (const Backend& operation : operations) descriptors.push_back(operation.get());
    Backend graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle);
    graph.set_all(CUDNN_ATTR_OPERATIONGRAPH_OPS, descriptors);
    graph.finalize();
    return graph;
}

Engine describe(Backend config) {
    Backend engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t raw = engine.get();
    std::int64_t count = 0;
    CONVSCOPE_CUDNN(cudnnBackendGetAttribute(config.get(), CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                             1, &count, &raw));
    Engine found{std::move(config)};
    found.index = engine.values<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1).front();
    for (const auto note : engine.values<cudnnBackendNumericalNote_t>(
             CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, CUDNN_NUMERICAL_NOTE_TYPE_COUNT)) {
        found.tensor_cores |= note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
        found.narrowed |= note == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS ||
                          note == CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION;
        found.winograd |= note == CUDNN_NUMERICAL_NOTE_WINOGRAD;
        found.fft |= note == CUDNN_NUMERICAL_NOTE_FFT;
    }
    return found;
}

}  // namespace

ConvolutionGraph::ConvolutionGraph(cudnnHandle_t handle, const ConvShape& shape, DType dtype, Layout layout,
                                   GraphForm form)
    : shape_(shape), dtype_(dtype), graph_(make_graph(handle, operations_of(shape, dtype, layout, form))) {}

/// FP32 goes through no tensor core, and neither it nor TF32 is rounded further on the way. Winograd on filters above
/// 3x3 is beyond any bound that a result is held to (algorithm_chooser.cpp).
bool ConvolutionGraph::takes(const Engine& engine) const {
    if (engine.winograd && std::max(shape_.r, shape_.s) > 3) return false;
    if (dtype_ == DType::f16) return true;
    return !engine.narrowed && (dtype_ == DType::tf32 || !engine.tensor_cores);
}

std::vector<Engine> ConvolutionGraph::engines(cudnnBackendHeurMode_t mode) const {
    Backend heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph_);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
    std::vector<Engine> found;
    if (cudnnBackendFinalize(heuristics.get()) != CUDNN_STATUS_SUCCESS) return found;
    std::vector<Backend> configs;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::size_t i = 0; i < max_engines; ++i) {
        configs.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
        raw.push_back(configs.back().get());
    }
    std::int64_t count = 0;
    CONVSCOPE_CUDNN(cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                             CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<std::int64_t>(max_engines),
                                             &count, raw.data()));
    for (std::size_t i = 0; i < std::min(max_engines, static_cast<std::size_t>(count)); ++i)
        if (Engine engine = describe(std::move(configs[i])); takes(engine)) found.push_back(std::move(engine));
    return found;
}

GraphPlan::GraphPlan(cudnnHandle_t handle, const Engine& engine) : plan_(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
    plan_.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle);
    plan_.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, engine.config);
    plan_.finalize();
    workspace_bytes_ =
        plan_.values<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1).front();
}

void GraphPlan::enqueue(cudnnHandle_t handle, const GraphBuffers& buffers) const {
    std::vector<std::int64_t> ids{id_x, id_w, id_out};
    std::vector<void*> pointers{const_cast<void*>(buffers.x), const_cast<void*>(buffers.w), buffers.out};
    if (buffers.bias) {
        ids.push_back(id_bias);
        pointers.push_back(const_cast<void*>(buffers.bias));
    }
    Backend pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
    pack.set_pointers(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, pointers);
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, buffers.workspace);
    pack.finalize();
    CONVSCOPE_CUDNN(cudnnBackendExecute(handle, plan_.get(), pack.get()));
}

}  // namespace convscope::cudnn
