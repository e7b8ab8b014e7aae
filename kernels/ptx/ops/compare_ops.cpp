// setp, set, selp, slct: PTX ISA, 'Comparison and Selection Instructions'.
#include <cmath>

#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/half.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

/// Unordered comparisons hold where an operand is NaN.
enum class Comparison : std::uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <Comparison C>
struct Compare {
    template <class T>
    static bool of(T a, T b) {
        if constexpr (C == Comparison::eq) return a == b;
        if constexpr (C == Comparison::ne) return a < b || a > b;  // false of NaN, unlike C++'s !=
        if constexpr (C == Comparison::lt) return a < b;
        if constexpr (C == Comparison::le) return a <= b;
        if constexpr (C == Comparison::gt) return a > b;
        if constexpr (C == Comparison::ge) return a >= b;
        if constexpr (C == Comparison::equ) return !(a < b || a > b);
        if constexpr (C == Comparison::neu) return a != b;
        if constexpr (C == Comparison::ltu) return !(a >= b);
        if constexpr (C == Comparison::leu) return !(a > b);
        if constexpr (C == Comparison::gtu) return !(a <= b);
        if constexpr (C == Comparison::geu) return !(a < b);
        if constexpr (C == Comparison::num) return a == a && b == b;
        return a != a || b != b;
    }
};

struct Same {
    template <class T>
    static T of(T a) {
        return a;
    }
};
struct FromF16 {
    static float of(std::uint16_t a) { return float_of_f16(a); }
};
struct FromBf16 {
    static float of(std::uint16_t a) { return float_of_bf16(a); }
};

using Compared = std::uint32_t (*)(Warp&, const Op&);

template <Comparison C, class T, class Read>
CONVSCOPE_PTX_CLONES std::uint32_t compared(Warp& warp, const Op& op) {
    const T *a = warp.values<T>(op.a), *b = warp.values<T>(op.b);
    std::uint8_t holds[lanes];
#pragma GCC ivdep
    for (unsigned i = 0; i < lanes; ++i) holds[i] = Compare<C>::of(Read::of(a[i]), Read::of(b[i]));
    return lanes_where([&](unsigned i) { return holds[i] != 0; });
}

enum class Combine : std::uint8_t { none, both, either, one };
std::uint32_t combined(Combine how, std::uint32_t a, std::uint32_t b) {
    switch (how) {
        case Combine::both:
            return a & b;
        case Combine::either:
            return a | b;
        case Combine::one:
            return a ^ b;
        default:
            return a;
    }
}

/// Combines the comparison with 'c' as op.variant says: the operation, and whether 'c' is negated.
std::uint32_t with_c(Warp& warp, const Op& op, std::uint32_t holds) {
    const auto how = static_cast<Combine>(op.variant & 3);
    std::uint32_t other = how == Combine::none ? 0 : warp.predicate(op.c);
    if (op.variant & 4) other = ~other;
    return combined(how, holds, other);
}

/// op.extra_operands, where there is one: the second result.
template <Compared F>
void set_predicates(Warp& warp, const Op& op) {
    const std::uint32_t holds = F(warp, op);
    const std::uint32_t result = with_c(warp, op, holds);  // 'c' may be one of the results
    if (op.bits != 0) warp.set_predicate(warp.program().operands[op.extra_operands], with_c(warp, op, ~holds));
    warp.set_predicate(op.d, result);
}
/// op.bits is the value for yes.
template <Compared F>
void set_values(Warp& warp, const Op& op) {
    const std::uint32_t holds = F(warp, op);
    const std::uint32_t result = with_c(warp, op, holds);
    const auto fill = [&]<class T>(T* d) {
        each_lane(warp.mask, d, [=](unsigned i) { return static_cast<T>(result >> i & 1 ? op.bits : 0); });
    };
    op.bytes == 2 ? fill(warp.values<std::uint16_t>(op.d)) : fill(warp.values<std::uint32_t>(op.d));
}

template <Compared F>
Run choose_result(bool predicates) {
    return predicates ? set_predicates<F> : set_values<F>;
}
template <Comparison C>
Run choose_type(Type type, bool predicates) {
    constexpr bool ordered = C <= Comparison::ge;
    switch (type) {
        case Type::f32:
            return choose_result<compared<C, float, Same>>(predicates);
        case Type::f64:
            return choose_result<compared<C, double, Same>>(predicates);
        case Type::f16:
            return choose_result<compared<C, std::uint16_t, FromF16>>(predicates);
        case Type::bf16:
            return choose_result<compared<C, std::uint16_t, FromBf16>>(predicates);
        default:
            break;
    }
    if constexpr (ordered) switch (type) {
            case Type::b16:
            case Type::u16:
                return choose_result<compared<C, std::uint16_t, Same>>(predicates);
            case Type::s16:
                return choose_result<compared<C, std::int16_t, Same>>(predicates);
            case Type::b32:
            case Type::u32:
                return choose_result<compared<C, std::uint32_t, Same>>(predicates);
            case Type::s32:
                return choose_result<compared<C, std::int32_t, Same>>(predicates);
            case Type::b64:
            case Type::u64:
                return choose_result<compared<C, std::uint64_t, Same>>(predicates);
            case Type::s64:
                return choose_result<compared<C, std::int64_t, Same>>(predicates);
            default:
                break;
        }
    return nullptr;
}
Run choose_comparison(int comparison, Type type, bool predicates) {
    switch (static_cast<Comparison>(comparison)) {
        case Comparison::eq:
            return choose_type<Comparison::eq>(type, predicates);
        case Comparison::ne:
            return choose_type<Comparison::ne>(type, predicates);
        case Comparison::lt:
            return choose_type<Comparison::lt>(type, predicates);
        case Comparison::le:
            return choose_type<Comparison::le>(type, predicates);
        case Comparison::gt:
            return choose_type<Comparison::gt>(type, predicates);
        case Comparison::ge:
            return choose_type<Comparison::ge>(type, predicates);
        case Comparison::equ:
            return choose_type<Comparison::equ>(type, predicates);
        case Comparison::neu:
            return choose_type<Comparison::neu>(type, predicates);
        case Comparison::ltu:
            return choose_type<Comparison::ltu>(type, predicates);
        case Comparison::leu:
            return choose_type<Comparison::leu>(type, predicates);
        case Comparison::gtu:
            return choose_type<Comparison::gtu>(type, predicates);
        case Comparison::geu:
            return choose_type<Comparison::geu>(type, predicates);
        case Comparison::num:
            return choose_type<Comparison::num>(type, predicates);
        case Comparison::nan:
            return choose_type<Comparison::nan>(type, predicates);
    }
    return nullptr;
}

