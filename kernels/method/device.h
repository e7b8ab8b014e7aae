// A device that methods run on: the CPU, a CUDA GPU, or the simulated GPU.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/layers/layout_builder.h"
#include "kernels/method/gpu.h"
#include "kernels/method/method.h"

namespace convscope {

struct DeviceInfo {
    std::string id;  ///< "cpu", "cuda:0", "sim"
    DeviceKind kind = DeviceKind::cpu;
    std::string name;                                          ///< "NVIDIA H100 80GB HBM3"
    std::string compute_capability;                            ///< "9.0"; empty on the CPU
    std::string driver_version, cuda_version, vendor_version;  ///< as the CSV prints them; empty where none
    bool available = false;
    std::string reason;         ///< one sentence when not available
    std::string vendor_reason;  ///< one sentence when the device is available but its vendor's baselines are not
    DeviceModel model;          ///< limits and rates; for the CPU only name, l2_bytes (last-level cache), memory_bytes
                                ///< and an upper bound of fp32_tflops
};

/// The state that the device reports while it runs.
struct ClockState {
    std::optional<double> sm_mhz;
    std::optional<bool> throttled;
};

/// Outlives every Execution and Sampler made with it. One thread uses it at a time.
class Device {
public:
    virtual ~Device() = default;
    virtual const DeviceInfo& info() const = 0;
    virtual std::int64_t free_memory_bytes() const = 0;
    /// A sampler for an execution that is allocated, uploaded and verified. 'execution' outlives it.
    virtual std::unique_ptr<Sampler> make_sampler(Execution& execution, TimingScope, CacheMode) = 0;
    /// A stage clock for one run: give it to run(), stop() it when run() has returned, synchronize the execution,
    /// then times_us() gives microseconds per mark.
    class StageTimer : public StageClock {
    public:
        /// Ends the last stage. Without this call, times_us() ends it.
        virtual void stop() {}
        virtual std::vector<std::pair<std::string, double>> times_us() = 0;
        /// Whether the run took longer because threads had to wait for a core, as far as that is known.
        virtual bool lengthened() const { return false; }
    };
    virtual std::unique_ptr<StageTimer> make_stage_timer() = 0;
    virtual ClockState clock() { return {}; }
    /// Waits for all work on the device, also on streams of others. Throws Error(failed).
    virtual void wait_until_idle() {}
    /// The Gpu on which the single-source kernels are launched; null where methods need no GPU.
    virtual Gpu* gpu() { return nullptr; }
    /// The baselines' module sets the library's version, or why there are no baselines. Shown in info().
    virtual void set_vendor(const std::string& /*version*/, const std::string& /*reason*/) {}
    /// Builds layouts in this device's memory with the methods' own kernels; null where the host builds them. The
    /// builder may be used on another thread than the device.
    virtual std::unique_ptr<LayoutBuilder> make_layout_builder() { return nullptr; }
};

}  // namespace convscope
