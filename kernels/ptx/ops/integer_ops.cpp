// Whole numbers: PTX ISA, 'Integer Arithmetic Instructions'.
#include "kernels/ptx/ops/integer_types.h"

namespace convscope::ptx {
namespace {

// With a carry bit: op.bits says whether it is taken (1) and left (2), op.extra_operands is its register.
constexpr std::uint64_t takes_carry = 1, leaves_carry = 2;

/// sum(lane, carry in) is the result, twice as wide, with the carry above it.
template <class T, class Sum>
void with_carry(Warp& warp, const Op& op, const Sum& sum) {
    const std::uint32_t reg_offset = warp.program().operands[op.extra_operands];
    const std::uint32_t before = op.bits & takes_carry ? warp.predicate(reg_offset) : 0;
    std::uint32_t after = 0;
    T result[lanes];
    for (unsigned i = 0; i < lanes; ++i) {
        const Uint128 all = sum(i, before >> i & 1);
        result[i] = static_cast<T>(all);
        after |= static_cast<std::uint32_t>(all >> bit_count<T> & 1) << i;
    }
    each_lane(warp.mask, warp.values<T>(op.d), [&](unsigned i) { return result[i]; });
    if (op.bits & leaves_carry) warp.set_predicate(reg_offset, after);
}
template <class T>
void add_carry(Warp& warp, const Op& op) {
    const T *a = warp.values<T>(op.a), *b = warp.values<T>(op.b);
    with_carry<T>(warp, op, [=](unsigned i, std::uint32_t carry) { return Uint128{a[i]} + b[i] + carry; });
}
/// a + ~b + 1: the bit is 1 where nothing was borrowed, and what nvcc makes of __int128 adds it with addc.
template <class T>
void subtract_carry(Warp& warp, const Op& op) {
    const T *a = warp.values<T>(op.a), *b = warp.values<T>(op.b);
    const bool takes = (op.bits & takes_carry) != 0;
    with_carry<T>(warp, op, [=](unsigned i, std::uint32_t carry) {
        return Uint128{a[i]} + static_cast<T>(~b[i]) + (takes ? carry : 1);
    });
}
template <class T, bool High>
void multiply_add_carry(Warp& warp, const Op& op) {
    const T *a = warp.values<T>(op.a), *b = warp.values<T>(op.b), *c = warp.values<T>(op.c);
    with_carry<T>(warp, op, [=](unsigned i, std::uint32_t carry) {
        const Uint128 product = Uint128{a[i]} * b[i];
        return Uint128{static_cast<T>(High ? product >> bit_count<T> : product)} + c[i] + carry;
    });
}

/// add.cc, addc and their kin; of the high part of signed numbers there is none.
bool decode_carry(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const std::string& opcode = instr.instruction.opcode;
    const bool mad = opcode.starts_with("mad"), takes = opcode.ends_with("c");
    const bool high = mad && instr.take("hi");
    if (mad && !high) instr.take("lo");
    op.bits = (takes ? takes_carry : 0) | (instr.take("cc") ? leaves_carry : 0);
    const Type type = instr.take_type();
    if (is_real(type) || bytes_of(type) < 4 || (high && is_signed(type))) return false;
    const bool wide = bytes_of(type) == 8;
    if (mad)
        op.run = high ? (wide ? multiply_add_carry<std::uint64_t, true> : multiply_add_carry<std::uint32_t, true>)
                      : (wide ? multiply_add_carry<std::uint64_t, false> : multiply_add_carry<std::uint32_t, false>);
    else if (opcode.starts_with("sub"))
        op.run = wide ? subtract_carry<std::uint64_t> : subtract_carry<std::uint32_t>;
    else
        op.run = wide ? add_carry<std::uint64_t> : add_carry<std::uint32_t>;
    op.extra_operands = decoder.add_operands({decoder.carry()});
    if (mad)
        decoder.take_operands(instr, op, type, {type, type, type});
    else
        decoder.take_operands(instr, op, type, {type, type});
    return true;
}

/// Types that other files' instructions of the same opcode have are theirs.
bool is_integer(const Instruction& instruction) {
    for (const std::string& modifier : instruction.modifiers)
        if (const auto type = parse_type(modifier); type && is_real(*type)) return false;
    return true;
}

template <class F>
Run only_s32(Type type) {
    return type == Type::s32 ? binary<F, std::int32_t> : nullptr;
}
bool decode_add(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.instruction.has("cc")) return decode_carry(decoder, instr, op);
    if (!is_integer(instr.instruction)) return decode_real_add(decoder, instr, op);
    return instr.take("sat") ? decode_binary<only_s32<SaturatedAdd>>(decoder, instr, op)
                             : decode_binary<any_sign<Add>>(decoder, instr, op);
}
bool decode_sub(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.instruction.has("cc")) return decode_carry(decoder, instr, op);
    if (!is_integer(instr.instruction)) return decode_real_sub(decoder, instr, op);
    return instr.take("sat") ? decode_binary<only_s32<SaturatedSub>>(decoder, instr, op)
                             : decode_binary<any_sign<Sub>>(decoder, instr, op);
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

bool decode_mul(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!is_integer(instr.instruction)) return decode_real_mul(decoder, instr, op);
    const int part = instr.take_one({"lo", "hi", "wide"});
    const Type type = instr.take_type();
    op.run = part == 0 ? any_sign<MulLow>(type) : part == 1 ? signed_or_not<MulHigh>(type) : wide_binary<MulWide>(type);
    if (op.run) decoder.take_operands(instr, op, part == 2 ? twice(type) : type, {type, type});
    return op.run && part >= 0;
}
bool decode_mad(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.instruction.has("cc")) return decode_carry(decoder, instr, op);
    if (!is_integer(instr.instruction)) return decode_real_fma(decoder, instr, op);
    const int part = instr.take_one({"lo", "hi", "wide"});
    const Type type = instr.take_type();
    const Type sum = part == 2 ? twice(type) : type;
    op.run = part == 0 ? low_mad(type) : part == 1 ? signed_or_not_ternary<MadHigh>(type) : wide_mad(type);
    if (op.run) decoder.take_operands(instr, op, sum, {type, type, sum});
    return op.run && part >= 0;
}
bool decode_24(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const bool adds = instr.instruction.opcode == "mad24";
    if (!instr.take("lo")) return false;
    const Type type = instr.take_type();
    if (type != Type::u32 && type != Type::s32) return false;
    const bool sign = type == Type::s32;
    if (adds) {
        op.run = sign ? Run{ternary<Mad24, std::int32_t>} : ternary<Mad24, std::uint32_t>;
        decoder.take_operands(instr, op, type, {type, type, type});
    } else {
        op.run = sign ? Run{binary<Mul24, std::int32_t>} : binary<Mul24, std::uint32_t>;
        decoder.take_operands(instr, op, type, {type, type});
    }
    return true;
}
bool decode_sad(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Type type = instr.take_type();
    op.run = signed_or_not_ternary<Sad>(type);
    if (op.run) decoder.take_operands(instr, op, type, {type, type, type});
    return op.run != nullptr;
}

