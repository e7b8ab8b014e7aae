// Reads a matrix element from a register, as a tensor core does.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/ptx/run/half.h"
#include "kernels/ptx/text/types.h"

namespace convscope::ptx {

/// Element j of a register of 32 bits.
inline double matrix_element(std::uint32_t bits, Type type, unsigned j) {
    switch (type) {
        case Type::f16:
            return float_of_f16(static_cast<std::uint16_t>(bits >> 16 * j));
        case Type::bf16:
            return float_of_bf16(static_cast<std::uint16_t>(bits >> 16 * j));
        case Type::s8:
            return static_cast<std::int8_t>(bits >> 8 * j);
        case Type::u8:
            return static_cast<std::uint8_t>(bits >> 8 * j);
        default:
            return tf32_bits(std::bit_cast<float>(bits));
    }
}

}  // namespace convscope::ptx
