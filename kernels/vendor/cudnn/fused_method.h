// cuDNN's fused form as a registered method: convolution + bias + ReLU through its graph API, then max-pooling.
#pragma once

#include <utility>

#include "kernels/vendor/cudnn/graph_choices.h"

namespace convscope::cudnn {

class FusedMethod final : public PipelineMethod {
public:
    explicit FusedMethod(MethodInfo info) : info_(std::move(info)), choices_(info_.dtype, GraphForm::fused) {}

    const MethodInfo& info() const override { return info_; }
    std::int64_t workspace_bytes(const ConvShape&) const override { return -1; }
    std::unique_ptr<Pipeline> make_pipeline(Gpu&, cudnnHandle_t, const std::string& device,
                                            const ConvShape&) const override;

private:
    /// Shapes with pooling alone: without one there is no ReLU to fuse. Asks cuDNN, on the first GPU.
    Support can_run(const ConvShape&) const override;

    MethodInfo info_;
    GraphChoices choices_;
};

}  // namespace convscope::cudnn
