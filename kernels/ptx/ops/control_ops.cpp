// Barriers, fences, the end of a thread, and the functions that a kernel calls in the driver.
#include <algorithm>
#include <iterator>

#include "kernels/ptx/ops/heap_ops.h"
#include "kernels/ptx/ops/printing.h"
#include "kernels/ptx/run/cluster_run.h"
#include "kernels/ptx/run/decode.h"

namespace convscope::ptx {
namespace {

void leave(Warp& warp, const Op& op) {
    const std::uint32_t which = warp.mask;
    warp.exit_lanes(which);
    warp.block().lanes_left(warp, which, op.line);
}

void trap(Warp& warp, const Op& op) {
    Finding found;
    found.kind = FindingKind::assertion;
    found.found = warp.block().location(warp, static_cast<unsigned>(std::countr_zero(warp.mask)), op.line);
    const bool no_grid = warp.program().uses_grid && warp.block().launch().grid_barrier == 0;
    found.what = no_grid
                     ? "calls grid.sync() in a launch that is not cooperative; cudaLaunchCooperativeKernel() makes one"
                     : "the thread ends the kernel by a trap";
    warp.block().report(std::move(found));
    leave(warp, op);
}

/// op.a the barrier, op.b the number of threads or no_reg, op.c the predicate of bar.red.
template <bool Waits>
void barrier(Warp& warp, const Op& op) {
    BlockRun& block = warp.block();
    const std::uint32_t here = warp.mask;
    const auto lane = static_cast<unsigned>(std::countr_zero(here));
    const std::uint32_t number = warp.values<std::uint32_t>(op.a)[lane];
    const unsigned expected = op.b == no_reg ? 0 : warp.values<std::uint32_t>(op.b)[lane];
    std::uint32_t votes = op.c == no_reg ? 0 : warp.predicate(op.c) & here;
    if (op.strong) votes = here & ~votes;  // the predicate is negated
    if (number > 15) {
        Finding found;
        found.kind = FindingKind::divergent_barrier;
        found.found = block.location(warp, lane, op.line);
        found.what = "waits at barrier " + std::to_string(number) + "; a block has 16";
        return block.report(std::move(found));
    }
    if (expected % lanes != 0) {
        Finding found;
        found.kind = FindingKind::divergent_barrier;
        found.found = block.location(warp, lane, op.line);
        found.what = "waits for " + std::to_string(expected) + " threads; a count is a multiple of 32";
        block.report(std::move(found));
    }
    // A count is of whole warps.
    const std::uint32_t counted = expected && here == warp.live() ? here | ~warp.existing() : here;
    if (Waits) warp.wait_at_barrier(number);
    block.arrive(op, number, static_cast<unsigned>(std::popcount(counted)), expected,
                 static_cast<unsigned>(std::popcount(votes)), Waits, warp);
}

void synchronize_warp(Warp& warp, const Op& op) {
    if (!warp.gather_members(op, op.a)) return;
    warp.block().race_detector().sync_warp(warp.number());
}

/// op.variant: 1 where it is the whole device's.
void fence(Warp& warp, const Op& op) {
    warp.block().race_detector().fence(warp.number(), warp.mask, op.variant == 1);
}

/// Orders earlier writes before asynchronous accesses, where op.variant says so, and makes initialised mbarriers
/// visible.
void fence_proxy(Warp& warp, const Op& op) {
    RaceDetector& detector = warp.block().race_detector();
    if (op.variant) detector.fence_proxy(warp.number());
    VectorClock known = detector.empty_clock();
    detector.release(warp.number(), known);
    for (auto& [address, barrier] : warp.block().mbarriers)
        barrier.proxy_fenced |= detector.known(barrier.created, known);
}

bool decode_bar(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::barrier;
    if (instr.take("cluster")) return decode_cluster_barrier(decoder, instr, op);
    if (instr.take("warp")) {
        if (!instr.take("sync") || instr.operands() != 1) return false;
        op.a = decoder.source(instr.operand(0), Type::b32);
        op.run = synchronize_warp;
        return true;
    }
    instr.ignore({"cta", "aligned"});
    std::size_t at = 0;
    if (instr.take("red")) {
        const int how = instr.take_one({"popc", "and", "or"});
        const Type type = instr.take_type();
        if (how < 0 || instr.operands() < 3) return false;
        op.variant = static_cast<std::uint8_t>(how);
        op.d = decoder.result(instr.operand(at++), type == Type::pred ? Type::pred : Type::u32);
        const Operand& vote = instr.operand(instr.operands() - 1);
        op.c = decoder.source(vote, Type::pred);
        op.strong = vote.negated;
        op.run = barrier<true>;
    } else if (instr.take("sync")) {
        op.run = barrier<true>;
    } else if (instr.take("arrive")) {
        op.run = barrier<false>;
    }
    const std::size_t end = instr.operands() - (op.c == no_reg ? 0 : 1);
    if (!op.run || at >= end) return false;
    op.a = decoder.source(instr.operand(at++), Type::u32);
    if (at < end) op.b = decoder.source(instr.operand(at++), Type::u32);
    return at == end;
}
bool decode_fence(Decoder&, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::barrier;
    op.run = fence;
    const bool proxy = instr.take("proxy");
    if (proxy || instr.take("mbarrier_init")) {
        op.variant = instr.take("async");
        op.run = !proxy || op.variant ? fence_proxy : fence;
        instr.ignore({"alias", "global", "shared::cta", "shared::cluster"});
        if (!proxy) instr.ignore({"release", "cluster"});
        return true;
    }
    op.variant = instr.take("cta") ? 0 : 1;
    instr.ignore({"sc", "acq_rel", "acquire", "release", "gl", "gpu", "sys", "cluster"});
    return true;
}
bool decode_exit(Decoder&, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::control;
    op.run = leave;
    instr.ignore({"uni"});
    return true;
}
bool decode_trap(Decoder&, InstructionDecoder&, Op& op) {
    op.kind = Kind::control;
    op.run = trap;
    return true;
}
bool decode_pause(Decoder&, InstructionDecoder& instr, Op&) {
    instr.ignore({"u32"});
    return true;
}

bool decode_vprintf(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.operands() != 3) return false;
    op.kind = Kind::control;
    op.run = print;
    op.a = decoder.source(instr.operand(1), Type::b64);
    op.b = decoder.source(instr.operand(2), Type::b64);
    op.c = decoder.source(instr.operand(0), Type::b64);
    return true;
}
bool decode_assertfail(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.operands() < 1) return false;
    op.kind = Kind::control;
    op.run = fail_assertion;
    op.a = decoder.source(instr.operand(0), Type::b64);
    return true;
}

