#include "kernels/ptx/run/warp.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "kernels/ptx/run/block_run.h"
#include "kernels/ptx/run/cluster_run.h"
#include "kernels/ptx/run/lane_loops.h"
#include "kernels/ptx/run/special_registers.h"
#include "kernels/ptx/run/warp_tracer.h"

namespace convscope::ptx {
namespace {

/// Backward branches after which a group gives way; one that came by memory which others change counts for many.
constexpr std::uint32_t max_polled_rounds = 1 << 16, polled_round = 64;

}  // namespace

Warp::Warp(BlockRun& block, unsigned index, unsigned threads)
    : block_(block),
      program_(block.program()),
      index_(index),
      number_(block.rank() * ((threads + lanes - 1) / lanes) + index),
      memory_(program_.file_bytes + 64) {
    void* start = memory_.data();
    std::size_t room = memory_.size();
    file_ = static_cast<std::byte*>(std::align(64, program_.file_bytes, start, room));
    const unsigned count = std::min(lanes, threads - lanes * index);
    existing_ = count == lanes ? all_lanes : (1u << count) - 1;
    const auto fill = [&]<class T>(const ConstantRegister& constant, T) {
        std::fill_n(values<T>(constant.reg_offset), lanes, static_cast<T>(constant.bits));
    };
    for (const ConstantRegister& constant : program_.constants) {
        if (constant.bytes == 0) predicate(constant.reg_offset) = constant.bits ? all_lanes : 0;
        if (constant.bytes == 2) fill(constant, std::uint16_t{});
        if (constant.bytes == 4) fill(constant, std::uint32_t{});
        if (constant.bytes == 8) fill(constant, std::uint64_t{});
    }
}

void Warp::start() {
    for (const SpecialRegister& special : program_.specials)
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const std::uint64_t value = special_value(special.special, block_, thread(lane), lane);
            if (special.bytes == 2) values<std::uint16_t>(special.reg_offset)[lane] = static_cast<std::uint16_t>(value);
            if (special.bytes == 4) values<std::uint32_t>(special.reg_offset)[lane] = static_cast<std::uint32_t>(value);
            if (special.bytes == 8) values<std::uint64_t>(special.reg_offset)[lane] = value;
        }
    live_ = active_ = existing_;
    pc_ = 0;
    reconvergence_pc_ = no_pc;
    parked_.clear();
    rounds_ = 0;
    polled_ = prioritised_ = false;
    giving_up_ = 0;
    for (LaneCopies& of_lane : copies)
        if (of_lane.begun > 0 || !of_lane.groups.empty()) of_lane = {};
    if (std::exchange(bulk_begun, false))
        for (StartedGroups& of_lane : bulk) of_lane = {};
    wgmma = {};
    undefined.clear();
    attended_ = needs_attention();
}

std::int64_t Warp::run(std::int64_t budget) {
    const Op* const ops = program_.ops.data();
    Counters::PerOp* const counts = block_.counters().ops.data();
    const bool counts_zeros = block_.counts_wanted();
    for (; active_ != 0 && budget > 0; --budget) {
        if (pc_ >= reconvergence_pc_) [[unlikely]]
            regroup();
        const Op& op = ops[pc_];
        mask = active_;
        if (op.guard != no_reg) {
            const std::uint32_t holds = predicate(op.guard);
            mask &= op.negated ? ~holds : holds;
        }
        Counters::PerOp& count = counts[pc_];
        ++count.issued;
        count.lanes += std::popcount(active_);
        ++pc_;
        if (op.zero_counts && counts_zeros) count.zeros += std::popcount(idle_multiplications(op));
        if (attended_) [[unlikely]]
            attend(op);
        if (mask != 0) op.run(*this, op);
        if (tracer_) [[unlikely]]
            tracer_->after(*this, op, waits_);
    }
    return budget;
}

void Warp::attend(const Op& op) {
    if (!wgmma.pending.empty() && mask != 0) check_accumulators(op);
    if (undefined.any()) {
        undefined.before(*this, op);
        attended_ = needs_attention();
    }
    if (!tracer_) return;
    waits_ = false;
    tracer_->before(*this, op, active_);
}