/// setp and set, but for the result.
bool decode_comparison(Decoder& decoder, InstructionDecoder& instr, Op& op, bool predicates) {
    int comparison =
        instr.take_one({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
    if (comparison < 0) {  // of unsigned numbers there are other words, too
        const int other = instr.take_one({"lo", "ls", "hi", "hs"});
        if (other < 0) return false;
        comparison = static_cast<int>(Comparison::lt) + other;
    }
    op.variant = static_cast<std::uint8_t>(instr.take_one({"and", "or", "xor"}) + 1);
    const bool flush = instr.take("ftz");
    const Type result = predicates ? Type::pred : instr.take_type();
    const Type type = instr.take_type();
    op.run = choose_comparison(comparison, type, predicates);
    if (!op.run || instr.operands() != (op.variant ? 4u : 3u)) return false;
    op.a = decoder.source(instr.operand(1), type);
    op.b = decoder.source(instr.operand(2), type);
    if (op.variant) {
        op.c = decoder.source(instr.operand(3), Type::pred);
        if (instr.operand(3).negated) op.variant |= 4;
    }
    if (flush && op.variant) return false;
    const Operand& d = instr.operand(0);
    if (predicates) {
        const bool pair = d.kind == Operand::Kind::pair;
        op.d = decoder.result(pair ? d.parts[0] : d, Type::pred);
        op.bits = pair;
        if (pair) op.extra_operands = decoder.add_operands({decoder.result(d.parts[1], Type::pred)});
    } else {
        op.bits = result == Type::f32    ? 0x3f800000
                  : result == Type::f16  ? 0x3c00
                  : result == Type::bf16 ? 0x3f80
                                         : 0xffffffff;
        op.bytes = static_cast<std::uint8_t>(bytes_of(result));
        op.d = decoder.result(d, result);
        if (bytes_of(result) != 4 && bytes_of(result) != 2) return false;
    }
    if (flush) set_float_mode(op, 0, true);
    return true;
}
bool decode_setp(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    return decode_comparison(decoder, instr, op, true);
}
bool decode_set(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    return decode_comparison(decoder, instr, op, false);
}

template <class T>
CONVSCOPE_PTX_CLONES void select(Warp& warp, const Op& op) {
    const T *a = warp.values<T>(op.a), *b = warp.values<T>(op.b);
    const std::uint32_t first = warp.predicate(op.c);
    each_lane(warp.mask, warp.values<T>(op.d), [=](unsigned i) { return first >> i & 1 ? a[i] : b[i]; });
}
bool decode_selp(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Type type = instr.take_type();
    switch (bytes_of(type)) {
        case 2:
            op.run = select<std::uint16_t>;
            break;
        case 4:
            op.run = select<std::uint32_t>;
            break;
        case 8:
            op.run = select<std::uint64_t>;
            break;
        default:
            return false;
    }
    decoder.take_operands(instr, op, type, {type, type, Type::pred});
    return !instr.operand(3).negated;
}

template <class C>
struct SelectBySign {
    template <class T>
    static T of(T a, T b, C c) {
        return c >= 0 ? a : b;
    }
};
bool decode_slct(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    instr.ignore({"ftz"});
    const Type type = instr.take_type(), sign = instr.take_type();
    const bool real = sign == Type::f32;
    if (!real && sign != Type::s32) return false;
    if (bytes_of(type) == 4)
        op.run = real ? ternary<SelectBySign<float>, std::uint32_t, std::uint32_t, std::uint32_t, float>
                      : ternary<SelectBySign<std::int32_t>, std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>;
    else if (bytes_of(type) == 8)
        op.run = real ? ternary<SelectBySign<float>, std::uint64_t, std::uint64_t, std::uint64_t, float>
                      : ternary<SelectBySign<std::int32_t>, std::uint64_t, std::uint64_t, std::uint64_t, std::int32_t>;
    else
        return false;
    decoder.take_operands(instr, op, type, {type, type, sign});
    return true;
}

constexpr OpcodeRow rows_of_comparisons[] = {
    {"setp", decode_setp}, {"set", decode_set}, {"selp", decode_selp}, {"slct", decode_slct}};

}  // namespace

std::span<const OpcodeRow> compare_opcodes() {
    return rows_of_comparisons;
}

}  // namespace convscope::ptx
