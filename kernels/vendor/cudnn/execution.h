// The Execution of every cuDNN method.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/layers/resident_maps.h"
#include "kernels/method/device.h"
#include "kernels/vendor/cudnn/pipeline.h"

namespace convscope::cudnn {

/// Its maps are FP32 in FP32 and TF32, not in FP16.
class CudnnExecution final : public Execution, public ResidentMaps {
public:
    /// The method and the device outlive *this.
    CudnnExecution(const PipelineMethod&, const ConvShape&, Device&);
    ~CudnnExecution() override { release(); }

    void setup() override;
    void allocate() override;
    void stage_inputs(const Workload&) override;
    void upload() override;
    void poison_output() override;
    void run(StageClock* stages) override;
    void synchronize() override { gpu_.synchronize(); }
    void download() override;
    Tensor output() const override;
    void release() override;
    void teardown() override;
    std::int64_t workspace_bytes() const override { return pipeline_ ? pipeline_->conv_bytes() : 0; }
    std::int64_t library_workspace_bytes() const override { return pipeline_ ? pipeline_->workspace_bytes() : 0; }
    std::string choice() const override { return pipeline_ ? pipeline_->choice() : std::string(); }
    std::optional<Summation> chosen_summation() const override {
        return pipeline_ ? std::optional(pipeline_->summation()) : std::nullopt;
    }

    Layout map_layout() const override { return pipeline_->layout(); }
    float* device_x() override { return static_cast<float*>(x_); }
    float* device_y() override { return static_cast<float*>(y_); }

private:
    const PipelineMethod& method_;
    ConvShape shape_;
    std::string device_;
    Gpu& gpu_;
    std::optional<Handle> handle_;
    std::unique_ptr<Pipeline> pipeline_;
    std::vector<std::byte> staged_x_, staged_w_, staged_y_;
    void *x_ = nullptr, *w_ = nullptr, *y_ = nullptr, *conv_ = nullptr, *workspace_ = nullptr;
};

}  // namespace convscope::cudnn
