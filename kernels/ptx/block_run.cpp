#include "kernels/ptx/block_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/ptx/decode.h"

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

BlockRun::BlockRun(LaunchState& launch, unsigned worker)
    : launch_(launch), watch_(worker, launch.log), counters_(launch.program.ops.size()) {
    const Program& program = launch.program;
    const auto threads = static_cast<unsigned>(launch.request.block.count());
    for (const std::uint32_t index : program.shared) {
        const Variable& variable = program.module->variables[index];
        const std::uint64_t bytes = variable.dynamic ? launch.request.shared_bytes : variable.bytes;
        shared_.add(short_name(variable.name), Space::shared, bytes, true).element_bytes = 0;
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

void BlockRun::start() {
    watch_.begin_block(block_, static_cast<unsigned>(warps_.size()));
    index_ = dim3_at(block_, launch_.request.grid);
    for (std::size_t i = 0; i < shared_.size(); ++i) {
        std::memset(shared_[i].data, 0xff, shared_[i].bytes);
        std::memset(shared_[i].written, 0, shared_[i].words());
        if (copies_begun) std::memset(shared_[i].incoming, 0, shared_[i].words() * sizeof(Record));
    }
    std::ranges::fill(local_written_, std::uint8_t{0});
    live_threads_ = static_cast<unsigned>(launch_.request.block.count());
    has_left_.reset();
    copies_begun = false;
    copied_from.clear();
    for (Barrier& barrier : barriers_) barrier = {};
    tracer_.reset();
    const std::optional<WarpTraceRequest>& traced = launch_.request.trace;
    if (launch_.trace && traced->block == index_) tracer_.emplace(*launch_.trace, traced->max_steps);
    for (auto& warp : warps_) {
        warp->start();
        warp->trace_with(tracer_ && warp->index() == traced->warp ? &*tracer_ : nullptr);
    }
}

void BlockRun::run(std::int64_t block) {
    block_ = block;
    start();
    std::vector<std::int64_t> left(warps_.size(), launch_.request.max_warp_instructions);
    for (;;) {
        bool runs = false;
        for (std::size_t i = 0; i < warps_.size(); ++i) {
            Warp& warp = *warps_[i];
            if (!warp.can_run()) continue;
            runs = true;
            left[i] -= turn - warp.run(turn);
            if (left[i] <= 0)
                return report_endless(warp, fmt::format("the warp has not ended after {} instructions",
                                                        launch_.request.max_warp_instructions));
            if (launch_.must_stop()) return;
        }
        if (live_threads_ == 0) return;
        if (!runs) return report_stuck();
    }
}

Located BlockRun::locate(std::uint64_t address, unsigned thread) {
    const std::uint64_t piece = address >> piece_bits;
    if (piece == shared_piece) {
        const std::uint64_t array = (address - shared_window) >> shared_piece_bits;
        if (array == 0 || array > shared_.size()) return {};
        return {&shared_[array - 1], shared_window + address_of_shared(array - 1)};
    }
    if (piece == local_piece) return {&local_[thread], local_window + local_begin};
    if (piece < first_global_piece || piece - first_global_piece >= launch_.arrays.size()) return {};
    return {&launch_.arrays[piece - first_global_piece], address_of_global(piece - first_global_piece)};
}

void BlockRun::arrive(const Op& op, std::uint32_t number, unsigned threads, unsigned expected, unsigned votes,
                      bool waits, Warp& warp) {
    Barrier& barrier = barriers_[number];
    const Side here = side(warp, first_lane(warp.mask), op.site);
    if (barrier.arrived == 0) {
        barrier.warps.assign(warps_.size(), {});
        barrier.first = here;
    } else if (barrier.expected != expected) {
        report({.kind = FindingKind::divergent_barrier,
                .found = here,
                .element = {},
                .what = fmt::format("comes to barrier {} for {}", number, count_text(expected)),
                .other = barrier.first,
                .other_does = fmt::format("comes for {}", count_text(barrier.expected))});
    }
    barrier.arrived += threads;
    barrier.expected = expected;
    barrier.votes += votes;
    Watch::AtBarrier& of_warp = barrier.warps[warp.index()];
    if (of_warp.arrived & warp.mask)
        report({.kind = FindingKind::divergent_barrier,
                .found = here,
                .element = {},
                .what = fmt::format("comes to barrier {} again before it has opened", number),
                .other = {},
                .other_does = {}});
    of_warp.arrived |= warp.mask;
    of_warp.waits |= waits;
    if (!waits) of_warp.done = watch_.arrive();
    complete_if_ready(number);
}

void BlockRun::lanes_left(Warp& warp, std::uint32_t which, std::uint32_t site) {
    live_threads_ -= static_cast<unsigned>(std::popcount(which));
    if (!has_left_) has_left_ = side(warp, first_lane(which), site);
    for (std::uint32_t number = 0; number < barriers_.size(); ++number)
        if (barriers_[number].arrived > 0) complete_if_ready(number);
}

void BlockRun::complete_if_ready(std::uint32_t number) {
    Barrier& barrier = barriers_[number];
    const bool all = barrier.expected == 0;
    if (all ? barrier.arrived < live_threads_ : barrier.arrived < barrier.expected) return;
    if (all) check_convergence(number);
    watch_.barrier(barrier.warps);
    const Barrier done = std::exchange(barrier, {});
    for (auto& warp : warps_)
        if (done.warps[warp->index()].waits) warp->leave_barrier(number, done.votes, done.arrived);
}

/// All threads of a block come to the same __syncthreads().
void BlockRun::check_convergence(std::uint32_t number) {
    std::optional<Side> first;
    for (auto& warp : warps_)
        for (const Warp::Group& group : warp->waiting()) {
            if (group.state != Warp::Group::State::at_barrier || group.barrier != number) continue;
            const std::uint32_t site = program().ops[group.pc - 1].site;
            const Side here = side(*warp, first_lane(group.mask), site);
            if (!first) first = here;
            if (here.at != first->at)
                return report({.kind = FindingKind::divergent_barrier,
                               .found = here,
                               .element = {},
                               .what = "waits at the block's barrier",
                               .other = first,
                               .other_does = "waits"});
        }
    if (has_left_ && first)
        report({.kind = FindingKind::divergent_barrier,
                .found = *first,
                .element = {},
                .what = "waits at the block's barrier",
                .other = has_left_,
                .other_does = "has left the kernel"});
}

void BlockRun::report_stuck() {
    for (auto& warp : warps_)
        for (const Warp::Group& group : warp->waiting()) {
            const bool gathers = group.state == Warp::Group::State::gathering;
            const std::uint32_t site = program().ops[gathers ? group.pc : group.pc - 1].site;
            report({.kind = FindingKind::divergent_barrier,
                    .found = side(*warp, first_lane(group.mask), site),
                    .element = {},
                    .what = gathers ? "waits for lanes of its warp that never come"
                                    : "waits at a barrier for threads that never come",
                    .other = {},
                    .other_does = {}});
            return;
        }
}

void BlockRun::report_endless(const Warp& warp, std::string what) {
    report({.kind = FindingKind::endless,
            .found = side(warp, first_lane(warp.active()), program().ops[warp.pc()].site),
            .element = {},
            .what = std::move(what),
            .other = {},
            .other_does = {}});
    launch_.stop = true;
}

Side BlockRun::side(const Warp& warp, unsigned lane, std::uint32_t site) const {
    return {index_, dim3_at(warp.thread(lane), launch_.request.block), program().lines[site]};
}

Side BlockRun::side_of(Record record) const {
    const RecordParts parts = RecordParts::of(record);
    return {watch_.log().block_at(parts.worker, parts.stamp), dim3_at(parts.thread, launch_.request.block),
            program().lines[parts.site]};
}

}  // namespace convscope::ptx
