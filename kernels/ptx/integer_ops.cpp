// Whole numbers and bits: PTX ISA, 'Integer Arithmetic Instructions' and 'Logic and Shift Instructions'.
#include <bit>
#include <limits>
#include <type_traits>

#include "kernels/ptx/decode.h"
#include "kernels/ptx/lane_loops.h"

namespace convscope::ptx {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;
template <class T>
constexpr int bit_count = 8 * sizeof(T);
/// Twice as wide.
template <class T>
using Wide = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                                std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

struct Add {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(a + b);
    }
};
struct Sub {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(a - b);
    }
};
struct MulLow {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(std::uint64_t{a} * b);
    }
};
struct MulHigh {
    template <class T>
    static T of(T a, T b) {
        if constexpr (sizeof(T) == 8)
            return static_cast<T>((static_cast<std::conditional_t<std::is_signed_v<T>, Int128, Uint128>>(a) * b) >> 64);
        else
            return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b) >> bit_count<T>);
    }
};
struct MulWide {
    template <class T>
    static Wide<T> of(T a, T b) {
        return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
    }
};
struct MadLow {
    template <class T>
    static T of(T a, T b, T c) {
        return static_cast<T>(std::uint64_t{a} * b + c);
    }
};
struct MadHigh {
    template <class T>
    static T of(T a, T b, T c) {
        return static_cast<T>(static_cast<Unsigned<T>>(MulHigh::of(a, b)) + static_cast<Unsigned<T>>(c));
    }
};
struct MadWide {
    template <class T>
    static Wide<T> of(T a, T b, Wide<T> c) {
        using U = Unsigned<Wide<T>>;
        return static_cast<Wide<T>>(static_cast<U>(MulWide::of(a, b)) + static_cast<U>(c));
    }
};
/// Of 24 bits, as mul24 has them.
template <class T>
T low24(T a) {
    return static_cast<T>(static_cast<T>(static_cast<Unsigned<T>>(a) << 8) >> 8);
}
struct Mul24 {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(static_cast<Wide<T>>(low24(a)) * low24(b));
    }
};
struct Mad24 {
    template <class T>
    static T of(T a, T b, T c) {
        return static_cast<T>(static_cast<Unsigned<T>>(Mul24::of(a, b)) + static_cast<Unsigned<T>>(c));
    }
};
struct Sad {
    template <class T>
    static T of(T a, T b, T c) {
        const Unsigned<T> x = static_cast<Unsigned<T>>(a), y = static_cast<Unsigned<T>>(b);
        return static_cast<T>(static_cast<Unsigned<T>>(c) + (a < b ? y - x : x - y));
    }
};
/// A division by zero gives all ones, as GPUs do.
struct Div {
    template <class T>
    static T of(T a, T b) {
        if (b == 0) return static_cast<T>(~T{0});
        if (std::is_signed_v<T> && b == static_cast<T>(-1))
            return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
        return static_cast<T>(a / b);
    }
};
struct Rem {
    template <class T>
    static T of(T a, T b) {
        if (b == 0) return a;
        if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
        return static_cast<T>(a % b);
    }
};
struct Min {
    template <class T>
    static T of(T a, T b) {
        return a < b ? a : b;
    }
};
struct Max {
    template <class T>
    static T of(T a, T b) {
        return a > b ? a : b;
    }
};
struct Abs {
    template <class T>
    static T of(T a) {
        return a < 0 ? static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a)) : a;
    }
};
struct Neg {
    template <class T>
    static T of(T a) {
        return static_cast<T>(T{0} - a);
    }
};
struct SaturatedAdd {
    static std::int32_t of(std::int32_t a, std::int32_t b) {
        const std::int64_t sum = std::int64_t{a} + b;
        return static_cast<std::int32_t>(sum > 2147483647 ? 2147483647 : sum < -2147483648LL ? -2147483648LL : sum);
    }
};
struct SaturatedSub {
    static std::int32_t of(std::int32_t a, std::int32_t b) {
        const std::int64_t sum = std::int64_t{a} - b;
        return static_cast<std::int32_t>(sum > 2147483647 ? 2147483647 : sum < -2147483648LL ? -2147483648LL : sum);
    }
};
struct And {
    template <class T>
    static T of(T a, T b) {
        return a & b;
    }
};
struct Or {
    template <class T>
    static T of(T a, T b) {
        return a | b;
    }
};
struct Xor {
    template <class T>
    static T of(T a, T b) {
        return a ^ b;
    }
};
struct Not {
    template <class T>
    static T of(T a) {
        return static_cast<T>(~a);
    }
};
struct IsZero {
    template <class T>
    static T of(T a) {
        return a == 0;
    }
};
struct ShiftLeft {
    template <class T>
    static T of(T a, std::uint32_t by) {
        return by >= bit_count<T> ? T{0} : static_cast<T>(a << by);
    }
};
struct ShiftRight {
    template <class T>
    static T of(T a, std::uint32_t by) {
        return static_cast<T>(a >> (by >= bit_count<T> ? bit_count<T> - 1 : by) >> (by >= bit_count<T>));
    }
};
template <bool Left, bool Wrap>
struct FunnelShift {
    static std::uint32_t of(std::uint32_t low, std::uint32_t high, std::uint32_t by) {
        by = Wrap ? by & 31 : by > 32 ? 32 : by;
        const std::uint64_t both = std::uint64_t{high} << 32 | low;
        return static_cast<std::uint32_t>(Left ? both << by >> 32 : both >> by);
    }
};
struct PopCount {
    template <class T>
    static std::uint32_t of(T a) {
        return static_cast<std::uint32_t>(std::popcount(a));
    }
};
struct LeadingZeros {
    template <class T>
    static std::uint32_t of(T a) {
        return static_cast<std::uint32_t>(std::countl_zero(a));
    }
};
/// The highest bit that differs from the sign; 0xffffffff where there is none. By how far to shift it there: Shift.
template <bool Shift>
struct FindBit {
    template <class T>
    static std::uint32_t of(T a) {
        const auto bits = static_cast<Unsigned<T>>(std::is_signed_v<T> && a < 0 ? ~a : a);
        const int zeros = std::countl_zero(bits);
        if (zeros == bit_count<T>) return ~0u;
        return static_cast<std::uint32_t>(Shift ? zeros : bit_count<T> - 1 - zeros);
    }
};
struct ReverseBits {
    template <class T>
    static T of(T a) {
        T result = 0;
        for (int i = 0; i < bit_count<T>; ++i) result = static_cast<T>(result << 1 | (a >> i & 1));
        return result;
    }
};
struct ExtractBits {
    template <class T>
    static T of(T a, std::uint32_t from, std::uint32_t length) {
        from &= 255;
        length &= 255;
        T result = 0;
        const int last = bit_count<T> - 1;
        const int sign_at = static_cast<int>(from + length) - 1 < last ? static_cast<int>(from + length) - 1 : last;
        const bool sign = std::is_signed_v<T> && length > 0 && (a >> sign_at & 1);
        for (int i = 0; i <= last; ++i) {
            const bool inside = static_cast<std::uint32_t>(i) < length && static_cast<int>(from) + i <= last;
            const bool bit = inside ? (a >> (static_cast<int>(from) + i) & 1) : sign;
            result = static_cast<T>(result | static_cast<T>(static_cast<Unsigned<T>>(bit) << i));
        }
        return result;
    }
};
struct InsertBits {
    template <class T>
    static T of(T a, T b, std::uint32_t from, std::uint32_t length) {
        from &= 255;
        length &= 255;
        if (from >= bit_count<T> || length == 0) return b;
        const T ones = length >= bit_count<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
        const T field = static_cast<T>(ones << from);
        return static_cast<T>((b & ~field) | (static_cast<T>(a << from) & field));
    }
};

