// A layer by cuDNN's graph API: the convolution, with bias and ReLU in one kernel in the fused form, then what pooling
// layers still need as calls of their own.
#pragma once

#include <optional>

#include "kernels/vendor/cudnn/convolution_graph.h"
#include "kernels/vendor/cudnn/max_pooling.h"
#include "kernels/vendor/cudnn/pipeline.h"
#include "kernels/vendor/cudnn/staging.h"

namespace convscope::cudnn {

class GraphPipeline final : public Pipeline {
public:
    /// 'engine' is one of this graph's; the fused form is of pooled shapes alone. Throws Error(failed) where the engine
    /// rejects.
    GraphPipeline(cudnnHandle_t, const ConvShape&, DType, Layout, GraphForm, const Engine&);

    Layout layout() const override { return layout_; }
    std::int64_t conv_bytes() const override { return pooling_ ? element_bytes(dtype_) * shape_.conv_elements() : 0; }
    /// The engine's, and behind it the bias.
    std::int64_t workspace_bytes() const override {
        return fused() ? bias_at() + bias_bytes() : plan_.workspace_bytes();
    }
    void prepare(Gpu&, const Buffers&) const override;
    void enqueue(cudnnHandle_t, const Buffers&, StageClock* stages) const override;
    std::string choice() const override { return choice_; }
    Summation summation() const override { return summation_; }

private:
    bool fused() const { return form_ == GraphForm::fused; }
    std::int64_t bias_at() const { return (plan_.workspace_bytes() + 255) / 256 * 256; }
    std::int64_t bias_bytes() const { return element_bytes(dtype_) * shape_.k; }
    std::byte* bias(const Buffers& buffers) const { return static_cast<std::byte*>(buffers.workspace) + bias_at(); }

    ConvShape shape_;
    DType dtype_;
    Layout layout_;
    GraphForm form_;
    GraphPlan plan_;
    std::string choice_;
    Summation summation_;
    std::optional<MaxPooling> pooling_;
};

}  // namespace convscope::cudnn
