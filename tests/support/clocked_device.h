// A device whose clock follows a script, for what measures before it computes.
#pragma once

#include <functional>
#include <utility>

#include "kernels/method/device.h"

namespace convscope::testing {

class ClockedDevice final : public Device {
public:
    /// The time in microseconds of a sample. Samplers are counted in the order in which they are made, and the samples
    /// of each, both from 0. It may throw. 'device' outlives *this.
    using Script = std::function<double(std::size_t sampler, std::size_t sample)>;
    ClockedDevice(Device& device, Script script) : device_(device), script_(std::move(script)) {}

    const DeviceInfo& info() const override { return device_.info(); }
    std::int64_t free_memory_bytes() const override { return device_.free_memory_bytes(); }
    std::unique_ptr<Sampler> make_sampler(Execution&, TimingScope, CacheMode) override {
        return std::make_unique<Scripted>(script_, samplers++);
    }
    std::unique_ptr<StageTimer> make_stage_timer() override { return device_.make_stage_timer(); }
    Gpu* gpu() override { return device_.gpu(); }

    std::size_t samplers = 0;  ///< that were made

private:
    class Scripted final : public Sampler {
    public:
        Scripted(const Script& script, std::size_t sampler) : script_(script), sampler_(sampler) {}
        double sample_us() override { return script_(sampler_, sample_++); }
        double single_run_us(const std::function<void()>&) override { return sample_us(); }

    private:
        const Script& script_;
        std::size_t sampler_, sample_ = 0;
    };

    Device& device_;
    const Script script_;
};

}  // namespace convscope::testing