template <class T>
CONVSCOPE_PTX_CLONES void insert_bits(Warp& warp, const Op& op) {
    const std::uint32_t* places = &warp.program().operands[op.more];
    const T *a = warp.values<T>(op.a), *b = warp.values<T>(op.b);
    const auto *from = warp.values<std::uint32_t>(op.c), *length = warp.values<std::uint32_t>(places[0]);
    each_lane(warp.mask, warp.values<T>(op.d),
              [=](unsigned i) { return InsertBits::of(a[i], b[i], from[i], length[i]); });
}

CONVSCOPE_PTX_CLONES void lookup3(Warp& warp, const Op& op) {
    const auto *a = warp.values<std::uint32_t>(op.a), *b = warp.values<std::uint32_t>(op.b),
               *c = warp.values<std::uint32_t>(op.c);
    std::uint32_t row[8];  // all ones where the table has a one
    for (unsigned i = 0; i < 8; ++i) row[i] = op.bits >> i & 1 ? ~0u : 0;
    each_lane(warp.mask, warp.values<std::uint32_t>(op.d), [=](unsigned i) {
        const std::uint32_t x = a[i], y = b[i], z = c[i];
        return (~x & ~y & ~z & row[0]) | (~x & ~y & z & row[1]) | (~x & y & ~z & row[2]) | (~x & y & z & row[3]) |
               (x & ~y & ~z & row[4]) | (x & ~y & z & row[5]) | (x & y & ~z & row[6]) | (x & y & z & row[7]);
    });
}

