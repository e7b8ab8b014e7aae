#include "kernels/vendor/cudnn/pipeline.h"

#include <fmt/format.h>

#include "kernels/core/error.h"
#include "kernels/cuda/check.h"

namespace convscope::cudnn {
namespace {

/// Sizes are within 31 bits: validate(ConvShape) has seen to it.
int narrow(std::int64_t value) {
    return static_cast<int>(value);
}

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

constexpr float one = 1.0F, zero = 0.0F;

}  // namespace

void check(cudnnStatus_t status, const char* call, const char* file, int line) {
    if (status == CUDNN_STATUS_SUCCESS) return;
    cudaGetLastError();  // else the next, unrelated call would report this error again
    const std::string sentence = failed_call(call, file, line, cudnnGetErrorString(status));
    if (status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED) throw OutOfMemory(sentence);
    throw Error(ErrorKind::failed, sentence);
}

std::string to_string(const Choice& choice) {
    return fmt::format("{}, {}", choice.algorithm->name, choice.layout == Layout::nhwc ? "NHWC" : "NCHW");
}

Pipeline::Pipeline(const ConvShape& shape, DType dtype, const Choice& choice)
    : shape_(shape), dtype_(dtype), choice_(choice) {
    const auto format = choice.layout == Layout::nhwc ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
    const auto type = dtype == DType::f16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
    CONVSCOPE_CUDNN(cudnnSetTensor4dDescriptor(x_.get(), format, type, narrow(shape.n), narrow(shape.c),
                                               narrow(shape.h), narrow(shape.w)));
    CONVSCOPE_CUDNN(cudnnSetFilter4dDescriptor(w_.get(), type, format, narrow(shape.k), narrow(shape.c),
                                               narrow(shape.r), narrow(shape.s)));
    CONVSCOPE_CUDNN(cudnnSetTensor4dDescriptor(conv_.get(), format, type, narrow(shape.n), narrow(shape.k),
                                               narrow(shape.p()), narrow(shape.q())));
    CONVSCOPE_CUDNN(cudnnSetConvolution2dDescriptor(convolution_.get(), narrow(shape.pad_h), narrow(shape.pad_w),
                                                    narrow(shape.stride_h), narrow(shape.stride_w), 1, 1,
                                                    CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CONVSCOPE_CUDNN(cudnnSetConvolutionMathType(convolution_.get(), math_of(dtype)));
    if (shape.pooled()) describe_pooling(format, type);
}

void Pipeline::describe_pooling(cudnnTensorFormat_t format, cudnnDataType_t type) {
    CONVSCOPE_CUDNN(cudnnSetTensor4dDescriptor(y_.get(), format, type, narrow(shape_.n), narrow(shape_.k),
                                               narrow(shape_.out_h()), narrow(shape_.out_w())));
    // A NaN in the data must reach the result, as it does through the judge.
    CONVSCOPE_CUDNN(cudnnSetActivationDescriptor(relu_.get(), CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
    CONVSCOPE_CUDNN(cudnnSetPooling2dDescriptor(pooling_.get(), CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN,
                                                narrow(shape_.pool_h), narrow(shape_.pool_w), 0, 0,
                                                narrow(shape_.pool_stride), narrow(shape_.pool_stride)));
}

cudnnStatus_t Pipeline::query(cudnnHandle_t handle, std::int64_t& workspace_bytes) const {
    std::size_t bytes = 0;
    const cudnnStatus_t status = cudnnGetConvolutionForwardWorkspaceSize(handle, x_.get(), w_.get(), convolution_.get(),
                                                                         conv_.get(), choice_.algorithm->id, &bytes);
    if (status != CUDNN_STATUS_SUCCESS) cudaGetLastError();
    workspace_bytes = static_cast<std::int64_t>(bytes);
    return status;
}

void Pipeline::enqueue(cudnnHandle_t handle, const Buffers& buffers, StageClock* stages) const {
    void* conv = shape_.pooled() ? buffers.conv : buffers.y;
    if (stages) stages->mark("multiply");
    CONVSCOPE_CUDNN(cudnnConvolutionForward(handle, &one, x_.get(), buffers.x, w_.get(), buffers.w, convolution_.get(),
                                            choice_.algorithm->id, buffers.workspace,
                                            static_cast<std::size_t>(workspace_bytes_), &zero, conv_.get(), conv));
    if (!shape_.pooled()) return;
    if (stages) stages->mark("pool");
    CONVSCOPE_CUDNN(cudnnActivationForward(handle, relu_.get(), &one, conv_.get(), conv, &zero, conv_.get(), conv));
    CONVSCOPE_CUDNN(cudnnPoolingForward(handle, pooling_.get(), &one, conv_.get(), conv, &zero, y_.get(), buffers.y));
}

}  // namespace convscope::cudnn
