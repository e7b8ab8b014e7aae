// Another method's execution as one that takes and returns NCHW: where it works in NHWC, both are converted in run().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/core/resident_maps.h"
#include "kernels/ocpa/map_launchers.h"
#include "kernels/simt/gpu_execution.h"

namespace convscope {

/// The conversions are a stage of run(), "convert", and so inside the clock; none where maps are 1x1, or the method
/// works in NCHW.
class NchwExecution final : public Execution {
public:
    /// Throws Error(usage) where 'inner' does not say where its maps are. The Gpu outlives *this.
    NchwExecution(std::unique_ptr<Execution> inner, const ConvShape&, Gpu&, const MapLaunchers&);

    void setup() override { inner_->setup(); }
    void allocate() override;
    void stage_inputs(const Workload&) override;
    /// Uploads x and w as 'inner' does; its x is then NaN until run() converts the one in NCHW.
    void upload() override;
    void prepare_weights() override { inner_->prepare_weights(); }
    void poison_output() override;
    void run(StageClock*) override;
    void synchronize() override { inner_->synchronize(); }
    void download() override;
    Tensor output() const override { return converts() ? staged_y_ : inner_->output(); }
    void release() override;
    void teardown() override { inner_->teardown(); }
    std::int64_t workspace_bytes() const override;
    std::int64_t library_workspace_bytes() const override { return inner_->library_workspace_bytes(); }
    std::vector<KernelLaunch> launches() const override;
    std::string choice() const override { return inner_->choice(); }
    std::optional<Summation> chosen_summation() const override { return inner_->chosen_summation(); }

private:
    bool converts() const;
    TurnedMaps input() const { return {shape_.n, shape_.c, shape_.h * shape_.w}; }                    ///< as NCHW
    TurnedMaps output_maps() const { return {shape_.n, shape_.out_h() * shape_.out_w(), shape_.k}; }  ///< as NHWC

    const std::unique_ptr<Execution> inner_;
    ResidentMaps* const maps_;  ///< the same
    const ConvShape shape_;
    Gpu& gpu_;
    const MapLaunchers launchers_;
    GpuMemory x_, y_;
    Tensor staged_x_, staged_y_;
};

}  // namespace convscope