/// dp4a: signed or not, for each of the two.
template <class A, class B>
struct DotProduct4 {
    static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (int i = 0; i < 32; i += 8)
            c += static_cast<std::uint32_t>(static_cast<A>(a >> i) * static_cast<B>(b >> i));
        return c;
    }
};

struct Permute {
    static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t control) {
        const std::uint64_t both = std::uint64_t{b} << 32 | a;
        std::uint32_t result = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const std::uint32_t pick = control >> 4 * i & 15;
            std::uint32_t byte = static_cast<std::uint32_t>(both >> 8 * (pick & 7)) & 255;
            if (pick & 8) byte = byte & 128 ? 255 : 0;
            result |= byte << 8 * i;
        }
        return result;
    }
};

// Of predicates: a bit of each lane.
template <class F>
void predicate_binary(Warp& warp, const Op& op) {
    warp.set_predicate(op.d, F::of(warp.predicate(op.a), warp.predicate(op.b)));
}
void predicate_not(Warp& warp, const Op& op) {
    warp.set_predicate(op.d, ~warp.predicate(op.a));
}

// Which function for which type.
template <class F>
Run signed_or_not(Type type) {
    switch (type) {
        case Type::u16:
            return binary<F, std::uint16_t>;
        case Type::s16:
            return binary<F, std::int16_t>;
        case Type::u32:
            return binary<F, std::uint32_t>;
        case Type::s32:
            return binary<F, std::int32_t>;
        case Type::u64:
            return binary<F, std::uint64_t>;
        case Type::s64:
            return binary<F, std::int64_t>;
        default:
            return nullptr;
    }
}
template <class F>
Run any_sign(Type type) {
    if (is_real(type) || type == Type::pred) return nullptr;
    switch (bytes_of(type)) {
        case 2:
            return binary<F, std::uint16_t>;
        case 4:
            return binary<F, std::uint32_t>;
        case 8:
            return binary<F, std::uint64_t>;
        default:
            return nullptr;
    }
}
template <class F>
Run any_sign_unary(Type type) {
    if (is_real(type) || type == Type::pred) return nullptr;
    switch (bytes_of(type)) {
        case 2:
            return unary<F, std::uint16_t>;
        case 4:
            return unary<F, std::uint32_t>;
        case 8:
            return unary<F, std::uint64_t>;
        default:
            return nullptr;
    }
}

/// Types that other files' instructions of the same opcode have are theirs.
bool is_integer(const Instruction& instruction) {
    for (const std::string& modifier : instruction.modifiers)
        if (const auto type = parse_type(modifier); type && is_real(*type)) return false;
    return true;
}

