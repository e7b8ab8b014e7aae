// A method on a PtxGpu of its own: what is found ends its run, and what its launches cost is counted.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "kernels/method/device.h"
#include "kernels/registry/compiled_methods.h"
#include "kernels/simt/on_ptx/ptx_gpu.h"

namespace convscope::on_ptx {

class WatchedExecution final : public CompiledExecution {
public:
    /// The method is one of on_cuda::register_gpu_methods(), and outlives *this. Throws what its instantiate() does.
    WatchedExecution(const Method&, const ConvShape&, const LaunchConfig&);

    void setup() override { execution_->setup(); }
    void allocate() override { execution_->allocate(); }
    void stage_inputs(const Workload& workload) override { execution_->stage_inputs(workload); }
    void upload() override { execution_->upload(); }
    void prepare_weights() override;
    void poison_output() override { execution_->poison_output(); }
    void run(StageClock* stages) override;
    void download() override { execution_->download(); }
    Tensor output() const override { return execution_->output(); }
    void release() override { execution_->release(); }
    void teardown() override { execution_->teardown(); }
    std::int64_t workspace_bytes() const override { return execution_->workspace_bytes(); }
    std::int64_t library_workspace_bytes() const override { return execution_->library_workspace_bytes(); }
    std::vector<KernelLaunch> launches() const override { return execution_->launches(); }
    std::string choice() const override { return execution_->choice(); }
    std::optional<Summation> chosen_summation() const override { return execution_->chosen_summation(); }
    RunCost cost() const override;
    void set_stop(std::stop_token stop) override { gpu_->stop = std::move(stop); }
    std::vector<simt::LaunchCost> launch_costs() const override;

private:
    PtxGpu* gpu_;  ///< the device's
    std::unique_ptr<Device> device_;
    std::unique_ptr<Execution> execution_;
    std::vector<PtxLaunch> weights_;  ///< launches of prepare_weights()
};

}  // namespace convscope::on_ptx
