// A layer with pooling by cuDNN's graph API: convolution, bias and ReLU in one kernel, then max-pooling.
#pragma once

#include "kernels/vendor/cudnn/fused_graph.h"
#include "kernels/vendor/cudnn/max_pooling.h"
#include "kernels/vendor/cudnn/pipeline.h"
#include "kernels/vendor/cudnn/staging.h"

namespace convscope::cudnn {

/// Which graph, and which of the engines that the heuristics list for it.
struct FusedChoice {
    Layout layout = Layout::nchw;
    std::size_t engine = 0;
};

class FusedPipeline final : public Pipeline {
public:
    /// The shape is pooled; 'engine' is one of this graph's. Throws Error(failed) where it rejects.
    FusedPipeline(cudnnHandle_t, const ConvShape&, DType, Layout, const Engine&);

    Layout layout() const override { return layout_; }
    std::int64_t conv_bytes() const override { return element_bytes(dtype_) * shape_.conv_elements(); }
    /// The engine's, and behind it the bias.
    std::int64_t workspace_bytes() const override { return bias_at() + element_bytes(dtype_) * shape_.k; }
    void prepare(Gpu&, const Buffers&) const override;
    void enqueue(cudnnHandle_t, const Buffers&, StageClock* stages) const override;
    std::string choice() const override { return choice_; }
    Summation summation() const override { return summation_; }

private:
    std::int64_t bias_at() const { return (plan_.workspace_bytes() + 255) / 256 * 256; }
    std::byte* bias(const Buffers& buffers) const { return static_cast<std::byte*>(buffers.workspace) + bias_at(); }

    ConvShape shape_;
    DType dtype_;
    Layout layout_;
    FusedPlan plan_;
    std::string choice_;
    Summation summation_;
    MaxPooling pooling_;
};

}  // namespace convscope::cudnn
