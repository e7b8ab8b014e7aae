// What the lanes of a warp do together: shfl, vote, match, redux, activemask.
#include <algorithm>
#include <bit>

#include "kernels/ptx/decode.h"
#include "kernels/ptx/lane_loops.h"

namespace convscope::ptx {
namespace {

unsigned first_of(std::uint32_t mask) {
    return static_cast<unsigned>(std::countr_zero(mask)) % lanes;
}

bool all_here(Warp& warp, const Op& op, std::uint32_t place) {
    return place == no_place || warp.gather_members(op, place);
}

enum class Shuffle : std::uint8_t { up, down, bfly, idx };

/// op.more: the predicate of the result, or no_place; the members.
void shuffle(Warp& warp, const Op& op) {
    const std::uint32_t* places = &warp.program().operands[op.more];
    if (!all_here(warp, op, places[1])) return;
    const auto *b = warp.values<std::uint32_t>(op.b), *c = warp.values<std::uint32_t>(op.c);
    std::uint32_t values[lanes], result[lanes], inside = 0;
    std::copy_n(warp.values<std::uint32_t>(op.a), lanes, values);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned by = b[lane] & 31, clamp = c[lane] & 31, segment = c[lane] >> 8 & 31;
        const unsigned first = lane & segment, last = first | (clamp & ~segment);
        unsigned from = lane;
        bool holds = false;
        switch (static_cast<Shuffle>(op.choice)) {
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
        result[lane] = values[holds ? from : lane];
    }
    each_lane(warp.mask, warp.values<std::uint32_t>(op.d), [&](unsigned i) { return result[i]; });
    if (places[0] != no_place) warp.set_predicate(places[0], inside);
}
bool decode_shfl(Decoder& decoder, Reading& reading, Op& op) {
    op.kind = Kind::warp;
    const bool sync = reading.take("sync");
    const int how = reading.take_one({"up", "down", "bfly", "idx"});
    if (how < 0 || reading.take_type() != Type::b32 || reading.operands() != (sync ? 5u : 4u)) return false;
    op.choice = static_cast<std::uint8_t>(how);
    const Operand& d = reading.operand(0);
    const bool pair = d.kind == Operand::Kind::pair;
    op.a = decoder.source(reading.operand(1), Type::b32);
    op.b = decoder.source(reading.operand(2), Type::b32);
    op.c = decoder.source(reading.operand(3), Type::b32);
    op.d = decoder.result(pair ? d.parts[0] : d, Type::b32);
    op.more = decoder.more({pair ? decoder.result(d.parts[1], Type::pred) : no_place,
                            sync ? decoder.source(reading.operand(4), Type::b32) : no_place});
    op.run = shuffle;
    return true;
}

enum class Vote : std::uint8_t { all, any, uni, ballot };

/// op.a the predicate, negated where op.bits says so; op.b the members.
void vote(Warp& warp, const Op& op) {
    if (!all_here(warp, op, op.b)) return;
    const std::uint32_t members =
        op.b == no_place ? warp.mask : warp.mask & warp.values<std::uint32_t>(op.b)[first_of(warp.mask)];
    const std::uint32_t holds = (op.bits ? ~warp.predicate(op.a) : warp.predicate(op.a)) & members;
    const auto how = static_cast<Vote>(op.choice);
    if (how == Vote::ballot)
        return each_lane(warp.mask, warp.values<std::uint32_t>(op.d), [=](unsigned) { return holds; });
    const bool result = how == Vote::any ? holds != 0 : holds == members || (how == Vote::uni && holds == 0);
    warp.set_predicate(op.d, result ? all_lanes : 0);
}
bool decode_vote(Decoder& decoder, Reading& reading, Op& op) {
    op.kind = Kind::warp;
    const bool sync = reading.take("sync");
    const int how = reading.take_one({"all", "any", "uni", "ballot"});
    const Type type = reading.take_type();
    if (how < 0 || reading.operands() != (sync ? 3u : 2u)) return false;
    op.choice = static_cast<std::uint8_t>(how);
    op.a = decoder.source(reading.operand(1), Type::pred);
    op.bits = reading.operand(1).negated;
    if (sync) op.b = decoder.source(reading.operand(2), Type::b32);
    op.d = decoder.result(reading.operand(0), type);
    op.run = vote;
    return true;
}

/// op.b the members; of match.all op.c is the predicate of the result, or no_place.
template <class T, bool All>
void match(Warp& warp, const Op& op) {
    if (!all_here(warp, op, op.b)) return;
    const std::uint32_t members = warp.mask;
    T values[lanes];
    std::copy_n(warp.values<T>(op.a), lanes, values);
    std::uint32_t same[lanes] = {};
    for (unsigned lane = 0; lane < lanes; ++lane)
        same[lane] = lanes_where([&](unsigned i) { return values[i] == values[lane]; }) & members;
    const bool one = same[first_of(members)] == members;
    each_lane(warp.mask, warp.values<std::uint32_t>(op.d),
              [&](unsigned i) { return All ? (one ? members : 0) : same[i]; });
    if (All && op.c != no_place) warp.set_predicate(op.c, one ? all_lanes : 0);
}
bool decode_match(Decoder& decoder, Reading& reading, Op& op) {
    op.kind = Kind::warp;
    const bool all = reading.take("all");
    if (!all && !reading.take("any")) return false;
    if (!reading.take("sync") || reading.operands() != 3) return false;
    const Type type = reading.take_type();
    op.a = decoder.source(reading.operand(1), type);
    op.b = decoder.source(reading.operand(2), Type::b32);
    const Operand& d = reading.operand(0);
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
bool decode_activemask(Decoder& decoder, Reading& reading, Op& op) {
    op.kind = Kind::warp;
    op.run = active_mask;
    reading.take_type();
    decoder.take_operands(reading, op, Type::b32, {});
    return true;
}

enum class Reduce : std::uint8_t { add, min, max, both, either, one };
template <class T>
void reduce(Warp& warp, const Op& op) {
    if (!all_here(warp, op, op.b)) return;
    const T* values = warp.values<T>(op.a);
    T sum = values[first_of(warp.mask)];
    for (unsigned i = first_of(warp.mask) + 1; i < lanes; ++i) {
        if (!(warp.mask >> i & 1)) continue;
        const T value = values[i];
        switch (static_cast<Reduce>(op.choice)) {
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
    each_lane(warp.mask, warp.values<T>(op.d), [=](unsigned) { return sum; });
}
bool decode_redux(Decoder& decoder, Reading& reading, Op& op) {
    op.kind = Kind::warp;
    if (!reading.take("sync")) return false;
    const int how = reading.take_one({"add", "min", "max", "and", "or", "xor"});
    const Type type = reading.take_type();
    if (how < 0 || is_real(type) || bytes_of(type) != 4) return false;
    op.choice = static_cast<std::uint8_t>(how);
    op.run = is_signed(type) ? Run{reduce<std::int32_t>} : reduce<std::uint32_t>;
    decoder.take_operands(reading, op, type, {type, Type::b32});
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
