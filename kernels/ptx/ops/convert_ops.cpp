// cvt: PTX ISA, 'Data Movement and Conversion Instructions'.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/half.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

template <class D>
struct CastTo {
    template <class A>
    static D of(A a) {
        return static_cast<D>(a);
    }
};

// The conversion is encoded in Op::bits.
enum class Round : std::uint8_t { none, even, zero, down, up };
struct Conversion {
    Type from, to;
    Round round;   ///< to whole numbers
    Round narrow;  ///< to numbers of 16 bits
    bool sat, relu;
    std::uint8_t register_from, register_to;  ///< bytes

    std::uint64_t bits() const {
        return static_cast<std::uint64_t>(from) | static_cast<std::uint64_t>(to) << 8 |
               static_cast<std::uint64_t>(round) << 16 | std::uint64_t{sat} << 24 | std::uint64_t{relu} << 25 |
               std::uint64_t{register_from} << 32 | std::uint64_t{register_to} << 40 |
               static_cast<std::uint64_t>(narrow) << 48;
    }
    explicit Conversion(std::uint64_t bits)
        : from(static_cast<Type>(bits & 255)),
          to(static_cast<Type>(bits >> 8 & 255)),
          round(static_cast<Round>(bits >> 16 & 255)),
          narrow(static_cast<Round>(bits >> 48 & 255)),
          sat(bits >> 24 & 1),
          relu(bits >> 25 & 1),
          register_from(bits >> 32 & 255),
          register_to(bits >> 40 & 255) {}
};

std::uint64_t read_bits(Warp& warp, std::uint32_t reg_offset, unsigned bytes, unsigned lane) {
    if (bytes == 2) return warp.values<std::uint16_t>(reg_offset)[lane];
    return bytes == 4 ? warp.values<std::uint32_t>(reg_offset)[lane] : warp.values<std::uint64_t>(reg_offset)[lane];
}
void write_bits(Warp& warp, std::uint32_t reg_offset, unsigned bytes, unsigned lane, std::uint64_t bits) {
    if (bytes == 2) warp.values<std::uint16_t>(reg_offset)[lane] = static_cast<std::uint16_t>(bits);
    if (bytes == 4) warp.values<std::uint32_t>(reg_offset)[lane] = static_cast<std::uint32_t>(bits);
    if (bytes == 8) warp.values<std::uint64_t>(reg_offset)[lane] = bits;
}

/// The low bytes, with the sign or zeros in front.
std::uint64_t extended(std::uint64_t bits, Type type) {
    const unsigned drop = 64 - 8 * bytes_of(type);
    return is_signed(type) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << drop) >> drop)
                           : bits << drop >> drop;
}

double real_of(std::uint64_t bits, Type type) {
    switch (type) {
        case Type::f16:
            return float_of_f16(static_cast<std::uint16_t>(bits));
        case Type::bf16:
            return float_of_bf16(static_cast<std::uint16_t>(bits));
        case Type::f64:
            return std::bit_cast<double>(bits);
        default:
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    }
}
double rounded(double value, Round round) {
    switch (round) {
        case Round::even:
            return std::nearbyint(value);
        case Round::zero:
            return std::trunc(value);
        case Round::down:
            return std::floor(value);
        case Round::up:
            return std::ceil(value);
        default:
            return value;
    }
}

/// Rounded once to a significand of 'digits' bits behind the point, as a float.
float narrowed(double value, Round round, int digits, int min_exponent, float max) {
    const bool exact = round == Round::even && static_cast<double>(static_cast<float>(value)) == value;
    if (exact || !std::isfinite(value) || value == 0) return static_cast<float>(value);  // what follows rounds to even
    const int last = std::max(std::ilogb(value), min_exponent) - digits;
    const double result = std::ldexp(rounded(std::ldexp(value, -last), round), last);
    if (std::abs(result) <= static_cast<double>(max))
        return std::copysign(static_cast<float>(result), static_cast<float>(value));
    const bool away = round == Round::even || round == (value < 0 ? Round::down : Round::up);
    return std::copysign(away ? std::numeric_limits<float>::infinity() : max, static_cast<float>(result));
}
float to_f16(double value, Round round) {
    return narrowed(value, round, 10, -14, 65504.0F);
}
float to_bf16(double value, Round round) {
    return narrowed(value, round, 7, -126, 0x1.fep127F);
}

