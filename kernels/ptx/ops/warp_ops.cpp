// Instructions that the lanes of a warp execute together: shfl, vote, match, redux, activemask.
#include <algorithm>
#include <array>
#include <bit>

#include "kernels/ptx/run/block_run.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

unsigned first_of(std::uint32_t mask) {
    return static_cast<unsigned>(std::countr_zero(mask)) % lanes;
}

bool all_here(Warp& warp, const Op& op, std::uint32_t reg_offset) {
    return reg_offset == no_reg || warp.gather_members(op, reg_offset);
}

/// The lanes that take part together with lane i: those that its own mask names. Of forms without a mask, all.
std::uint32_t members_of(Warp& warp, std::uint32_t reg_offset, unsigned i) {
    return reg_offset == no_reg ? warp.mask : warp.mask & warp.values<std::uint32_t>(reg_offset)[i];
}

enum class Shuffle : std::uint8_t { up, down, bfly, idx };
constexpr std::uint32_t of_no_lane = 0xffffffff;  ///< NaN, or -1

/// op.extra_operands: the predicate of the result, or no_reg; the members.
void shuffle(Warp& warp, const Op& op) {
    const std::uint32_t* reg_offsets = &warp.program().operands[op.extra_operands];
    if (!all_here(warp, op, reg_offsets[1])) return;
    const auto *b = warp.values<std::uint32_t>(op.b), *c = warp.values<std::uint32_t>(op.c);
    std::uint32_t values[lanes], result[lanes], inside = 0, gone = 0;
    std::array<unsigned, lanes> taken_from{};
    std::copy_n(warp.values<std::uint32_t>(op.a), lanes, values);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned by = b[lane] & 31, clamp = c[lane] & 31, segment = c[lane] >> 8 & 31;
        const unsigned first = lane & segment, last = first | (clamp & ~segment);
        unsigned from = lane;
        bool holds = false;
        switch (static_cast<Shuffle>(op.variant)) {
            case Shuffle::up:
                holds = static_cast<int>(lane) - static_cast<int>(by) >= static_cast<int>(last);
                from = lane - by;
                break;
            case Shuffle::down:
                holds = (from = lane + by) <= last;
                break;
            case Shuffle::bfly:
                holds = (from = lane ^ by) <= last;
                break;
            case Shuffle::idx:
                holds = (from = first | (by & ~segment)) <= last;
                break;
        }
        inside |= static_cast<std::uint32_t>(holds) << lane;
        taken_from[lane] = holds ? from : lane;
        result[lane] = values[taken_from[lane]];
        if (!holds || !(warp.mask >> lane & 1)) continue;
        // All lanes of the mask have come but those that are no more. What a lane outside the mask gives, programs
        // drop: who does not is to see it. Without a mask, every lane that is asked has to be here.
        const bool named = reg_offsets[1] == no_reg || (warp.values<std::uint32_t>(reg_offsets[1])[lane] >> from & 1);
        if (!named) result[lane] = of_no_lane;
        if (named && !(warp.mask >> from & 1)) gone |= 1U << lane;
    }
    if (gone != 0)
        warp.block().report({.kind = FindingKind::uninitialised,
                             .found = warp.block().location(warp, first_of(gone), op.line),
                             .element = {},
                             .what = "takes the value of a lane that has left or never was",
                             .other = {},
                             .other_action = {},
                             .times = std::popcount(gone)});
    if (warp.undefined.any()) [[unlikely]]
        warp.undefined.shuffled(warp, op, taken_from);
    each_lane(warp.mask, warp.values<std::uint32_t>(op.d), [&](unsigned i) { return result[i]; });
    if (reg_offsets[0] != no_reg) warp.set_predicate(reg_offsets[0], inside);
}
bool decode_shfl(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::warp;
    const bool sync = instr.take("sync");
    const int how = instr.take_one({"up", "down", "bfly", "idx"});
    if (how < 0 || instr.take_type() != Type::b32 || instr.operands() != (sync ? 5u : 4u)) return false;
    op.variant = static_cast<std::uint8_t>(how);
    const Operand& d = instr.operand(0);
    const bool pair = d.kind == Operand::Kind::pair;
    op.a = decoder.source(instr.operand(1), Type::b32);
    op.b = decoder.source(instr.operand(2), Type::b32);
    op.c = decoder.source(instr.operand(3), Type::b32);
    op.d = decoder.result(pair ? d.parts[0] : d, Type::b32);
    op.extra_operands = decoder.add_operands({pair ? decoder.result(d.parts[1], Type::pred) : no_reg,
                                              sync ? decoder.source(instr.operand(4), Type::b32) : no_reg});
    op.run = shuffle;
    return true;
}

enum class Vote : std::uint8_t { all, any, uni, ballot };

