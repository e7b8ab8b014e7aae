// ReLU and max-pooling as calls of their own.
#pragma once

#include <cstdint>

#include "kernels/method/method.h"
#include "kernels/vendor/cudnn/descriptors.h"

namespace convscope::cudnn {

class MaxPooling {
public:
    /// The shape is pooled.
    MaxPooling(const ConvShape&, DType, Layout);
    /// Enqueues ReLU on 'conv' (n, k, p, q) in place.
    void rectify(cudnnHandle_t, void* conv) const;
    /// Enqueues max-pooling from 'conv' to y.
    void pool(cudnnHandle_t, const void* conv, void* y) const;

private:
    TensorDescriptor conv_, y_;
    ActivationDescriptor relu_;
    PoolingDescriptor pooling_;
};

// The library's own words, and sizes, which validate(ConvShape) keeps within 31 bits.
constexpr int narrow(std::int64_t value) {
    return static_cast<int>(value);
}
constexpr cudnnTensorFormat_t format_of(Layout layout) {
    return layout == Layout::nhwc ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
}
constexpr cudnnDataType_t type_of(DType dtype) {
    return dtype == DType::f16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
}

}  // namespace convscope::cudnn