template <Run (*Choose)(Type)>
bool decode_binary(Decoder& decoder, Reading& reading, Op& op) {
    const Type type = reading.take_type();
    op.run = Choose(type);
    if (op.run) decoder.take_operands(reading, op, type, {type, type});
    return op.run != nullptr;
}
template <Run (*Choose)(Type)>
bool decode_unary(Decoder& decoder, Reading& reading, Op& op) {
    const Type type = reading.take_type();
    op.run = Choose(type);
    if (op.run) decoder.take_operands(reading, op, type, {type});
    return op.run != nullptr;
}

template <class F>
Run only_s32(Type type) {
    return type == Type::s32 ? binary<F, std::int32_t> : nullptr;
}
bool decode_add(Decoder& decoder, Reading& reading, Op& op) {
    if (!is_integer(reading.instruction)) return decode_real_add(decoder, reading, op);
    return reading.take("sat") ? decode_binary<only_s32<SaturatedAdd>>(decoder, reading, op)
                               : decode_binary<any_sign<Add>>(decoder, reading, op);
}
bool decode_sub(Decoder& decoder, Reading& reading, Op& op) {
    if (!is_integer(reading.instruction)) return decode_real_sub(decoder, reading, op);
    return reading.take("sat") ? decode_binary<only_s32<SaturatedSub>>(decoder, reading, op)
                               : decode_binary<any_sign<Sub>>(decoder, reading, op);
}

template <class F>
Run wide_binary(Type type) {
    switch (type) {
        case Type::u16:
            return binary<F, std::uint32_t, std::uint16_t>;
        case Type::s16:
            return binary<F, std::int32_t, std::int16_t>;
        case Type::u32:
            return binary<F, std::uint64_t, std::uint32_t>;
        case Type::s32:
            return binary<F, std::int64_t, std::int32_t>;
        default:
            return nullptr;
    }
}
Run wide_mad(Type type) {
    switch (type) {
        case Type::u16:
            return ternary<MadWide, std::uint32_t, std::uint16_t>;
        case Type::s16:
            return ternary<MadWide, std::int32_t, std::int16_t>;
        case Type::u32:
            return ternary<MadWide, std::uint64_t, std::uint32_t>;
        case Type::s32:
            return ternary<MadWide, std::int64_t, std::int32_t>;
        default:
            return nullptr;
    }
}
Run low_mad(Type type) {
    switch (bytes_of(type)) {
        case 2:
            return ternary<MadLow, std::uint16_t>;
        case 4:
            return ternary<MadLow, std::uint32_t>;
        case 8:
            return ternary<MadLow, std::uint64_t>;
        default:
            return nullptr;
    }
}
template <class F>
Run signed_or_not_ternary(Type type) {
    switch (type) {
        case Type::u32:
            return ternary<F, std::uint32_t>;
        case Type::s32:
            return ternary<F, std::int32_t>;
        case Type::u64:
            return ternary<F, std::uint64_t>;
        case Type::s64:
            return ternary<F, std::int64_t>;
        default:
            return nullptr;
    }
}
Type twice(Type type) {
    return bytes_of(type) == 2 ? Type::b32 : Type::b64;
}

