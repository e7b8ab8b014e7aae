// A layer by one of cuDNN's forward algorithms, ReLU and pooling as calls of their own.
#pragma once

#include <optional>

#include "kernels/vendor/cudnn/algorithm.h"
#include "kernels/vendor/cudnn/max_pooling.h"
#include "kernels/vendor/cudnn/pipeline.h"
#include "kernels/vendor/cudnn/staging.h"

namespace convscope::cudnn {

class AlgorithmPipeline final : public Pipeline {
public:
    AlgorithmPipeline(const ConvShape&, DType, const Choice&);

    /// Returns cuDNN's status for this choice; the workspace that the algorithm needs is known afterwards.
    cudnnStatus_t query(cudnnHandle_t);

    Layout layout() const override { return choice_.layout; }
    std::int64_t conv_bytes() const override {
        return shape_.pooled() ? element_bytes(dtype_) * shape_.conv_elements() : 0;
    }
    std::int64_t workspace_bytes() const override { return workspace_bytes_; }
    void enqueue(cudnnHandle_t, const Buffers&, StageClock* stages) const override;
    std::string choice() const override { return to_string(choice_); }
    Summation summation() const override { return choice_.algorithm->summation; }

private:
    ConvShape shape_;
    DType dtype_;
    Choice choice_;
    std::int64_t workspace_bytes_ = 0;
    TensorDescriptor x_, conv_;
    FilterDescriptor w_;
    ConvolutionDescriptor convolution_;
    std::optional<MaxPooling> pooling_;
};

}  // namespace convscope::cudnn