std::uint64_t bits_of_real(double value, Type type, Round narrow) {
    switch (type) {
        case Type::f16:
            return f16_of_float(to_f16(value, narrow));
        case Type::bf16:
            return bf16_of_float(to_bf16(value, narrow));
        case Type::tf32:
            return std::bit_cast<std::uint32_t>(tf32_of_float(static_cast<float>(value)));
        case Type::f64:
            return std::bit_cast<std::uint64_t>(value);
        default:
            return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
}

/// Clamped to what the type holds; NaN becomes 0, or the highest bit alone where one of the two has 64 bits.
std::uint64_t whole_of(double value, Type from, Type type) {
    if (value != value)
        return from == Type::f64 || bytes_of(type) == 8 ? std::uint64_t{1} << (8 * bytes_of(type) - 1) : 0;
    const int bits = static_cast<int>(8 * bytes_of(type)) - (is_signed(type) ? 1 : 0);
    const double above = std::ldexp(1.0, bits), least = is_signed(type) ? -above : 0;
    if (value >= above) return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    if (value <= least) return is_signed(type) ? ~std::uint64_t{0} << bits : 0;
    return value < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : static_cast<std::uint64_t>(value);
}

std::uint64_t saturated(std::uint64_t bits, Type from, Type to) {
    const int width = static_cast<int>(8 * bytes_of(to)) - (is_signed(to) ? 1 : 0);
    const std::uint64_t most = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    if (is_signed(from) && static_cast<std::int64_t>(bits) < 0) {
        if (!is_signed(to)) return 0;
        const auto least = static_cast<std::int64_t>(~most);
        return static_cast<std::int64_t>(bits) < least ? static_cast<std::uint64_t>(least) : bits;
    }
    return bits > most ? most : bits;
}

std::uint64_t converted(std::uint64_t source, const Conversion& c) {
    if (!is_real(c.from)) {
        const std::uint64_t value = extended(source, c.from);
        if (!is_real(c.to)) return extended(c.sat ? saturated(value, c.from, c.to) : value, c.to);
        if (c.to == Type::f64 || c.to == Type::f32) {  // rounded once
            const bool negative = is_signed(c.from) && static_cast<std::int64_t>(value) < 0;
            if (c.to == Type::f64)
                return std::bit_cast<std::uint64_t>(negative ? static_cast<double>(static_cast<std::int64_t>(value))
                                                             : static_cast<double>(value));
            return std::bit_cast<std::uint32_t>(negative ? static_cast<float>(static_cast<std::int64_t>(value))
                                                         : static_cast<float>(value));
        }
        const bool negative = is_signed(c.from) && static_cast<std::int64_t>(value) < 0;
        std::uint64_t magnitude = negative ? 0 - value : value;
        // A double holds 53 bits; the bits that are lost matter only as to whether any is 1.
        if (magnitude >> 53 != 0) magnitude = (magnitude >> 11 | ((magnitude & 0x7ff) != 0 ? 1 : 0)) << 11;
        const auto real = static_cast<double>(magnitude);
        return bits_of_real(negative ? -real : real, c.to, c.narrow);
    }
    double value = rounded(real_of(source, c.from), c.round);
    if (!is_real(c.to)) return extended(whole_of(value, c.from, c.to), c.to);
    if (c.sat) value = value > 0 ? std::fmin(value, 1) : 0;
    if (c.relu && value < 0) value = 0;
    return bits_of_real(value, c.to, c.narrow);
}

void convert(Warp& warp, const Op& op) {
    const Conversion c(op.bits);
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (warp.mask >> lane & 1)
            write_bits(warp, op.d, c.register_to, lane, converted(read_bits(warp, op.a, c.register_from, lane), c));
}

/// Two floats into one register; the first operand goes into the upper half.
template <Type Half>
void convert_pair(Warp& warp, const Op& op) {
    const float *high = warp.values<float>(op.a), *low = warp.values<float>(op.b);
    const bool relu = (op.bits & 1) != 0;
    const auto narrow = static_cast<Round>(op.bits >> 1);
    each_lane(warp.mask, warp.values<std::uint32_t>(op.d), [=](unsigned i) {
        const float x = relu && high[i] < 0 ? 0 : high[i], y = relu && low[i] < 0 ? 0 : low[i];
        return static_cast<std::uint32_t>(bits_of_real(x, Half, narrow) << 16 | bits_of_real(y, Half, narrow));
    });
}

/// Those that kernels are full of, without detours.
Run plain_conversion(Type to, Type from) {
    const auto is = [=](Type t, Type f) { return to == t && from == f; };
    if (is(Type::u64, Type::u32)) return unary<CastTo<std::uint64_t>, std::uint64_t, std::uint32_t>;
    if (is(Type::s64, Type::s32)) return unary<CastTo<std::int64_t>, std::int64_t, std::int32_t>;
    if (is(Type::u32, Type::u64)) return unary<CastTo<std::uint32_t>, std::uint32_t, std::uint64_t>;
    if (is(Type::f32, Type::s32)) return unary<CastTo<float>, float, std::int32_t>;
    if (is(Type::f64, Type::s32)) return unary<CastTo<double>, double, std::int32_t>;
    if (is(Type::f64, Type::f32)) return unary<CastTo<double>, double, float>;
    if (is(Type::f32, Type::f64)) return unary<CastTo<float>, float, double>;
    return nullptr;
}

bool decode_cvt(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::convert;
    const int whole = instr.take_one({"rni", "rzi", "rmi", "rpi"});
    const int rounding = instr.take("rna") ? 0 : instr.take_one({"rn", "rz", "rm", "rp"});
    const bool flush = instr.take("ftz"), sat = instr.take("sat"), relu = instr.take("relu");
    const Type to = instr.take_type(), from = instr.take_type();
    if (from == Type::none || instr.operands() < 2) return false;
    const auto narrow = static_cast<Round>(std::max(rounding, 0) + 1);
    if (to == Type::f16x2 || to == Type::bf16x2) {
        if (from != Type::f32) return false;
        op.run = to == Type::f16x2 ? convert_pair<Type::f16> : convert_pair<Type::bf16>;
        op.bits = static_cast<std::uint64_t>(relu) | static_cast<std::uint64_t>(narrow) << 1;
        decoder.take_operands(instr, op, Type::b32, {Type::f32, Type::f32});
        return true;
    }
    const auto width = [&](std::size_t i, Type type) {
        const Type has = decoder.register_type(instr.operand(i));
        return has == Type::none ? type : has;  // a constant is as wide as it must be
    };
    const Type register_to = width(0, to), register_from = width(1, from);
    if (bytes_of(to) > bytes_of(register_to) || bytes_of(from) > bytes_of(register_from)) return false;
    decoder.take_operands(instr, op, register_to, {register_from});
    Conversion c(0);
    c.from = from;
    c.to = to;
    c.round = static_cast<Round>(whole + 1);
    c.narrow = narrow;
    c.sat = sat;
    c.relu = relu;
    c.register_from = static_cast<std::uint8_t>(std::max(2u, bytes_of(register_from)));
    c.register_to = static_cast<std::uint8_t>(std::max(2u, bytes_of(register_to)));
    const bool plain = whole < 0 && !sat && !relu && bytes_of(register_to) == bytes_of(to) &&
                       bytes_of(register_from) == bytes_of(from);
    op.bits = c.bits();
    op.run = plain ? plain_conversion(to, from) : nullptr;
    if (!op.run) op.run = convert;
    set_float_mode(op, rounding, flush);
    return true;
}

constexpr OpcodeRow rows_of_conversions[] = {{"cvt", decode_cvt}};

}  // namespace

std::span<const OpcodeRow> convert_opcodes() {
    return rows_of_conversions;
}

}  // namespace convscope::ptx
