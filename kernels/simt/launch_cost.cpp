#include "kernels/simt/launch_cost.h"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"

namespace convscope::simt {

void LaunchCost::add(const BlockCost& block) {
    for (const Request& request : block.requests) {
        const bool shared = request.space == Space::shared;
        switch (request.kind) {
            case EventKind::load:
                (shared ? shared_loads : global_loads).add(request);
                break;
            case EventKind::store:
                (shared ? shared_stores : global_stores).add(request);
                break;
            default:
                (shared ? shared_atomics : global_atomics).add(request);
        }
    }
    for (const WarpCost& warp : block.warps) multiply_instructions += warp.multiply_steps;
    multiply_adds += block.multiplications;
    barriers += block.barriers;
}

bool LaunchCounter::begin_block(const KernelLaunch& launch, const Dim3& block) {
    close_block();
    // The watched executor runs the blocks of a launch in the order of their index.
    if (block == Dim3{0, 0, 0}) launches_.emplace_back().launch = launch;
    start(launch, block);
    open_ = true;
    return true;
}

const std::vector<LaunchCost>& LaunchCounter::launches() {
    close_block();
    return launches_;
}

void LaunchCounter::close_block() {
    if (!std::exchange(open_, false)) return;
    launches_.back().add(cost_of(*trace()));
    events_ += trace()->events.size();
    if (events_ > max_events_in_all_)
        throw Error(ErrorKind::usage, fmt::format("its run takes more than {} steps, too many to count: make the "
                                                  "workload smaller",
                                                  format_count(static_cast<std::int64_t>(max_events_in_all_))));
}

}  // namespace convscope::simt
