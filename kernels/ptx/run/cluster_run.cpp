#include "kernels/ptx/run/cluster_run.h"

#include <algorithm>
#include <bit>

namespace convscope::ptx {

ClusterRun::ClusterRun(LaunchState& launch, unsigned worker, Counters& counters)
    : launch_(launch),
      shape_(launch.cluster),
      race_detector_(worker * static_cast<unsigned>(shape_.count()), launch.log, launch.program.partly_ordered),
      counters_(counters) {
    for (unsigned rank = 0; rank < shape_.count(); ++rank)
        blocks_.push_back(std::make_unique<BlockRun>(launch, *this, rank));
}

void ClusterRun::run(std::int64_t cluster) {
    place(cluster);
    watch_from(0);
    for (;;) {
        const bool runs = take_turn();
        if (launch_.stop || ended()) return;
        if (!runs && !give_up_waiting()) return report_stuck();
    }
}

void ClusterRun::place(std::int64_t cluster) {
    const Dim3& grid = launch_.request.grid;
    const Dim3 first = dim3_at(cluster, {grid.x / shape_.x, grid.y / shape_.y, grid.z / shape_.z});
    indices_.clear();
    for (unsigned rank = 0; rank < size(); ++rank) {
        const Dim3 in = dim3_at(rank, shape_);
        indices_.push_back(((first.z * shape_.z + in.z) * grid.y + first.y * shape_.y + in.y) * grid.x +
                           first.x * shape_.x + in.x);
    }
    progress_ = 1;
    stuck_at_ = 0;
    arrived_ = 0;
    came_.assign(blocks_.front()->warps().size() * size(), 0);
    may_pass_ = came_;
    for (unsigned rank = 0; rank < size(); ++rank) blocks_[rank]->start(indices_[rank]);
}

void ClusterRun::watch_from(std::uint32_t epoch) {
    race_detector_.begin_cluster(indices_, static_cast<unsigned>(blocks_.front()->warps().size()), epoch);
    arriving_ = opened_ = race_detector_.empty_clock();
}

bool ClusterRun::take_turn() {
    bool runs = false;
    for (auto& block : blocks_) {
        runs |= block->take_turn();
        if (launch_.stop) return false;
    }
    return runs;
}

bool ClusterRun::can_run() const {
    return std::ranges::any_of(blocks_, [](const auto& block) {
        return std::ranges::any_of(block->warps(), [](const auto& warp) { return warp->can_run(); });
    });
}

bool ClusterRun::ended() const {
    return std::ranges::all_of(blocks_, &BlockRun::ended);
}

void ClusterRun::wake() {
    note_progress();
    for (auto& block : blocks_)
        for (auto& warp : block->warps()) warp->wake();
}

/// A wait for an mbarrier ends after some time, without a result. False where nothing has happened since all did so.
bool ClusterRun::give_up_waiting() {
    if (stuck_at_ == progress_) return false;
    stuck_at_ = progress_;
    bool any = false;
    for (auto& block : blocks_)
        for (auto& warp : block->warps()) any |= warp->give_up_waiting();
    return any;
}

/// The first that waits, and another that waits for something else: for an mbarrier, if there is one.
void ClusterRun::report_stuck() {
    std::optional<Finding> found;
    std::string other_element;
    for (auto& block : blocks_)
        for (auto& warp : block->warps())
            for (const Warp::Group& group : warp->waiting()) {
                const ThreadLocation here = block->location_of(*warp, group);
                const std::string element = block->what_is_waited_for(group);
                if (!found) {
                    found = Finding{.kind = FindingKind::divergent_barrier,
                                    .found = here,
                                    .element = element,
                                    .what = block->why_it_waits(group),
                                    .other = {},
                                    .other_action = {}};
                } else if ((here.at != found->found.at || element != found->element) &&
                           (!found->other || (other_element.empty() && !element.empty()))) {
                    found->other = here;
                    other_element = element;
                    found->other_action = element.empty() ? "waits" : "waits for " + element;
                }
            }
    if (!found) return;
    for (auto& block : blocks_)
        if (!found->other && block->has_left()) {
            found->other = block->has_left();
            found->other_action = "has left the kernel";
        }
    blocks_.front()->report(*found);
}

void ClusterRun::arrive(Warp& warp, const Op& op, bool orders) {
    const unsigned number = warp.number();
    const std::uint32_t again = warp.mask & (came_[number] | may_pass_[number]);
    if (again != 0)
        return warp.block().report(
            {.kind = FindingKind::divergent_barrier,
             .found = warp.block().location(warp, static_cast<unsigned>(std::countr_zero(again)), op.line),
             .element = {},
             .what = "arrives at the cluster's barrier again before it has waited",
             .other = {},
             .other_action = {}});
    if (orders) race_detector_.release(number, arriving_);
    came_[number] |= warp.mask;
    arrived_ += static_cast<unsigned>(std::popcount(warp.mask));
    open_if_ready();
}

void ClusterRun::open_if_ready() {
    unsigned live = 0;
    for (auto& block : blocks_) live += block->live_threads();
    if (arrived_ == 0 || arrived_ < live) return;
    arrived_ = 0;
    for (std::size_t i = 0; i < came_.size(); ++i) may_pass_[i] = came_[i];
    std::ranges::fill(came_, 0u);
    opened_ = std::exchange(arriving_, race_detector_.empty_clock());
    wake();
}

void ClusterRun::wait(Warp& warp, const Op& op) {
    const unsigned number = warp.number();
    const std::uint32_t passes = warp.mask & may_pass_[number];
    if (const std::uint32_t never = warp.mask & ~passes & ~came_[number]; never != 0) {
        warp.block().report(
            {.kind = FindingKind::divergent_barrier,
             .found = warp.block().location(warp, static_cast<unsigned>(std::countr_zero(never)), op.line),
             .element = {},
             .what = "waits at the cluster's barrier, at which it has not arrived",
             .other = {},
             .other_action = {}});
        return;
    }
    if (passes != warp.mask) return warp.wait_for_event(Warp::cluster_barrier);
    may_pass_[number] &= ~passes;
    race_detector_.acquire(number, opened_);
}

}  // namespace convscope::ptx