bool decode_div(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!is_integer(instr.instruction)) return decode_real_div(decoder, instr, op);
    return decode_binary<signed_or_not<Div>>(decoder, instr, op);
}
bool decode_min(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!is_integer(instr.instruction)) return decode_real_min(decoder, instr, op);
    return decode_binary<signed_or_not<Min>>(decoder, instr, op);
}
bool decode_max(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!is_integer(instr.instruction)) return decode_real_max(decoder, instr, op);
    return decode_binary<signed_or_not<Max>>(decoder, instr, op);
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
bool decode_abs(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!is_integer(instr.instruction)) return decode_real_abs(decoder, instr, op);
    return decode_unary<choose_abs>(decoder, instr, op);
}
bool decode_neg(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!is_integer(instr.instruction)) return decode_real_neg(decoder, instr, op);
    return decode_unary<any_sign_unary<Neg>>(decoder, instr, op);
}

template <class A, class B>
Run choose_dp2a(bool high) {
    return high ? ternary<DotProduct2<A, B, true>, std::uint32_t> : ternary<DotProduct2<A, B, false>, std::uint32_t>;
}
bool decode_dp2a(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const int half = instr.take_one({"lo", "hi"});
    const Type a = instr.take_type(), b = instr.take_type();
    if (half < 0 || b == Type::none) return false;
    op.run = is_signed(a) ? (is_signed(b) ? choose_dp2a<std::int16_t, std::int8_t>(half == 1)
                                          : choose_dp2a<std::int16_t, std::uint8_t>(half == 1))
                          : (is_signed(b) ? choose_dp2a<std::uint16_t, std::int8_t>(half == 1)
                                          : choose_dp2a<std::uint16_t, std::uint8_t>(half == 1));
    decoder.take_operands(instr, op, Type::b32, {Type::b32, Type::b32, Type::b32});
    return true;
}
bool decode_dp4a(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const bool a = is_signed(instr.take_type());
    const Type second = instr.take_type();
    const bool b = is_signed(second == Type::none ? (a ? Type::s32 : Type::u32) : second);
    op.run = a ? (b ? ternary<DotProduct4<std::int8_t, std::int8_t>, std::uint32_t>
                    : ternary<DotProduct4<std::int8_t, std::uint8_t>, std::uint32_t>)
               : (b ? ternary<DotProduct4<std::uint8_t, std::int8_t>, std::uint32_t>
                    : ternary<DotProduct4<std::uint8_t, std::uint8_t>, std::uint32_t>);
    decoder.take_operands(instr, op, Type::b32, {Type::b32, Type::b32, Type::b32});
    return true;
}
constexpr OpcodeRow rows_of_integers[] = {
    {"addc", decode_carry}, {"subc", decode_carry}, {"madc", decode_carry},

    {"add", decode_add},    {"sub", decode_sub},    {"mul", decode_mul},
    {"mad", decode_mad},    {"mul24", decode_24},   {"mad24", decode_24},
    {"sad", decode_sad},    {"div", decode_div},    {"rem", decode_binary<signed_or_not<Rem>>},
    {"abs", decode_abs},    {"neg", decode_neg},    {"min", decode_min},
    {"max", decode_max},    {"dp2a", decode_dp2a},  {"dp4a", decode_dp4a}};

}  // namespace

std::span<const OpcodeRow> integer_opcodes() {
    return rows_of_integers;
}

}  // namespace convscope::ptx
