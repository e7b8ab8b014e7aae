// When a format begins to be smaller than the dense matrix.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/formats/sparse_format.h"

namespace convscope {

/// The least share of zeros, 0..1, at which the format takes fewer bytes than a dense matrix of this size, for one
/// fixed order in which elements become zero, drawn uniformly. By bisection: bytes fall as zeros are added. Nothing
/// where it is never smaller.
std::optional<double> break_even_zeros(const SparseFormat&, std::int64_t rows, std::int64_t cols);

}  // namespace convscope
