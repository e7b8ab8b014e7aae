// cuDNN's fused form as a registered method: convolution + bias + ReLU through its graph API, then max-pooling.
#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "kernels/vendor/cudnn/fused_pipeline.h"

namespace convscope::cudnn {

class FusedMethod final : public PipelineMethod {
public:
    explicit FusedMethod(MethodInfo info) : info_(std::move(info)) {}

    const MethodInfo& info() const override { return info_; }
    /// Shapes with pooling alone: without one there is no ReLU to fuse. Asks cuDNN, on the first GPU, and keeps the
    /// answer. May be called on any thread.
    std::int64_t workspace_bytes(const ConvShape&) const override { return -1; }
    std::unique_ptr<Pipeline> make_pipeline(Gpu&, cudnnHandle_t, const std::string& device,
                                            const ConvShape&) const override;

private:
    Support can_run(const ConvShape&) const override;
    FusedChoice choose(Gpu&, cudnnHandle_t, const std::string& device, const ConvShape&) const;

    MethodInfo info_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, Support> answers_;
    mutable std::map<std::pair<std::string, std::string>, FusedChoice> chosen_;
};

}  // namespace convscope::cudnn
