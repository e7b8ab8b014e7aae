// The Execution of a user's own kernel on a GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/method/gpu.h"
#include "kernels/method/method.h"
#include "kernels/simt/gpu_execution.h"
#include "kernels/user_kernel/user_launch.h"

namespace convscope {

/// The launch knows nothing of a layer but its arguments' roles, so this also runs kernels that are not a convolution:
/// these have no output(). The Gpu outlives it.
class UserExecution final : public Execution {
public:
    /// 'y' has the sizes of the layer's output, and no elements where there is no layer.
    UserExecution(UserLaunch launch, Tensor y, Gpu& gpu);

    void setup() override;
    void allocate() override;
    void stage_inputs(const Workload& workload) override { take_inputs(launch_, workload); }
    /// Uploads the kernel's inputs: all arguments but y.
    void upload() override;
    /// Restores every array and variable to its initial contents: y is NaN, unless it was given.
    void poison_output() override;
    void run(StageClock* stages) override;
    void synchronize() override { gpu_.synchronize(); }
    void download() override;
    Tensor output() const override { return y_; }
    void release() override;
    void teardown() override { kernel_.reset(); }
    std::int64_t workspace_bytes() const override { return convscope::workspace_bytes(launch_); }
    std::vector<KernelLaunch> launches() const override;

    /// The device's contents of each argument, empty for values; then of each variable.
    std::vector<std::string> download_arrays() const;
    const LoadedKernel& kernel() const { return *kernel_; }

private:
    void upload(std::size_t argument);

    UserLaunch launch_;
    Tensor y_;
    Gpu& gpu_;
    std::unique_ptr<LoadedKernel> kernel_;
    std::vector<GpuMemory> memory_;  ///< one per argument; none for values
    std::vector<void*> addresses_, parameters_;
};

/// The launch as the planner takes it: without the registers, which only the compiled kernel has.
KernelLaunch kernel_launch(const UserLaunch&);

}  // namespace convscope