/// An accumulator that is pending may be moved to another register, and nothing else.
void Warp::check_accumulators(const Op& op) {
    const auto index = static_cast<std::size_t>(&op - program_.ops.data());
    const bool moves = program_.instructions[index]->opcode == "mov";
    if (op.d != no_reg) wgmma.pending.erase(op.d);
    for (const std::uint32_t reg_offset : program_.sources[index]) {
        const auto found = wgmma.pending.find(reg_offset);
        if (found == wgmma.pending.end()) continue;
        if (moves && op.d != no_reg) {
            const WgmmaState::PendingAccumulator same = found->second;
            wgmma.pending[op.d] = same;
            continue;
        }
        const auto lane = static_cast<unsigned>(std::countr_zero(mask));
        block_.report({.kind = FindingKind::race,
                       .found = block_.location(*this, lane, op.line),
                       .element = {},
                       .what = "reads a sum, and no wgmma.wait_group comes between",
                       .other = block_.location(*this, lane, found->second.line),
                       .other_action = "multiplies"});
        wgmma.pending.erase(found);
    }
}

void Warp::note_accumulator(std::uint32_t reg_offset, std::uint32_t line) {
    wgmma.pending[reg_offset] = {static_cast<std::uint32_t>(wgmma.committed.size()), line};
    attended_ = true;
}

void Warp::forget_accumulators(std::uint32_t group) {
    std::erase_if(wgmma.pending, [&](const auto& sum) { return sum.second.group < group; });
    attended_ = needs_attention();
}

void Warp::note_undefined(const Op& op, unsigned lane, std::uint64_t address, std::uint32_t bytes) {
    const bool one = op.elements == 1;
    note_undefined(op, lane, address, bytes, {one ? &op.d : &program().operands[op.extra_operands], op.elements},
                   op.bytes);
}
void Warp::note_undefined(const Op& op, unsigned lane, std::uint64_t address, std::uint32_t bytes,
                          std::span<const std::uint32_t> registers, unsigned bytes_each) {
    undefined.loaded(*this, op, lane, address, bytes, registers, bytes_each);
    attended_ = true;
}

/// The lanes that multiply by zero.
std::uint32_t Warp::idle_multiplications(const Op& op) {
    const float *a = values<float>(op.a), *b = values<float>(op.b);
    std::uint32_t idle = 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
        idle |= static_cast<std::uint32_t>(a[lane] == 0 || b[lane] == 0) << lane;
    return idle & mask;
}

void Warp::park(Group group) {
    parked_.push_back(group);
}

/// Groups that stand where this one does join it; one that is further behind runs first.
void Warp::regroup() {
    std::erase_if(parked_, [&](const Group& group) {
        if (group.pc != pc_ || group.state == Group::State::at_barrier) return false;
        active_ |= group.mask;
        return true;
    });
    const auto behind = std::ranges::any_of(
        parked_, [&](const Group& group) { return group.state == Group::State::ready && group.pc < pc_; });
    if (behind && !prioritised_) {
        park({pc_, active_, Group::State::ready});
        choose_next();
    }
    find_reconvergence();
}

void Warp::choose_next() {
    active_ = 0;
    rounds_ = 0;
    prioritised_ = false;
    for (const Group& group : parked_)
        if (group.state == Group::State::ready && (active_ == 0 || group.pc < pc_)) {
            pc_ = group.pc;
            active_ = group.mask;
        }
    if (active_ == 0) return;
    std::erase_if(parked_, [&](const Group& group) { return group.mask == active_; });
    reconvergence_pc_ = pc_;  // others may stand there, too
}

void Warp::find_reconvergence() {
    reconvergence_pc_ = no_pc;
    for (const Group& group : parked_) {
        if (group.state == Group::State::at_barrier) continue;
        if (group.pc >= pc_)
            reconvergence_pc_ = std::min(reconvergence_pc_, group.pc);
        else if (group.state == Group::State::ready && !prioritised_)
            reconvergence_pc_ = std::min(reconvergence_pc_, pc_);
    }
}

