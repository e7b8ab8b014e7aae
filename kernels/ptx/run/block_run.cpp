#include "kernels/ptx/run/block_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/ptx/run/cluster_run.h"
#include "kernels/ptx/run/decode.h"

namespace convscope::ptx {
namespace {

/// Instructions that a warp runs before it is the next one's turn: warps may wait for one another.
constexpr std::int64_t turn = 20'000;

std::string count_text(unsigned expected) {
    return expected == 0 ? "all threads of the block" : fmt::format("{} threads", expected);
}

unsigned first_lane(std::uint32_t mask) {
    return static_cast<unsigned>(std::countr_zero(mask));
}

}  // namespace

Dim3 dim3_at(std::int64_t index, const Dim3& extent) {
    return {index % extent.x, index / extent.x % extent.y, index / (extent.x * extent.y)};
}

BlockRun::BlockRun(LaunchState& launch, ClusterRun& cluster, unsigned rank)
    : launch_(launch), cluster_(cluster), rank_(rank) {
    const Program& program = launch.program;
    const auto threads = static_cast<unsigned>(launch.request.block.count());
    for (const std::uint32_t index : program.shared) {
        const Variable& variable = program.module->variables[index];
        const std::uint64_t bytes = variable.dynamic ? launch.request.shared_bytes : variable.bytes;
        const std::string name = short_name(variable.name);
        const auto& known = launch.request.shared_element_bytes;
        const auto element = known.find(name);
        Array& array = shared_.add(name, Space::shared, bytes, true);
        array.element_bytes = element == known.end() ? 0 : element->second;
        array.max_element_bytes = static_cast<unsigned>(variable.align);
    }
    const std::uint64_t local = (program.local_bytes + 15) / 16 * 16, local_words = local / 4;
    local_data_.resize(local * threads);
    local_written_.resize(local_words * threads);
    for (unsigned thread = 0; thread < threads; ++thread) {
        Array& array = local_.emplace_back();
        array.name = "local memory";
        array.space = Space::local;
        array.element_bytes = 0;
        array.bytes = program.local_bytes;
        array.data = local_data_.data() + local * thread;
        array.written = local_written_.data() + local_words * thread;
    }
    for (unsigned first = 0; first < threads; first += lanes)
        warps_.push_back(std::make_unique<Warp>(*this, first / lanes, threads));
}

RaceDetector& BlockRun::race_detector() {
    return cluster_.race_detector();
}
Counters& BlockRun::counters() {
    return cluster_.counters();
}

void BlockRun::start(std::int64_t block) {
    index_ = dim3_at(block, launch_.request.grid);
    for (std::size_t i = 0; i < shared_.size(); ++i) {
        std::memset(shared_[i].data, 0xff, shared_[i].bytes);
        std::memset(shared_[i].written, 0, shared_[i].words());
        if (copies_begun) std::memset(shared_[i].incoming, 0, shared_[i].words() * sizeof(AccessRecord));
    }
    std::ranges::fill(local_written_, std::uint8_t{0});
    live_threads_ = static_cast<unsigned>(launch_.request.block.count());
    has_left_.reset();
    arrived_at_grid = 0;
    copies_begun = false;
    copied_from.clear();
    mbarriers.clear();
    remote_.clear();
    left_.assign(warps_.size(), launch_.request.max_warp_instructions);
    for (Barrier& barrier : barriers_) barrier = {};
    tracer_.reset();
    const std::optional<WarpTraceRequest>& traced = launch_.request.trace;
    if (launch_.trace && traced->block == index_) tracer_.emplace(*launch_.trace, traced->max_steps);
    for (auto& warp : warps_) {
        warp->start();
        warp->trace_with(tracer_ && warp->index() == traced->warp ? &*tracer_ : nullptr);
    }
}

bool BlockRun::take_turn() {
    bool runs = false;
    for (std::size_t i = 0; i < warps_.size(); ++i) {
        Warp& warp = *warps_[i];
        if (!warp.can_run()) continue;
        runs = true;
        left_[i] -= turn - warp.run(turn);
        if (left_[i] <= 0)
            report_endless(warp, fmt::format("the warp has not ended after {} instructions",
                                             launch_.request.max_warp_instructions));
        if (launch_.must_stop()) {
            if (launch_.out_of_time && warp.can_run())
                launch_.ran_out_of_time_at(location(warp, first_lane(warp.active()), program().ops[warp.pc()].line));
            return false;
        }
    }
    return runs;
}

Located BlockRun::locate(std::uint64_t address, unsigned thread) {
    const std::uint64_t segment = address >> segment_bits;
    if (segment == shared_segment) {
        const std::uint64_t rank = (address - shared_window) >> shared_rank_bits;
        const std::uint64_t array = (address & own_shared_mask) >> shared_segment_bits;
        if (array == 0 || array > shared_.size() || rank > cluster_.size()) return {};
        BlockRun& owner = rank == 0 ? *this : cluster_.block(static_cast<unsigned>(rank - 1));
        return {&owner.shared_[array - 1],
                shared_window + (rank << shared_rank_bits) + program().shared_addresses[array - 1], &owner};
    }
    if (segment == local_segment) return {&local_[thread], local_window + local_begin};
    if (in_malloc_heap(address)) [[unlikely]] {
        std::uint64_t begin = 0;
        MallocHeap::Allocation* const found = launch_.heap.find(address, begin);
        return {found ? &found->array : nullptr, begin};
    }
    if (!launch_.request.memory.empty() && (segment < first_global_segment || address >= lent_begin)) {
        std::uint64_t begin = 0;
        Array* const array = launch_.lent_at(address, begin);
        return {array, begin};
    }
    if (segment < first_global_segment || segment - first_global_segment >= launch_.first_lent) return {};
    Array& array = launch_.arrays[segment - first_global_segment];
    return {&array, address_of_global(segment - first_global_segment) + array.misaligned_bytes};
}

Located BlockRun::locate_in_shared(std::uint64_t shared_offset) {
    for (std::size_t i = 0; i < shared_.size(); ++i) {
        const std::uint64_t address = program().shared_addresses[i], begin = address % shared_bytes_addressed;
        if (shared_offset >= begin && shared_offset - begin < shared_[i].bytes)
            return {&shared_[i], shared_window + address, this};
    }
    return {};
}

void BlockRun::arrive(const Op& op, std::uint32_t number, unsigned threads, unsigned expected, unsigned votes,
                      bool waits, Warp& warp) {
    Barrier& barrier = barriers_[number];
    const ThreadLocation here = location(warp, first_lane(warp.mask), op.line);
    if (barrier.arrived == 0) {
        barrier.warps.assign(warps_.size(), {});
        barrier.first = here;
    } else if (barrier.expected != expected) {
        report({.kind = FindingKind::divergent_barrier,
                .found = here,
                .element = {},
                .what = fmt::format("comes to barrier {} for {}", number, count_text(expected)),
                .other = barrier.first,
                .other_action = fmt::format("comes for {}", count_text(barrier.expected))});
    }
    barrier.arrived += threads;
    barrier.expected = expected;
    barrier.votes += votes;
    RaceDetector::AtBarrier& of_warp = barrier.warps[warp.index()];
    if (of_warp.arrived & warp.mask)
        report({.kind = FindingKind::divergent_barrier,
                .found = here,
                .element = {},
                .what = fmt::format("comes to barrier {} again before it has opened", number),
                .other = {},
                .other_action = {}});
    of_warp.arrived |= warp.mask;
    of_warp.waits |= waits;
    if (!waits) of_warp.done = race_detector().arrive();
    complete_if_ready(number);
}

void BlockRun::lanes_left(Warp& warp, std::uint32_t which, std::uint32_t line) {
    live_threads_ -= static_cast<unsigned>(std::popcount(which));
    if (!has_left_) has_left_ = location(warp, first_lane(which), line);
    for (unsigned lane = 0; lane < lanes && warp.bulk_begun; ++lane) {
        const StartedGroups& bulk = warp.bulk[lane];
        if ((which >> lane & 1) && (bulk.reads || std::ranges::any_of(bulk.committed, &StartedGroups::Group::reads)))
            report({.kind = FindingKind::race,
                    .found = location(warp, lane, bulk.line),
                    .element = {},
                    .what = "copies out of shared memory, and leaves the kernel without having waited for it",
                    .other = {},
                    .other_action = {}});
    }
    if (ended()) check_end(warp, line);
    cluster_.lanes_left();
    for (std::uint32_t number = 0; number < barriers_.size(); ++number)
        if (barriers_[number].arrived > 0) complete_if_ready(number);
}

void BlockRun::complete_if_ready(std::uint32_t number) {
    Barrier& barrier = barriers_[number];
    const bool all = barrier.expected == 0;
    if (all ? barrier.arrived < live_threads_ : barrier.arrived < barrier.expected) return;
    if (all) check_convergence(number);
    race_detector().barrier(warps_.front()->number(), barrier.warps);
    cluster_.note_progress();
    const Barrier done = std::exchange(barrier, {});
    for (auto& warp : warps_)
        if (done.warps[warp->index()].waits) warp->leave_barrier(number, done.votes, done.arrived);
}

/// All threads of a block come to the same __syncthreads().
void BlockRun::check_convergence(std::uint32_t number) {
    std::optional<ThreadLocation> first;
    for (auto& warp : warps_)
        for (const Warp::Group& group : warp->waiting()) {
            if (group.state != Warp::Group::State::at_barrier || group.barrier != number) continue;
            const std::uint32_t line = program().ops[group.pc - 1].line;
            const ThreadLocation here = location(*warp, first_lane(group.mask), line);
            if (!first) first = here;
            if (here.at != first->at)
                return report({.kind = FindingKind::divergent_barrier,
                               .found = here,
                               .element = {},
                               .what = "waits at the block's barrier",
                               .other = first,
                               .other_action = "waits"});
        }
    if (has_left_ && first)
        report({.kind = FindingKind::divergent_barrier,
                .found = *first,
                .element = {},
                .what = "waits at the block's barrier",
                .other = has_left_,
                .other_action = "has left the kernel"});
}

/// Nobody may use its shared memory any more.
void BlockRun::check_end(const Warp& last, std::uint32_t line) {
    const auto report_use = [&](const ThreadLocation& user, const ThreadLocation& end, std::string what) {
        report({.kind = FindingKind::race,
                .found = user,
                .element = {},
                .what = std::move(what),
                .other = end,
                .other_action = "has left the kernel"});
    };
    const ThreadLocation end = location(last, 0, line);
    for (const auto& [address, barrier] : mbarriers)
        for (const InFlight& copy : barrier.in_flight) {
            if (copy.content.empty()) continue;
            report_use(copy.warp->block().location(*copy.warp, copy.lane, copy.op->line), end,
                       "copies into the shared memory of a block that ends before anyone has waited for it");
        }
    if (remote_.empty()) return;
    VectorClock known = race_detector().empty_clock();
    for (const auto& warp : warps_) race_detector().release(warp->number(), known);
    for (const auto& [warp, access] : remote_)
        if (!race_detector().known(access, known))
            report_use(
                location_of(access), end,
                "uses the shared memory of a block that may have ended: no barrier of the cluster comes between");
}

ThreadLocation BlockRun::location_of(const Warp& warp, const Warp::Group& group) const {
    const bool runs_again = group.state != Warp::Group::State::at_barrier;
    return location(warp, first_lane(group.mask), program().ops[runs_again ? group.pc : group.pc - 1].line);
}

std::string BlockRun::what_is_waited_for(const Warp::Group& group) const {
    if (group.state != Warp::Group::State::at_event || group.barrier <= Warp::grid_barrier) return {};
    const std::size_t array = (group.barrier >> shared_segment_bits) - 1;
    return fmt::format("{}[{}]", short_name(program().module->variables[program().shared[array]].name),
                       (group.barrier - program().shared_addresses[array]) / 8);
}

std::string BlockRun::why_it_waits(const Warp::Group& group) const {
    if (group.state == Warp::Group::State::gathering) return "waits for lanes of its warp that never come";
    if (group.state == Warp::Group::State::at_barrier) return "waits at a barrier for threads that never come";
    if (group.barrier == Warp::warpgroup) return "waits for products that the other warps of its warpgroup never start";
    if (group.barrier == Warp::grid_barrier) return "waits at the grid's barrier for blocks that never come";
    const auto found = mbarriers.find(group.barrier);
    if (found == mbarriers.end()) return "waits at the cluster's barrier for threads that never come";
    const Mbarrier& barrier = found->second;
    if (barrier.pending_arrivals > 0)
        return fmt::format("waits for its phase {}, which lacks {} of {} arrivals", barrier.phase,
                           barrier.pending_arrivals, barrier.expected);
    if (barrier.tx_count < 0)
        return fmt::format("waits for its phase {}, to which {} bytes came that nobody has announced", barrier.phase,
                           -barrier.tx_count);
    return fmt::format("waits for its phase {}, which lacks {} of the announced bytes", barrier.phase,
                       barrier.tx_count);
}

void BlockRun::report_endless(const Warp& warp, std::string what) {
    if (launch_.stop.exchange(true)) return;  // one of them says it for all
    report({.kind = FindingKind::endless,
            .found = location(warp, first_lane(warp.active()), program().ops[warp.pc()].line),
            .element = {},
            .what = std::move(what),
            .other = {},
            .other_action = {}});
}

ThreadLocation BlockRun::location(const Warp& warp, unsigned lane, std::uint32_t line) const {
    return {index_, dim3_at(warp.thread(lane), launch_.request.block), program().lines[line]};
}

ThreadLocation BlockRun::location_of(AccessRecord record) const {
    const AccessRecordParts parts = AccessRecordParts::of(record);
    return {cluster_.race_detector().log().block_at(parts.worker, parts.epoch),
            dim3_at(parts.thread, launch_.request.block), program().lines[parts.line]};
}

}  // namespace convscope::ptx
