// convscope kernel --device cuda:0: the kernel on a real GPU, timed, and with cuDNN where it computes a layer.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/request/flags.h"
#include "app/user_kernel/gpu_run.h"

namespace convscope::cli {

class GpuTiming {
public:
    /// Throws Error(not_found) for a device that is no CUDA GPU, or cannot be used; Error(usage) for its flags.
    explicit GpuTiming(const FlagValues&);

    std::string architecture() const { return app::architecture_of(device_->info()); }
    /// Runs the kernel once, and prints what it printed and how it was launched. Throws Error as app::run_on_gpu.
    void run(app::PreparedKernel&, const app::KernelCall&, const std::stop_token&);
    /// Runs another kernel once and says nothing.
    void run_once(app::PreparedKernel& other, const app::KernelCall& call, const std::stop_token& stop) const {
        app::run_on_gpu(other, app::user_launch(other, call), device_->info().id, options_, false, stop);
    }
    /// Prints and writes the time of the kernel that was run. Returns the exit status.
    int measure(const app::PreparedKernel&, const std::stop_token&) const;
    /// The variants of a kernel that computes this layer, and cuDNN. The exit status.
    int measure_layer(const WorkloadSpec&, std::vector<UserLaunch> variants, const std::stop_token&) const;

private:
    const FlagValues& flags_;
    std::unique_ptr<Registry> registry_;
    Device* device_;
    MeasureOptions options_;
    UserLaunch launch_;
    UserRunResult result_;
};

}  // namespace convscope::cli
