// Bits: PTX ISA, 'Logic and Shift Instructions', and those of 'Integer Arithmetic' that count, find and move them.
#include <bit>

#include "kernels/ptx/ops/integer_types.h"

namespace convscope::ptx {
namespace {

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
    const std::uint32_t* reg_offsets = &warp.program().operands[op.extra_operands];
    const T *a = warp.values<T>(op.a), *b = warp.values<T>(op.b);
    const auto *from = warp.values<std::uint32_t>(op.c), *length = warp.values<std::uint32_t>(reg_offsets[0]);
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

/// The bit of 'mask' that is the offset-th from 'base' on, upwards or downwards; 0xffffffff where there is none.
struct FindNthSet {
    static std::uint32_t of(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
        if (offset == 0) return base < 32 && (mask >> base & 1) ? base : ~0u;
        std::int64_t left = offset < 0 ? -std::int64_t{offset} : offset;
        for (std::uint32_t at = base; at < 32; at += offset < 0 ? ~0u : 1)
            if ((mask >> at & 1) && --left == 0) return at;
        return ~0u;
    }
};

// On predicates: a bit of each lane.
template <class F>
void predicate_binary(Warp& warp, const Op& op) {
    warp.set_predicate(op.d, F::of(warp.predicate(op.a), warp.predicate(op.b)));
}
void predicate_not(Warp& warp, const Op& op) {
    warp.set_predicate(op.d, ~warp.predicate(op.a));
}

/// and, or, xor: also of predicates.
template <class F>
bool decode_logic(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!instr.take("pred")) return decode_binary<any_sign<F>>(decoder, instr, op);
    op.run = predicate_binary<F>;
    decoder.take_operands(instr, op, Type::pred, {Type::pred, Type::pred});
    return true;
}
bool decode_not(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!instr.take("pred")) return decode_unary<any_sign_unary<Not>>(decoder, instr, op);
    op.run = predicate_not;
    decoder.take_operands(instr, op, Type::pred, {Type::pred});
    return true;
}

bool decode_shl(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Type type = instr.take_type();
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
    decoder.take_operands(instr, op, type, {type, Type::u32});
    return true;
}
bool decode_shr(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Type type = instr.take_type();
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
    decoder.take_operands(instr, op, type, {type, Type::u32});
    return true;
}
bool decode_shf(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const bool left = instr.take("l");
    if (!left && !instr.take("r")) return false;
    const bool wrap = instr.take("wrap");
    if (!wrap && !instr.take("clamp")) return false;
    if (instr.take_type() != Type::b32) return false;
    op.run = left ? (wrap ? ternary<FunnelShift<true, true>, std::uint32_t>
                          : ternary<FunnelShift<true, false>, std::uint32_t>)
                  : (wrap ? ternary<FunnelShift<false, true>, std::uint32_t>
                          : ternary<FunnelShift<false, false>, std::uint32_t>);
    decoder.take_operands(instr, op, Type::b32, {Type::b32, Type::b32, Type::u32});
    return true;
}

template <class F>
bool decode_count(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Type type = instr.take_type();
    op.run = bytes_of(type) == 8 ? Run{unary<F, std::uint32_t, std::uint64_t>} : unary<F, std::uint32_t>;
    decoder.take_operands(instr, op, Type::u32, {type});
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
bool decode_bfind(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const bool shift = instr.take("shiftamt");
    const Type type = instr.take_type();
    op.run = shift ? find_bit<true>(type) : find_bit<false>(type);
    if (op.run) decoder.take_operands(instr, op, Type::u32, {type});
    return op.run != nullptr;
}
bool decode_bfe(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Type type = instr.take_type();
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
    decoder.take_operands(instr, op, type, {type, Type::u32, Type::u32});
    return true;
}
bool decode_bfi(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Type type = instr.take_type();
    if (instr.operands() != 5 || bytes_of(type) < 4) return false;
    op.run = bytes_of(type) == 8 ? insert_bits<std::uint64_t> : insert_bits<std::uint32_t>;
    op.a = decoder.source(instr.operand(1), type);
    op.b = decoder.source(instr.operand(2), type);
    op.c = decoder.source(instr.operand(3), Type::u32);
    op.extra_operands = decoder.add_operands({decoder.source(instr.operand(4), Type::u32)});
    op.d = decoder.result(instr.operand(0), type);
    return true;
}
bool decode_lop3(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.take_type() != Type::b32 || instr.operands() != 5) return false;
    op.run = lookup3;
    op.a = decoder.source(instr.operand(1), Type::b32);
    op.b = decoder.source(instr.operand(2), Type::b32);
    op.c = decoder.source(instr.operand(3), Type::b32);
    op.bits = instr.operand(4).bits;
    op.d = decoder.result(instr.operand(0), Type::b32);
    return instr.operand(4).kind == Operand::Kind::integer;
}
bool decode_prmt(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.take_type() != Type::b32) return false;
    op.run = ternary<Permute, std::uint32_t>;
    decoder.take_operands(instr, op, Type::b32, {Type::b32, Type::b32, Type::b32});
    return true;
}

/// So many bits from a place on.
template <bool Wrap>
struct BitMask {
    static std::uint32_t of(std::uint32_t first, std::uint32_t count) {
        if (Wrap) {
            first %= 32;
            count %= 32;
        }
        if (first >= 32) return 0;
        const std::uint32_t from = ~0u << first;
        const std::uint64_t end = std::uint64_t{first} + count;
        return end >= 32 ? from : from & ~(~0u << end);
    }
};
bool decode_bmsk(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const bool wrap = instr.take("wrap");
    if (!wrap && !instr.take("clamp")) return false;
    if (instr.take_type() != Type::b32) return false;
    op.run = wrap ? binary<BitMask<true>, std::uint32_t> : binary<BitMask<false>, std::uint32_t>;
    decoder.take_operands(instr, op, Type::b32, {Type::u32, Type::u32});
    return true;
}

bool decode_fns(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.take_type() != Type::b32) return false;
    op.run = ternary<FindNthSet, std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>;
    decoder.take_operands(instr, op, Type::b32, {Type::b32, Type::b32, Type::s32});
    return true;
}

constexpr OpcodeRow rows_of_bits[] = {{"popc", decode_count<PopCount>},
                                      {"clz", decode_count<LeadingZeros>},
                                      {"bfind", decode_bfind},
                                      {"bmsk", decode_bmsk},
                                      {"fns", decode_fns},
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
                                      {"prmt", decode_prmt}};

}  // namespace

std::span<const OpcodeRow> bit_opcodes() {
    return rows_of_bits;
}

}  // namespace convscope::ptx