bool decode_mul(Decoder& decoder, Reading& reading, Op& op) {
    if (!is_integer(reading.instruction)) return decode_real_mul(decoder, reading, op);
    const int part = reading.take_one({"lo", "hi", "wide"});
    const Type type = reading.take_type();
    op.run = part == 0 ? any_sign<MulLow>(type) : part == 1 ? signed_or_not<MulHigh>(type) : wide_binary<MulWide>(type);
    if (op.run) decoder.take_operands(reading, op, part == 2 ? twice(type) : type, {type, type});
    return op.run && part >= 0;
}
bool decode_mad(Decoder& decoder, Reading& reading, Op& op) {
    if (!is_integer(reading.instruction)) return decode_real_fma(decoder, reading, op);
    const int part = reading.take_one({"lo", "hi", "wide"});
    const Type type = reading.take_type();
    const Type sum = part == 2 ? twice(type) : type;
    op.run = part == 0 ? low_mad(type) : part == 1 ? signed_or_not_ternary<MadHigh>(type) : wide_mad(type);
    if (op.run) decoder.take_operands(reading, op, sum, {type, type, sum});
    return op.run && part >= 0;
}
bool decode_24(Decoder& decoder, Reading& reading, Op& op) {
    const bool adds = reading.instruction.opcode == "mad24";
    if (!reading.take("lo")) return false;
    const Type type = reading.take_type();
    if (type != Type::u32 && type != Type::s32) return false;
    const bool sign = type == Type::s32;
    if (adds) {
        op.run = sign ? Run{ternary<Mad24, std::int32_t>} : ternary<Mad24, std::uint32_t>;
        decoder.take_operands(reading, op, type, {type, type, type});
    } else {
        op.run = sign ? Run{binary<Mul24, std::int32_t>} : binary<Mul24, std::uint32_t>;
        decoder.take_operands(reading, op, type, {type, type});
    }
    return true;
}
bool decode_sad(Decoder& decoder, Reading& reading, Op& op) {
    const Type type = reading.take_type();
    op.run = signed_or_not_ternary<Sad>(type);
    if (op.run) decoder.take_operands(reading, op, type, {type, type, type});
    return op.run != nullptr;
}

bool decode_div(Decoder& decoder, Reading& reading, Op& op) {
    if (!is_integer(reading.instruction)) return decode_real_div(decoder, reading, op);
    return decode_binary<signed_or_not<Div>>(decoder, reading, op);
}
bool decode_min(Decoder& decoder, Reading& reading, Op& op) {
    if (!is_integer(reading.instruction)) return decode_real_min(decoder, reading, op);
    return decode_binary<signed_or_not<Min>>(decoder, reading, op);
}
bool decode_max(Decoder& decoder, Reading& reading, Op& op) {
    if (!is_integer(reading.instruction)) return decode_real_max(decoder, reading, op);
    return decode_binary<signed_or_not<Max>>(decoder, reading, op);
}

Run choose_abs(Type type) {
    switch (type) {
        case Type::s16:
            return unary<Abs, std::int16_t>;
        case Type::s32:
            return unary<Abs, std::int32_t>;
        case Type::s64:
            return unary<Abs, std::int64_t>;
        default:
            return nullptr;
    }
}
bool decode_abs(Decoder& decoder, Reading& reading, Op& op) {
    if (!is_integer(reading.instruction)) return decode_real_abs(decoder, reading, op);
    return decode_unary<choose_abs>(decoder, reading, op);
}
bool decode_neg(Decoder& decoder, Reading& reading, Op& op) {
    if (!is_integer(reading.instruction)) return decode_real_neg(decoder, reading, op);
    return decode_unary<any_sign_unary<Neg>>(decoder, reading, op);
}

/// and, or, xor: also of predicates.
template <class F>
bool decode_logic(Decoder& decoder, Reading& reading, Op& op) {
    if (!reading.take("pred")) return decode_binary<any_sign<F>>(decoder, reading, op);
    op.run = predicate_binary<F>;
    decoder.take_operands(reading, op, Type::pred, {Type::pred, Type::pred});
    return true;
}
bool decode_not(Decoder& decoder, Reading& reading, Op& op) {
    if (!reading.take("pred")) return decode_unary<any_sign_unary<Not>>(decoder, reading, op);
    op.run = predicate_not;
    decoder.take_operands(reading, op, Type::pred, {Type::pred});
    return true;
}

