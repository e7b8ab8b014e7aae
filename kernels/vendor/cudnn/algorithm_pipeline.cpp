#include "kernels/vendor/cudnn/algorithm_pipeline.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "kernels/cuda/scale_factors.h"

namespace convscope::cudnn {
namespace {

cudnnMathType_t math_of(DType dtype) {
    switch (dtype) {
        case DType::f32:
            return CUDNN_FMA_MATH;  // plain FP32 multiply-adds, never TF32
        case DType::tf32:
            return CUDNN_DEFAULT_MATH;  // lets FP32 data go through the tensor cores as TF32
        case DType::f16:
            break;
    }
    return CUDNN_TENSOR_OP_MATH;
}

}  // namespace

std::string to_string(const Choice& choice) {
    return fmt::format("{}, {}", choice.algorithm->name, choice.layout == Layout::nhwc ? "NHWC" : "NCHW");
}

AlgorithmPipeline::AlgorithmPipeline(const ConvShape& shape, DType dtype, const Choice& choice)
    : shape_(shape), dtype_(dtype), choice_(choice) {
    const auto format = format_of(choice.layout);
    const auto type = type_of(dtype);
    CONVSCOPE_CUDNN(cudnnSetTensor4dDescriptor(x_.get(), format, type, narrow(shape.n), narrow(shape.c),
                                               narrow(shape.h), narrow(shape.w)));
    CONVSCOPE_CUDNN(cudnnSetFilter4dDescriptor(w_.get(), type, format, narrow(shape.k), narrow(shape.group_channels()),
                                               narrow(shape.r), narrow(shape.s)));
    CONVSCOPE_CUDNN(cudnnSetTensor4dDescriptor(conv_.get(), format, type, narrow(shape.n), narrow(shape.k),
                                               narrow(shape.p()), narrow(shape.q())));
    CONVSCOPE_CUDNN(cudnnSetConvolution2dDescriptor(
        convolution_.get(), narrow(shape.pad_h), narrow(shape.pad_w), narrow(shape.stride_h), narrow(shape.stride_w),
        narrow(shape.dilation_h), narrow(shape.dilation_w), CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CONVSCOPE_CUDNN(cudnnSetConvolutionGroupCount(convolution_.get(), narrow(shape.groups)));
    CONVSCOPE_CUDNN(cudnnSetConvolutionMathType(convolution_.get(), math_of(dtype)));
    if (shape.pooled()) pooling_.emplace(shape, dtype, choice.layout);
}

cudnnStatus_t AlgorithmPipeline::query(cudnnHandle_t handle) {
    std::size_t bytes = 0;
    const cudnnStatus_t status = cudnnGetConvolutionForwardWorkspaceSize(handle, x_.get(), w_.get(), convolution_.get(),
                                                                         conv_.get(), choice_.algorithm->id, &bytes);
    if (status != CUDNN_STATUS_SUCCESS) cudaGetLastError();
    workspace_bytes_ = static_cast<std::int64_t>(bytes);
    return status;
}

void AlgorithmPipeline::enqueue(cudnnHandle_t handle, const Buffers& buffers, StageClock* stages) const {
    void* conv = pooling_ ? buffers.conv : buffers.y;
    if (stages) stages->mark("multiply");
    CONVSCOPE_CUDNN(cudnnConvolutionForward(handle, &one, x_.get(), buffers.x, w_.get(), buffers.w, convolution_.get(),
                                            choice_.algorithm->id, buffers.workspace,
                                            static_cast<std::size_t>(workspace_bytes_), &zero, conv_.get(), conv));
    if (!pooling_) return;
    if (stages) stages->mark("pool");
    pooling_->rectify(handle, conv);
    pooling_->pool(handle, conv, buffers.y);
}

}  // namespace convscope::cudnn
