// A CUDA GPU as a device that methods run on.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/core/ceilings.h"
#include "kernels/cuda/cuda_gpu.h"
#include "kernels/cuda/gpu_clock.h"
#include "kernels/cuda/nvml.h"
#include "kernels/method/device.h"

namespace convscope {

class CudaDevice final : public Device, public CeilingMeter {
public:
    CudaDevice(int ordinal, DeviceInfo info);

    const DeviceInfo& info() const override { return info_; }
    std::int64_t free_memory_bytes() const override { return gpu_.memory().free; }
    std::unique_ptr<Sampler> make_sampler(Execution&, TimingScope, CacheMode) override;
    std::unique_ptr<StageTimer> make_stage_timer() override;
    ClockState clock() override;
    void wait_until_idle() override;
    Ceilings measure_ceilings() override;
    Gpu* gpu() override { return &gpu_; }
    std::unique_ptr<LayoutBuilder> make_layout_builder() override;
    void set_vendor(const std::string& version, const std::string& reason) override;

private:
    int ordinal_;
    DeviceInfo info_;
    mutable CudaGpu gpu_;  // asking for free memory may take the GPU into use
    GpuClock clock_;
    std::optional<Nvml> nvml_;  // opened when first asked
};

}  // namespace convscope