/// op.a the predicate, negated where op.bits says so; op.b the members.
void vote(Warp& warp, const Op& op) {
    if (!all_here(warp, op, op.b)) return;
    const std::uint32_t holds = op.bits ? ~warp.predicate(op.a) : warp.predicate(op.a);
    const auto how = static_cast<Vote>(op.variant);
    if (how == Vote::ballot)
        return each_lane(warp.mask, warp.values<std::uint32_t>(op.d),
                         [&](unsigned i) { return holds & members_of(warp, op.b, i); });
    warp.set_predicate(op.d, lanes_where([&](unsigned i) {
                           const std::uint32_t members = members_of(warp, op.b, i), those = holds & members;
                           return how == Vote::any ? those != 0 : those == members || (how == Vote::uni && those == 0);
                       }));
}
bool decode_vote(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::warp;
    const bool sync = instr.take("sync");
    const int how = instr.take_one({"all", "any", "uni", "ballot"});
    const Type type = instr.take_type();
    if (how < 0 || instr.operands() != (sync ? 3u : 2u)) return false;
    op.variant = static_cast<std::uint8_t>(how);
    op.a = decoder.source(instr.operand(1), Type::pred);
    op.bits = instr.operand(1).negated;
    if (sync) op.b = decoder.source(instr.operand(2), Type::b32);
    op.d = decoder.result(instr.operand(0), type);
    op.run = vote;
    return true;
}

/// op.b the members; of match.all op.c is the predicate of the result, or no_reg.
template <class T, bool All>
void match(Warp& warp, const Op& op) {
    if (!all_here(warp, op, op.b)) return;
    T values[lanes];
    std::copy_n(warp.values<T>(op.a), lanes, values);
    std::uint32_t members[lanes], same[lanes];
    for (unsigned lane = 0; lane < lanes; ++lane) {
        members[lane] = members_of(warp, op.b, lane);
        same[lane] = lanes_where([&](unsigned i) { return values[i] == values[lane]; }) & members[lane];
    }
    each_lane(warp.mask, warp.values<std::uint32_t>(op.d),
              [&](unsigned i) { return !All || same[i] == members[i] ? same[i] : 0; });
    if (All && op.c != no_reg) warp.set_predicate(op.c, lanes_where([&](unsigned i) { return same[i] == members[i]; }));
}
bool decode_match(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::warp;
    const bool all = instr.take("all");
    if (!all && !instr.take("any")) return false;
    if (!instr.take("sync") || instr.operands() != 3) return false;
    const Type type = instr.take_type();
    op.a = decoder.source(instr.operand(1), type);
    op.b = decoder.source(instr.operand(2), Type::b32);
    const Operand& d = instr.operand(0);
    const bool pair = d.kind == Operand::Kind::pair;
    op.d = decoder.result(pair ? d.parts[0] : d, Type::b32);
    if (pair) op.c = decoder.result(d.parts[1], Type::pred);
    if (bytes_of(type) == 8)
        op.run = all ? match<std::uint64_t, true> : match<std::uint64_t, false>;
    else
        op.run = all ? match<std::uint32_t, true> : match<std::uint32_t, false>;
    return true;
}

void active_mask(Warp& warp, const Op& op) {
    const std::uint32_t active = warp.active();
    each_lane(warp.mask, warp.values<std::uint32_t>(op.d), [=](unsigned) { return active; });
}
bool decode_activemask(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::warp;
    op.run = active_mask;
    instr.take_type();
    decoder.take_operands(instr, op, Type::b32, {});
    return true;
}

enum class Reduce : std::uint8_t { add, min, max, both, either, one };
template <class T>
T reduced(const T* values, std::uint32_t members, Reduce how) {
    T sum = values[first_of(members)];
    for (members &= members - 1; members != 0; members &= members - 1) {
        const T value = values[first_of(members)];
        switch (how) {
            case Reduce::add:
                sum = static_cast<T>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(value));
                break;
            case Reduce::min:
                sum = std::min(sum, value);
                break;
            case Reduce::max:
                sum = std::max(sum, value);
                break;
            case Reduce::both:
                sum &= value;
                break;
            case Reduce::either:
                sum |= value;
                break;
            case Reduce::one:
                sum ^= value;
                break;
        }
    }
    return sum;
}
template <class T>
void reduce(Warp& warp, const Op& op) {
    if (!all_here(warp, op, op.b)) return;
    T result[lanes], last{};
    std::uint32_t members = 0;
    for (unsigned i = 0; i < lanes; ++i) {
        if (!(warp.mask >> i & 1)) continue;
        if (const std::uint32_t own = members_of(warp, op.b, i); own != members)
            last = reduced(warp.values<T>(op.a), members = own, static_cast<Reduce>(op.variant));
        result[i] = last;
    }
    each_lane(warp.mask, warp.values<T>(op.d), [&](unsigned i) { return result[i]; });
}
bool decode_redux(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::warp;
    if (!instr.take("sync")) return false;
    const int how = instr.take_one({"add", "min", "max", "and", "or", "xor"});
    const Type type = instr.take_type();
    if (how < 0 || is_real(type) || bytes_of(type) != 4) return false;
    op.variant = static_cast<std::uint8_t>(how);
    op.run = is_signed(type) ? Run{reduce<std::int32_t>} : reduce<std::uint32_t>;
    decoder.take_operands(instr, op, type, {type, Type::b32});
    return true;
}

constexpr OpcodeRow rows_of_warps[] = {{"shfl", decode_shfl},
                                       {"vote", decode_vote},
                                       {"match", decode_match},
                                       {"activemask", decode_activemask},
                                       {"redux", decode_redux}};

}  // namespace

std::span<const OpcodeRow> warp_opcodes() {
    return rows_of_warps;
}

}  // namespace convscope::ptx
