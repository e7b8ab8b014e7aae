#include "kernels/simt/on_ptx/watched_execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/simt/on_sim/sim_device.h"
#include "kernels/simt/simulated_time.h"

namespace convscope::on_ptx {
namespace {

/// The stage of a run that has begun, for the launches that follow.
class StageNote final : public StageClock {
public:
    StageNote(PtxGpu& gpu, StageClock* outer) : gpu_(gpu), outer_(outer) {}
    void mark(const char* stage) override {
        gpu_.stage = stage;
        if (outer_) outer_->mark(stage);
    }

private:
    PtxGpu& gpu_;
    StageClock* const outer_;
};

void require_clean(const std::vector<PtxLaunch>& launches) {
    std::string first;
    std::size_t found = 0;
    for (const PtxLaunch& launch : launches) {
        if (first.empty() && !launch.findings.empty())
            first = fmt::format("{}: {}", launch.kernel, launch.findings.front());
        found += launch.findings.size();
    }
    if (found > 1) first += fmt::format("; and {} more findings", found - 1);
    if (found > 0) throw Error(ErrorKind::wrong, first);
}

simt::MemoryCost memory_cost(const ptx::Traffic& traffic) {
    return {.requests = traffic.requests,
            .bytes_wanted = traffic.bytes_wanted,
            .sectors = traffic.sectors,
            .lines = traffic.lines,
            .wavefronts = traffic.wavefronts,
            .bank_conflicts = traffic.bank_conflicts};
}

simt::LaunchCost launch_cost(const PtxLaunch& launch) {
    const ptx::LaunchCounts& counts = launch.counts;
    simt::LaunchCost cost;
    cost.launch = {launch.kernel, launch.stage, launch.grid, launch.block, launch.shared_bytes, 0};
    cost.global_loads = memory_cost(counts.global_loads);
    cost.global_stores = memory_cost(counts.global_stores);
    cost.global_atomics = memory_cost(counts.global_atomics);
    cost.shared_loads = memory_cost(counts.shared_loads);
    cost.shared_stores = memory_cost(counts.shared_stores);
    cost.shared_atomics = memory_cost(counts.shared_atomics);
    cost.multiply_adds = counts.multiply_adds;
    cost.multiply_instructions = counts.by_kind[static_cast<std::size_t>(ptx::Kind::multiply_add)];
    cost.barriers = counts.barrier_threads / launch.block.count();
    return cost;
}

}  // namespace

WatchedExecution::WatchedExecution(const Method& method, const ConvShape& shape, const LaunchConfig& config) {
    auto gpu = std::make_unique<PtxGpu>();
    gpu_ = gpu.get();
    gpu_->lines = true;
    // A machine with other work takes longer than was estimated.
    constexpr double busy = 10;
    gpu_->max_seconds = busy * simt::max_simulated_seconds;
    device_ = make_sim_device(std::move(gpu), "cuda:0", DeviceKind::cuda);
    execution_ = method.instantiate(shape, config, *device_);
}

void WatchedExecution::prepare_weights() {
    gpu_->launches.clear();
    gpu_->stage = "weights";
    execution_->prepare_weights();
    require_clean(gpu_->launches);
    weights_ = std::exchange(gpu_->launches, {});
}

void WatchedExecution::run(StageClock* stages) {
    gpu_->launches.clear();
    StageNote note(*gpu_, stages);
    execution_->run(&note);
    require_clean(gpu_->launches);
}

RunCost WatchedExecution::cost() const {
    RunCost sum;
    for (const PtxLaunch& launch : gpu_->launches) {
        const RunCost cost = ptx::run_cost_of(launch.counts);
        sum.multiplications += cost.multiplications;
        sum.instructions += cost.instructions;
        sum.requests += cost.requests;
        sum.sectors += cost.sectors;
        sum.bank_conflicts += cost.bank_conflicts;
        sum.on_tensor_cores |= cost.on_tensor_cores;
    }
    return sum;
}

std::vector<simt::LaunchCost> WatchedExecution::launch_costs() const {
    std::vector<simt::LaunchCost> costs;
    std::ranges::transform(weights_, std::back_inserter(costs), launch_cost);
    std::ranges::transform(gpu_->launches, std::back_inserter(costs), launch_cost);
    return costs;
}

}  // namespace convscope::on_ptx
