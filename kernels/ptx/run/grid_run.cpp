#include "kernels/ptx/run/grid_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/ptx/run/lane_access.h"

namespace convscope::ptx {
namespace {

/// Turns one after the other in which a cluster that shares its worker looks at memory that others may change: they
/// cannot run meanwhile. Of 20,000 instructions of each warp.
constexpr int max_polling_turns = 1000;

std::uint64_t polls_of(ClusterRun& cluster) {
    std::uint64_t polls = 0;
    for (unsigned rank = 0; rank < cluster.size(); ++rank)
        for (const auto& warp : cluster.block(rank).warps()) polls += warp->polls();
    return polls;
}

}  // namespace

GridRun::GridRun(LaunchState& launch, unsigned workers, Counters& counters)
    : launch_(launch), workers_(workers), epochs_(workers, 0) {
    const auto count = static_cast<std::size_t>(launch.request.grid.count() / launch.cluster.count());
    in_phase_.assign(count, false);
    for (std::size_t i = 0; i < count; ++i)
        clusters_.push_back(std::make_unique<ClusterRun>(launch, static_cast<unsigned>(i % workers_), counters));
}

void GridRun::run() {
    launch_.grid = this;
    for (std::size_t i = 0; i < clusters_.size(); ++i) clusters_[i]->place(static_cast<std::int64_t>(i));
    for (;;) {
        bool runs = false, all_ended = true;
        for (std::size_t i = 0; i < clusters_.size(); ++i) {
            if (clusters_[i]->ended()) continue;
            runs |= take_turns(i);
            if (launch_.stop) return;
            all_ended &= clusters_[i]->ended();
        }
        if (all_ended) return;
        if (!runs && !give_up_waiting()) return report_stuck();
    }
}

void GridRun::begin_phase(std::size_t cluster) {
    clusters_[cluster]->watch_from(epochs_[cluster % workers_]);
    in_phase_[cluster] = true;
}

/// One, or, where others have its worker too, all that it can.
bool GridRun::take_turns(std::size_t cluster) {
    ClusterRun& run = *clusters_[cluster];
    if (!run.can_run()) return false;
    if (!in_phase_[cluster]) begin_phase(cluster);
    const bool shares = clusters_.size() > workers_;
    bool any = false;
    std::uint64_t polls = polls_of(run);
    for (int turns = 0; run.take_turn();) {
        any = true;
        if (!shares || launch_.stop) break;
        const std::uint64_t before = std::exchange(polls, polls_of(run));
        turns = polls == before ? 0 : turns + 1;
        if (turns > max_polling_turns)
            throw Error(ErrorKind::failed,
                        fmt::format("block {} of a cooperative launch waits for others, and not by grid.sync(): then "
                                    "there may be up to {} blocks, and there are {}",
                                    thread_text(run.block(0).index()), workers_, launch_.request.grid.count()));
    }
    epochs_[cluster % workers_] = run.race_detector().epoch();
    return any;
}

bool GridRun::give_up_waiting() {
    bool any = false;
    for (auto& cluster : clusters_) any |= !cluster->ended() && cluster->give_up_waiting();
    return any;
}

bool GridRun::must_wait(const BlockRun& block) const {
    return block.arrived_at_grid == opened_ + 1;
}

std::uint32_t GridRun::arrive(BlockRun& block, std::uint32_t added) {
    block.arrived_at_grid = opened_ + 1;
    const std::uint32_t old = std::exchange(word_, word_ + added);
    if ((old ^ word_) >> 31 != 0) open(block);
    return old;
}

void GridRun::open(BlockRun& block) {
    ++opened_;
    forget_history();
    in_phase_.assign(clusters_.size(), false);
    const auto present = static_cast<std::size_t>(
        std::ranges::find(clusters_, &block.cluster(), &std::unique_ptr<ClusterRun>::get) - clusters_.begin());
    epochs_[present % workers_] = block.race_detector().epoch();
    begin_phase(present);  // it goes on
    for (auto& cluster : clusters_) cluster->wake();
}

/// Nothing that was done races with what comes.
void GridRun::forget_history() {
    for (std::size_t i = 0; i < launch_.arrays.size(); ++i) {
        Array& array = launch_.arrays[i];
        if (!array.shadow || (!launch_.request.memory.empty() && i >= launch_.first_lent && array.used == 0)) continue;
        for (std::uint64_t word = 0; word < array.words(); ++word) {
            ShadowCell& cell = array.shadow[word];
            const bool written = cell.plain != 0 || (array.updated && array.updates[word][0] != 0);
            if (written) array.past_writes.add(word);
            if (written || cell.read[0] != 0) array.past_reads.add(word);
            if (cell.plain != 0 || cell.read[0] != 0) cell = {};
            if (array.updated) std::memset(array.updates[word], 0, sizeof array.updates[word]);
        }
        array.updated = false;
    }
    launch_.heap.begin_phase();
}

/// A block at the grid's barrier, and one that will never come there.
void GridRun::report_stuck() {
    std::optional<Finding> found;
    std::optional<ThreadLocation> left;
    for (auto& cluster : clusters_)
        for (unsigned rank = 0; rank < cluster->size(); ++rank) {
            BlockRun& block = cluster->block(rank);
            if (block.ended() && !left) left = block.has_left();
            for (auto& warp : block.warps())
                for (const Warp::Group& group : warp->waiting())
                    if (!found && group.state == Warp::Group::State::at_event && group.barrier == Warp::grid_barrier)
                        found = Finding{.kind = FindingKind::divergent_barrier,
                                        .found = block.location_of(*warp, group),
                                        .element = {},
                                        .what = block.why_it_waits(group),
                                        .other = {},
                                        .other_action = {}};
        }
    if (found && left) {
        found->other = left;
        found->other_action = "has left the kernel";
        return clusters_.front()->block(0).report(*found);
    }
    for (auto& cluster : clusters_)
        if (!cluster->ended()) cluster->report_stuck();
}

namespace {

/// The lane at the grid's word, if one is.
std::optional<unsigned> lane_at_grid(Warp& warp, const Op& op) {
    if (!warp.block().launch().grid) return std::nullopt;
    std::uint64_t addresses[lanes];
    addresses_of(warp, op, addresses);
    const auto lane = static_cast<unsigned>(std::countr_zero(warp.mask));
    return warp.block().launch().grid->has(addresses[lane]) ? std::optional(lane) : std::nullopt;
}

}  // namespace

// At that word neither counts as a fence or as a look at a flag: what blocks do between two barriers has no order.

void arrive_at_grid(Warp& warp, const Op& op) {
    const std::optional<unsigned> lane = lane_at_grid(warp, op);
    if (!lane) return op.inner(warp, op);
    const std::uint32_t added = warp.values<std::uint32_t>(op.b)[*lane];
    warp.values<std::uint32_t>(op.d)[*lane] = warp.block().launch().grid->arrive(warp.block(), added);
}

void poll_grid(Warp& warp, const Op& op) {
    const std::optional<unsigned> lane = lane_at_grid(warp, op);
    if (!lane) return op.inner(warp, op);
    const GridRun& grid = *warp.block().launch().grid;
    if (grid.must_wait(warp.block())) return warp.wait_for_event(Warp::grid_barrier);
    warp.values<std::uint32_t>(op.d)[*lane] = grid.word();
}

}  // namespace convscope::ptx
