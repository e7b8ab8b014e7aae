// One layer as cuDNN computes it: convolution, then ReLU and max-pooling where the shape has a pooling layer.
#pragma once

#include <cstdint>

#include "kernels/vendor/cudnn/algorithm.h"
#include "kernels/vendor/cudnn/descriptors.h"

namespace convscope::cudnn {

/// Device memory of one run, in the pipeline's layout and type.
struct Buffers {
    const void* x = nullptr;
    const void* w = nullptr;
    void* y = nullptr;
    void* conv = nullptr;  ///< the convolution's output when pooling follows; else unused
    void* workspace = nullptr;
};

class Pipeline {
public:
    Pipeline(const ConvShape&, DType, const Choice&);

    /// What cuDNN says of this choice, and the workspace that the algorithm needs, in bytes.
    cudnnStatus_t query(cudnnHandle_t, std::int64_t& workspace_bytes) const;
    void set_workspace(std::int64_t bytes) { workspace_bytes_ = bytes; }
    /// Bytes of the convolution's output where it is not y itself.
    std::int64_t conv_bytes() const { return shape_.pooled() ? element_bytes() * shape_.conv_elements() : 0; }
    std::int64_t workspace_bytes() const { return workspace_bytes_; }
    std::int64_t element_bytes() const { return dtype_ == DType::f16 ? 2 : 4; }
    const Choice& choice() const { return choice_; }

    /// Enqueues on the handle's stream.
    void enqueue(cudnnHandle_t, const Buffers&, StageClock* stages) const;

private:
    void describe_pooling(cudnnTensorFormat_t, cudnnDataType_t);

    ConvShape shape_;
    DType dtype_;
    Choice choice_;
    std::int64_t workspace_bytes_ = 0;
    TensorDescriptor x_, conv_, y_;
    FilterDescriptor w_;
    ConvolutionDescriptor convolution_;
    ActivationDescriptor relu_;
    PoolingDescriptor pooling_;
};

}  // namespace convscope::cudnn