void Warp::branch(std::uint32_t taken, std::uint32_t target) {
    const std::uint32_t stay = active_ & ~taken;
    const bool backward = target < pc_;
    if (stay != 0 && !backward) {
        park({target, taken, Group::State::ready});
        active_ = stay;
    } else {
        if (stay != 0) park({pc_, stay, Group::State::ready});
        active_ = taken;
        pc_ = target;
    }
    if (parked_.empty()) return;
    find_reconvergence();
    if (backward) note_backward_branch();
}

void Warp::note_backward_branch() {
    rounds_ += polled_ ? polled_round : 1;
    polled_ = false;
    if (rounds_ < max_polled_rounds) return;
    rounds_ = 0;
    const auto other = std::ranges::find(parked_, Group::State::ready, &Group::state);
    if (other == parked_.end()) return;
    const Group next = *other;
    parked_.erase(other);
    park({pc_, active_, Group::State::ready});
    pc_ = next.pc;
    active_ = next.mask;
    prioritised_ = true;
    find_reconvergence();
}

void Warp::exit_lanes(std::uint32_t which) {
    live_ &= ~which;
    active_ &= ~which;
    for (Group& group : parked_)  // they need not wait for these lanes any more
        if (group.state == Group::State::gathering) group.state = Group::State::ready;
    if (active_ == 0)
        choose_next();
    else
        find_reconvergence();
}

bool Warp::gather(std::uint32_t members) {
    if ((members & live_ & ~mask) == 0) return true;
    waits_ = true;
    park({pc_ - 1, active_, Group::State::gathering});
    choose_next();
    return false;
}

bool Warp::gather_members(const Op& op, std::uint32_t reg_offset) {
    const auto* members = values<std::uint32_t>(reg_offset);
    std::uint32_t all = 0;  // lanes may come together and name others each
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (mask >> lane & 1) all |= members[lane];
    if (!gather(all)) return false;
    const std::uint32_t outside = mask & lanes_where([&](unsigned i) { return (members[i] >> i & 1) == 0; });
    if (outside == 0) return true;
    const auto lane = static_cast<unsigned>(std::countr_zero(outside));
    block_.report({.kind = FindingKind::divergent_barrier,
                   .found = block_.location(*this, lane, op.line),
                   .element = {},
                   .what = fmt::format("takes part, and the mask {:#010x} leaves its lane out", members[lane]),
                   .other = {},
                   .other_action = {}});
    return true;
}

void Warp::wait_at_barrier(std::uint32_t barrier) {
    park({pc_, mask, Group::State::at_barrier, barrier});
    active_ &= ~mask;
    if (active_ == 0) choose_next();
}

void Warp::wait_for_event(std::uint32_t barrier) {
    waits_ = true;
    park({pc_ - 1, active_, Group::State::at_event, barrier});
    choose_next();
}

void Warp::wake() {
    bool any = false;
    for (Group& group : parked_)
        if (group.state == Group::State::at_event) {
            group.state = Group::State::ready;
            any = true;
        }
    if (!any) return;
    if (active_ == 0)
        choose_next();
    else
        find_reconvergence();
}

bool Warp::give_up_waiting() {
    for (const Group& group : parked_)
        if (group.state == Group::State::at_event && group.barrier > grid_barrier) giving_up_ |= group.mask;
    if (giving_up_ == 0) return false;
    wake();
    return true;
}

bool Warp::gives_up() {
    const bool all = (mask & ~giving_up_) == 0;
    if (all) giving_up_ &= ~mask;
    return all;
}

void Warp::leave_barrier(std::uint32_t barrier, unsigned votes, unsigned voters) {
    for (Group& group : parked_) {
        if (group.state != Group::State::at_barrier || group.barrier != barrier) continue;
        group.state = Group::State::ready;
        const Op& op = program_.ops[group.pc - 1];
        if (op.d == no_reg) continue;
        mask = group.mask;
        const bool holds = op.variant == 1 ? votes == voters : votes > 0;
        if (op.variant > 0) {
            set_predicate(op.d, holds ? all_lanes : 0);
        } else {
            for (unsigned lane = 0; lane < lanes; ++lane)
                if (mask >> lane & 1) values<std::uint32_t>(op.d)[lane] = votes;
        }
    }
    if (active_ == 0)
        choose_next();
    else
        find_reconvergence();
}

}  // namespace convscope::ptx
