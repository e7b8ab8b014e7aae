// The Execution of a user's own kernel on the simulated GPU: every access is checked, and the cost of a run is counted.
#pragma once

#include <stop_token>
#include <vector>

#include "kernels/core/run_cost.h"
#include "kernels/method/method.h"
#include "kernels/ptx/run/program.h"
#include "kernels/user_kernel/user_launch.h"

namespace convscope {

/// Every run begins with the launch's array contents; y counts as not yet written.
class UserSimulation final : public Execution, public CountedExecution {
public:
    /// 'y' has the sizes of the layer's output.
    UserSimulation(UserLaunch launch, Tensor y) : launch_(std::move(launch)), y_(std::move(y)) {}

    void setup() override;
    void allocate() override {}
    void stage_inputs(const Workload& workload) override { take_inputs(launch_, workload); }
    void upload() override {}
    void poison_output() override {}
    /// Throws Error(wrong), with the first finding, where a check found something; Error(failed) where the kernel did
    /// not end.
    void run(StageClock* stages) override;
    void download() override {}
    Tensor output() const override { return y_; }
    void release() override {}
    std::int64_t workspace_bytes() const override { return convscope::workspace_bytes(launch_); }
    /// Empty where there is no ptxas: without the registers there is no occupancy.
    std::vector<KernelLaunch> launches() const override;
    RunCost cost() const override { return cost_; }
    void set_stop(std::stop_token stop) override { stop_ = std::move(stop); }

private:
    UserLaunch launch_;
    Tensor y_;
    std::stop_token stop_;
    ptx::Module module_;
    ptx::Program program_;  ///< points into the module
    int registers_ = 0;     ///< per thread, as ptxas has them; 0: there is no ptxas
    RunCost cost_;
};

}  // namespace convscope
