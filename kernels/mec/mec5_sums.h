// The arithmetic of mec5, mec6 and mec7: loads and splits a warpgroup's operands, and issues their products.
#pragma once

#include "kernels/hopper/matrix_product.h"
#include "kernels/hopper/rounding.h"
#include "kernels/mec/mec5_memory.h"

namespace convscope::CONVSCOPE_DIALECT {

/// A warpgroup's A operands of half a slice, two steps of 8 columns, in registers. Products in flight read them.
template <class Tile>
struct Mec5Operands {
    static constexpr int steps = 2;
    std::uint32_t hi[steps][Tile::factors][4];
    std::uint32_t lo[Tile::split ? steps : 1][Tile::split ? Tile::factors : 1][4];
};

/// Returns all ones if finite, else 0 (no residual): the compiler would place a branch between products in flight.
DEVICE std::uint32_t all_bits_if_finite(float value) {
    constexpr int exponent = 0x7f800000;
    return static_cast<std::uint32_t>(((__float_as_int(value) & exponent) - exponent) >> 31);
}

/// Keeps the compiler from computing a register between products in flight, which would make them wait for each other.
DEVICE void settle(std::uint32_t& operand) {
    asm volatile("" : "+r"(operand)::"memory");
}

/// FP32 values as loaded from shared memory: for each step and operand, columns t % 4 and t % 4 + 4 of this thread's
/// two rows.
template <class Tile>
struct Mec5Raw {
    float value[Mec5Operands<Tile>::steps][Tile::factors][4];

    /// 'row': the address of this thread's first row in the stage, the place in the row as the swizzle has its 16
    /// bytes 0. 'first' is the first of the slice's four steps.
    DEVICE void load(std::uint32_t row, int first) {
        UNROLL
        for (int step = 0; step < Mec5Operands<Tile>::steps; ++step) {
            UNROLL
            for (int factor = 0; factor < Tile::factors; ++factor) {
                UNROLL
                for (int i = 0; i < 4; ++i) {
                    const int chunk = (first + step) * 2 + i / 2, below = i % 2;
                    asm volatile("ld.shared.f32 %0, [%1];"
                                 : "=f"(value[step][factor][i])
                                 : "r"((row ^ chunk * 16) + factor * 64 * Tile::row_bytes + below * 8 * Tile::row_bytes)
                                 : "memory");
                }
            }
        }
    }
    DEVICE void split(Mec5Operands<Tile>& to) const {
        UNROLL
        for (int step = 0; step < Mec5Operands<Tile>::steps; ++step) {
            UNROLL
            for (int factor = 0; factor < Tile::factors; ++factor) {
                UNROLL
                for (int i = 0; i < 4; ++i) {
                    if constexpr (Tile::split) {
                        const float all = value[step][factor][i], hi = hopper::rounded_to_tf32(all);
                        to.hi[step][factor][i] = __float_as_uint(hi);
                        to.lo[step][factor][i] =
                            __float_as_uint(hopper::rounded_to_tf32(all - hi)) & all_bits_if_finite(all);
                        settle(to.lo[step][factor][i]);
                    } else {
                        to.hi[step][factor][i] = __float_as_uint(hopper::rounded_to_tf32(value[step][factor][i]));
                    }
                    settle(to.hi[step][factor][i]);
                }
            }
        }
    }
};

/// A warpgroup's accumulators of one tile. With a split, flush() promotes the tensor cores' sums to FP32 totals.
template <class Tile>
struct Mec5Sums {
    static constexpr int each = Tile::filters / 2;
    float sum[Tile::factors][each];
    float total[Tile::split ? Tile::factors : 1][Tile::split ? each : 1];

    DEVICE void clear() {
        UNROLL
        for (int i = 0; i < Tile::factors * each; ++i) {
            sum[i / each][i % each] = 0.0f;
            if constexpr (Tile::split) total[i / each][i % each] = 0.0f;
        }
    }
    DEVICE void flush() {
        if constexpr (Tile::split) {
            UNROLL
            for (int i = 0; i < Tile::factors * each; ++i) {
                total[i / each][i % each] += sum[i / each][i % each];
                sum[i / each][i % each] = 0.0f;
            }
        }
    }
    DEVICE const float (&result(int factor) const)[each] {
        if constexpr (Tile::split)
            return total[factor];
        else
            return sum[factor];
    }

    static constexpr int group = 8 * Tile::row_bytes, step_bytes = 32;

    /// Issues a' b' of half a slice.
    DEVICE void multiply_residuals(const Mec5Operands<Tile>& a, std::uint32_t weights, int first) {
        UNROLL
        for (int step = 0; step < Mec5Operands<Tile>::steps; ++step) {
            UNROLL
            for (int i = 0; i < Tile::factors; ++i)
                hopper::multiply<Tile::filters>(
                    sum[i], a.lo[step][i],
                    hopper::make_descriptor(weights + Tile::weight_plane + (first + step) * step_bytes, group));
        }
    }
    /// Issues the other products of half a slice, with a split the small ones first.
    DEVICE void multiply(const Mec5Operands<Tile>& a, std::uint32_t weights, int first) {
        UNROLL
        for (int step = 0; step < Mec5Operands<Tile>::steps; ++step) {
            const std::uint32_t b = weights + (first + step) * step_bytes;
            UNROLL
            for (int i = 0; i < Tile::factors; ++i) {
                if constexpr (Tile::split) {
                    hopper::multiply<Tile::filters>(sum[i], a.lo[step][i], hopper::make_descriptor(b, group));
                    hopper::multiply<Tile::filters>(sum[i], a.hi[step][i],
                                                    hopper::make_descriptor(b + Tile::weight_plane, group));
                }
                hopper::multiply<Tile::filters>(sum[i], a.hi[step][i], hopper::make_descriptor(b, group));
            }
        }
    }
};

}  // namespace convscope::CONVSCOPE_DIALECT