bool decode_shl(Decoder& decoder, Reading& reading, Op& op) {
    const Type type = reading.take_type();
    switch (bytes_of(type)) {
        case 2:
            op.run = binary<ShiftLeft, std::uint16_t, std::uint16_t, std::uint32_t>;
            break;
        case 4:
            op.run = binary<ShiftLeft, std::uint32_t>;
            break;
        case 8:
            op.run = binary<ShiftLeft, std::uint64_t, std::uint64_t, std::uint32_t>;
            break;
        default:
            return false;
    }
    decoder.take_operands(reading, op, type, {type, Type::u32});
    return true;
}
bool decode_shr(Decoder& decoder, Reading& reading, Op& op) {
    const Type type = reading.take_type();
    const bool sign = is_signed(type);
    switch (bytes_of(type)) {
        case 2:
            op.run = sign ? Run{binary<ShiftRight, std::int16_t, std::int16_t, std::uint32_t>}
                          : binary<ShiftRight, std::uint16_t, std::uint16_t, std::uint32_t>;
            break;
        case 4:
            op.run = sign ? Run{binary<ShiftRight, std::int32_t, std::int32_t, std::uint32_t>}
                          : binary<ShiftRight, std::uint32_t>;
            break;
        case 8:
            op.run = sign ? Run{binary<ShiftRight, std::int64_t, std::int64_t, std::uint32_t>}
                          : binary<ShiftRight, std::uint64_t, std::uint64_t, std::uint32_t>;
            break;
        default:
            return false;
    }
    decoder.take_operands(reading, op, type, {type, Type::u32});
    return true;
}
bool decode_shf(Decoder& decoder, Reading& reading, Op& op) {
    const bool left = reading.take("l");
    if (!left && !reading.take("r")) return false;
    const bool wrap = reading.take("wrap");
    if (!wrap && !reading.take("clamp")) return false;
    if (reading.take_type() != Type::b32) return false;
    op.run = left ? (wrap ? ternary<FunnelShift<true, true>, std::uint32_t>
                          : ternary<FunnelShift<true, false>, std::uint32_t>)
                  : (wrap ? ternary<FunnelShift<false, true>, std::uint32_t>
                          : ternary<FunnelShift<false, false>, std::uint32_t>);
    decoder.take_operands(reading, op, Type::b32, {Type::b32, Type::b32, Type::u32});
    return true;
}