bool decode_malloc(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.operands() != 2) return false;
    op.kind = Kind::control;
    op.run = allocate;
    op.a = decoder.source(instr.operand(1), Type::b64);
    op.c = decoder.source(instr.operand(0), Type::b64);
    decoder.note_heap();
    return true;
}
bool decode_free(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.operands() != 1) return false;
    op.kind = Kind::control;
    op.run = release;
    op.a = decoder.source(instr.operand(0), Type::b64);
    decoder.note_heap();
    return true;
}

constexpr OpcodeRow rows_of_control[] = {{"bar", decode_bar},     {"barrier", decode_bar}, {"membar", decode_fence},
                                         {"fence", decode_fence}, {"ret", decode_exit},    {"exit", decode_exit},
                                         {"trap", decode_trap},   {"brkpt", decode_trap},  {"nanosleep", decode_pause}};

}  // namespace

Decode builtin_function(std::string_view name) {
    constexpr OpcodeRow functions[] = {{"vprintf", decode_vprintf},
                                       {"__assertfail", decode_assertfail},
                                       {"malloc", decode_malloc},
                                       {"free", decode_free}};
    const auto row = std::ranges::find(functions, name, &OpcodeRow::opcode);
    return row == std::end(functions) ? nullptr : row->decode;
}

std::span<const OpcodeRow> control_opcodes() {
    return rows_of_control;
}

}  // namespace convscope::ptx
