// Another method's execution as one that takes and returns a given layout: where it works in the other one of NCHW and
// NHWC, both are converted in run().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/layers/resident_maps.h"
#include "kernels/ocpa/map_launchers.h"
#include "kernels/simt/gpu_execution.h"

namespace convscope {

/// The conversions are a stage of run(), "convert", and so inside the clock; none where the method works in this
/// layout, or maps are 1x1.
class ConvertingExecution final : public Execution {
public:
    /// 'layout' is that of x and y outside: NCHW or NHWC. Throws Error(usage) where 'inner' does not say where its maps
    /// are. The Gpu outlives *this.
    ConvertingExecution(std::unique_ptr<Execution> inner, const ConvShape&, Layout layout, Gpu&, const MapLaunchers&);

    void setup() override { inner_->setup(); }
    void allocate() override;
    void stage_inputs(const Workload&) override;
    /// Uploads x and w as 'inner' does; where it converts, the inner x is then NaN until run().
    void upload() override;
    void prepare_weights() override { inner_->prepare_weights(); }
    void poison_output() override;
    void run(StageClock*) override;
    void synchronize() override { inner_->synchronize(); }
    void download() override;
    Tensor output() const override { return converts() ? to_layout(staged_y_, Layout::nchw) : inner_->output(); }
    void release() override;
    void teardown() override { inner_->teardown(); }
    std::int64_t workspace_bytes() const override;
    std::int64_t library_workspace_bytes() const override { return inner_->library_workspace_bytes(); }
    std::vector<KernelLaunch> launches() const override;
    std::optional<Summation> chosen_summation() const override { return inner_->chosen_summation(); }

private:
    bool converts() const;
    /// How the maps lie before they are turned: x outside, y inside.
    TurnedMaps turned(Layout layout, std::int64_t channels, std::int64_t places) const {
        return layout == Layout::nchw ? TurnedMaps{shape_.n, channels, places} : TurnedMaps{shape_.n, places, channels};
    }
    TurnedMaps turned_x() const { return turned(layout_, shape_.c, shape_.h * shape_.w); }
    TurnedMaps turned_y() const { return turned(maps_->map_layout(), shape_.k, shape_.out_h() * shape_.out_w()); }

    const std::unique_ptr<Execution> inner_;
    ResidentMaps* const maps_;  ///< the same
    const ConvShape shape_;
    const Layout layout_;
    Gpu& gpu_;
    const MapLaunchers launchers_;
    GpuMemory x_, y_;
    Tensor staged_x_, staged_y_;
};

}  // namespace convscope