template <class F>
bool decode_count(Decoder& decoder, Reading& reading, Op& op) {
    const Type type = reading.take_type();
    op.run = bytes_of(type) == 8 ? Run{unary<F, std::uint32_t, std::uint64_t>} : unary<F, std::uint32_t>;
    decoder.take_operands(reading, op, Type::u32, {type});
    return bytes_of(type) >= 4;
}
template <bool Shift>
Run find_bit(Type type) {
    switch (type) {
        case Type::u32:
            return unary<FindBit<Shift>, std::uint32_t>;
        case Type::s32:
            return unary<FindBit<Shift>, std::uint32_t, std::int32_t>;
        case Type::u64:
            return unary<FindBit<Shift>, std::uint32_t, std::uint64_t>;
        case Type::s64:
            return unary<FindBit<Shift>, std::uint32_t, std::int64_t>;
        default:
            return nullptr;
    }
}
bool decode_bfind(Decoder& decoder, Reading& reading, Op& op) {
    const bool shift = reading.take("shiftamt");
    const Type type = reading.take_type();
    op.run = shift ? find_bit<true>(type) : find_bit<false>(type);
    if (op.run) decoder.take_operands(reading, op, Type::u32, {type});
    return op.run != nullptr;
}
bool decode_bfe(Decoder& decoder, Reading& reading, Op& op) {
    const Type type = reading.take_type();
    switch (type) {
        case Type::u32:
            op.run = ternary<ExtractBits, std::uint32_t>;
            break;
        case Type::s32:
            op.run = ternary<ExtractBits, std::int32_t, std::int32_t, std::uint32_t, std::uint32_t>;
            break;
        case Type::u64:
            op.run = ternary<ExtractBits, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>;
            break;
        case Type::s64:
            op.run = ternary<ExtractBits, std::int64_t, std::int64_t, std::uint32_t, std::uint32_t>;
            break;
        default:
            return false;
    }
    decoder.take_operands(reading, op, type, {type, Type::u32, Type::u32});
    return true;
}
bool decode_bfi(Decoder& decoder, Reading& reading, Op& op) {
    const Type type = reading.take_type();
    if (reading.operands() != 5 || bytes_of(type) < 4) return false;
    op.run = bytes_of(type) == 8 ? insert_bits<std::uint64_t> : insert_bits<std::uint32_t>;
    op.a = decoder.source(reading.operand(1), type);
    op.b = decoder.source(reading.operand(2), type);
    op.c = decoder.source(reading.operand(3), Type::u32);
    op.more = decoder.more({decoder.source(reading.operand(4), Type::u32)});
    op.d = decoder.result(reading.operand(0), type);
    return true;
}
bool decode_lop3(Decoder& decoder, Reading& reading, Op& op) {
    if (reading.take_type() != Type::b32 || reading.operands() != 5) return false;
    op.run = lookup3;
    op.a = decoder.source(reading.operand(1), Type::b32);
    op.b = decoder.source(reading.operand(2), Type::b32);
    op.c = decoder.source(reading.operand(3), Type::b32);
    op.bits = reading.operand(4).bits;
    op.d = decoder.result(reading.operand(0), Type::b32);
    return reading.operand(4).kind == Operand::Kind::integer;
}
bool decode_dp4a(Decoder& decoder, Reading& reading, Op& op) {
    const bool a = is_signed(reading.take_type());
    const Type second = reading.take_type();
    const bool b = is_signed(second == Type::none ? (a ? Type::s32 : Type::u32) : second);
    op.run = a ? (b ? ternary<DotProduct4<std::int8_t, std::int8_t>, std::uint32_t>
                    : ternary<DotProduct4<std::int8_t, std::uint8_t>, std::uint32_t>)
               : (b ? ternary<DotProduct4<std::uint8_t, std::int8_t>, std::uint32_t>
                    : ternary<DotProduct4<std::uint8_t, std::uint8_t>, std::uint32_t>);
    decoder.take_operands(reading, op, Type::b32, {Type::b32, Type::b32, Type::b32});
    return true;
}
bool decode_prmt(Decoder& decoder, Reading& reading, Op& op) {
    if (reading.take_type() != Type::b32) return false;
    op.run = ternary<Permute, std::uint32_t>;
    decoder.take_operands(reading, op, Type::b32, {Type::b32, Type::b32, Type::b32});
    return true;
}

constexpr OpcodeRow rows_of_integers[] = {{"add", decode_add},
                                          {"sub", decode_sub},
                                          {"mul", decode_mul},
                                          {"mad", decode_mad},
                                          {"mul24", decode_24},
                                          {"mad24", decode_24},
                                          {"sad", decode_sad},
                                          {"div", decode_div},
                                          {"rem", decode_binary<signed_or_not<Rem>>},
                                          {"abs", decode_abs},
                                          {"neg", decode_neg},
                                          {"min", decode_min},
                                          {"max", decode_max},
                                          {"popc", decode_count<PopCount>},
                                          {"clz", decode_count<LeadingZeros>},
                                          {"bfind", decode_bfind},
                                          {"brev", decode_unary<any_sign_unary<ReverseBits>>},
                                          {"bfe", decode_bfe},
                                          {"bfi", decode_bfi},
                                          {"and", decode_logic<And>},
                                          {"or", decode_logic<Or>},
                                          {"xor", decode_logic<Xor>},
                                          {"not", decode_not},
                                          {"cnot", decode_unary<any_sign_unary<IsZero>>},
                                          {"lop3", decode_lop3},
                                          {"shl", decode_shl},
                                          {"shr", decode_shr},
                                          {"shf", decode_shf},
                                          {"dp4a", decode_dp4a},
                                          {"prmt", decode_prmt}};

}  // namespace

std::span<const OpcodeRow> integer_opcodes() {
    return rows_of_integers;
}

}  // namespace convscope::ptx
