// Selects a template's function for a PTX type; shared by the integer instructions.
#pragma once

#include "kernels/ptx/ops/integer_functions.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {

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

template <Run (*Choose)(Type)>
bool decode_binary(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Type type = instr.take_type();
    op.run = Choose(type);
    if (op.run) decoder.take_operands(instr, op, type, {type, type});
    return op.run != nullptr;
}
template <Run (*Choose)(Type)>
bool decode_unary(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Type type = instr.take_type();
    op.run = Choose(type);
    if (op.run) decoder.take_operands(instr, op, type, {type});
    return op.run != nullptr;
}

}  // namespace convscope::ptx
