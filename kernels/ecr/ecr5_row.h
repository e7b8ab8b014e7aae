// One row of outputs of ecr5: lists of non-zero elements times the weights of a slab of filters.
#pragma once

#include <cstdint>

#include "kernels/cpu/gemm_tile.h"

namespace convscope {

/// The non-zero elements that a row of outputs meets in a block of channels, by their column: those of column i are
/// [begin[i], begin[i + 1]). 'offsets' are where the weights that meet an element start, in floats: those of its
/// channel and filter row, for all filter columns.
struct Ecr5Row {
    const std::int32_t* begin;
    const float* values;
    const std::int32_t* offsets;
    std::int64_t columns;
};

/// Adds to sums[columns + s - 1][width]: element i of a row meets the sums at i + s - 1, through filter column 0, down
/// to i, through column s - 1. weights is [...][s][width].
using Ecr5Multiply = void (*)(const Ecr5Row&, const float* weights, float* sums);

constexpr std::int64_t ecr5_max_columns = 5;  ///< s

/// Filters of a vector of floats.
std::int64_t ecr5_lanes(Isa);
/// Vectors of a slab of filters, at most: as many as leave the sums of s columns in registers, and for one column
/// enough independent sums to hide a multiply-add's latency.
constexpr std::int64_t ecr5_max_vectors(std::int64_t s) {
    return s == 1 ? 8 : 4;
}
/// 'width' of the sums and weights is vectors * ecr5_lanes().
Ecr5Multiply ecr5_multiply(Isa, std::int64_t s, std::int64_t vectors);

}  // namespace convscope
