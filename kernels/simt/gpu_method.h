// The Method that all our GPU methods share: checks of shape and configuration, and the Execution.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/method/any_size.h"
#include "kernels/method/device.h"
#include "kernels/method/method.h"
#include "kernels/simt/gpu_program.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {

/// A family derives one class per method (host code, compiled once) and registers it for CUDA and for the simulated
/// GPU, each with the program that its dialect compiled.
class GpuMethod : public Method, public PlansAnySize {
public:
    GpuMethod(MethodInfo info, MakeGpuProgram make_program, MakeGpuProgram make_pool);

    const MethodInfo& info() const final { return info_; }
    ResolvedLaunch resolve(const ConvShape&, const LaunchConfig&, const DeviceModel&) const final;
    std::int64_t workspace_bytes(const ConvShape&) const final;
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const final;

    Support supports_any_size(const ConvShape&) const final;
    ResolvedLaunch resolve_any_size(const ConvShape&, const LaunchConfig&, const DeviceModel&) const final;
    /// For running chosen blocks.
    std::unique_ptr<Execution> instantiate_any_size(const ConvShape&, const LaunchConfig&, Device&) const;

    /// ReLU and max-pooling happen inside the method's own kernels.
    virtual bool fuses_pooling() const { return false; }
    /// prepare_weights() fills GpuBuffers::prepared_weights, which replaces w.
    virtual bool prepares_weights() const { return false; }
    /// Bytes of GpuBuffers::prepared_weights: as many as w's, or none, unless a method says otherwise. What they take
    /// beyond w's counts as workspace.
    virtual std::int64_t prepared_weight_bytes(const ConvShape&) const;
    virtual bool uses_gemm() const { return false; }
    /// Bytes of the method's own format in global memory: GpuBuffers::workspace.
    virtual std::int64_t format_bytes(const ConvShape&) const { return 0; }
    /// The choice that the method made for itself, as Execution::choice() reports it; empty where there is none.
    virtual std::string choice(const ConvShape&, const LaunchConfig&) const { return {}; }
    /// The convolution's output before a separate pooling stage; 0 when none follows.
    std::int64_t conv_bytes(const ConvShape&) const;

protected:
    /// Shapes that the method is not made for, on any device.
    virtual Support accepts(const ConvShape&) const { return {}; }
    /// The method's own kernels without the separate pooling. The configuration is known to name only what
    /// launch_space() offers, with positive sizes and allowed values; limits of the device are checked afterwards.
    virtual ResolvedLaunch plan(const ConvShape&, const LaunchConfig&, const DeviceModel&) const = 0;
    /// Steps of single threads that one run takes, roughly: what the simulated GPU's time is proportional to.
    virtual double thread_steps(const ConvShape&) const = 0;

private:
    Support can_run(const ConvShape&) const final;
    Support check_config(const ConvShape&, const LaunchConfig&) const;
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&, const ResolvedLaunch&) const;

    MethodInfo info_;
    MakeGpuProgram make_program_, make_pool_;
};

}  // namespace convscope
