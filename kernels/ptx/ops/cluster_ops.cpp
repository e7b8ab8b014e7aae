// Clusters of blocks: their barrier, addresses in another block's shared memory, and what of compute capability 9.0 has
// nothing to do here.
#include <algorithm>
#include <bit>

#include "kernels/ptx/run/cluster_run.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

/// op.variant: what was done before is ordered before what comes after the barrier.
void arrive_at_cluster(Warp& warp, const Op& op) {
    warp.block().cluster().arrive(warp, op, op.variant);
}
void wait_at_cluster(Warp& warp, const Op& op) {
    warp.block().cluster().wait(warp, op);
}

/// The address op.a in the block of rank op.b. Generic addresses have the same lowest bits.
template <class T>
void map_to_rank(Warp& warp, const Op& op) {
    const T* a = warp.values<T>(op.a);
    const auto* rank = warp.values<std::uint32_t>(op.b);
    constexpr std::uint32_t no_rank = 30;  // no cluster is so large
    each_lane(warp.mask, warp.values<T>(op.d), [&](unsigned i) {
        const T others = static_cast<T>(std::uint64_t{0xffffffff} & ~own_shared_mask);
        return static_cast<T>((a[i] & static_cast<T>(~others)) |
                              static_cast<T>((std::min(rank[i], no_rank) + 1) << shared_rank_bits));
    });
}
bool decode_mapa(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::move;
    instr.ignore({"shared::cluster"});
    const Type type = instr.take_type();
    op.run = bytes_of(type) == 8 ? map_to_rank<std::uint64_t> : map_to_rank<std::uint32_t>;
    decoder.take_operands(instr, op, type, {type, Type::u32});
    return true;
}

template <class T>
void rank_of_address(Warp& warp, const Op& op) {
    const T* a = warp.values<T>(op.a);
    const std::uint32_t own = warp.block().rank();
    each_lane(warp.mask, warp.values<std::uint32_t>(op.d), [&](unsigned i) {
        const auto rank = static_cast<std::uint32_t>(a[i]) >> shared_rank_bits;
        return rank == 0 ? own : rank - 1;
    });
}
bool decode_getctarank(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::move;
    instr.ignore({"shared::cluster"});
    const Type type = instr.take_type();
    op.run = bytes_of(type) == 8 ? rank_of_address<std::uint64_t> : rank_of_address<std::uint32_t>;
    decoder.take_operands(instr, op, Type::u32, {type});
    return true;
}

/// One of the lanes op.a: op.d its number, op.c whether it is this one.
void elect(Warp& warp, const Op& op) {
    if (!warp.gather_members(op, op.a)) return;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(warp.mask));
    each_lane(warp.mask, warp.values<std::uint32_t>(op.d), [=](unsigned) { return first; });
    warp.set_predicate(op.c, 1u << first);
}
bool decode_elect(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::warp;
    if (!instr.take("sync") || instr.operands() != 2) return false;
    const Operand& d = instr.operand(0);
    if (d.kind != Operand::Kind::pair) return false;
    op.d = decoder.result(d.parts[0], Type::b32);
    op.c = decoder.result(d.parts[1], Type::pred);
    op.a = decoder.source(instr.operand(1), Type::b32);
    op.run = elect;
    return true;
}

/// Registers are not counted here; there is no kernel before or after this one.
bool decode_without_effect(Decoder&, InstructionDecoder& instr, Op&) {
    instr.ignore({"inc", "dec", "sync", "aligned", "u32", "wait", "launch_dependents"});
    return true;
}

constexpr OpcodeRow rows_of_clusters[] = {{"mapa", decode_mapa},
                                          {"getctarank", decode_getctarank},
                                          {"elect", decode_elect},
                                          {"setmaxnreg", decode_without_effect},
                                          {"griddepcontrol", decode_without_effect}};

}  // namespace

bool decode_cluster_barrier(Decoder&, InstructionDecoder& instr, Op& op) {
    instr.ignore({"aligned"});
    if (instr.take("arrive")) {
        op.variant = !instr.take("relaxed");
        instr.ignore({"release"});
        op.run = arrive_at_cluster;
    } else if (instr.take("wait")) {
        instr.ignore({"acquire"});
        op.run = wait_at_cluster;
    }
    return op.run && instr.operands() == 0;
}

std::span<const OpcodeRow> cluster_opcodes() {
    return rows_of_clusters;
}

}  // namespace convscope::ptx
