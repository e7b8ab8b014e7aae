// How many bytes a format takes, counted without building its arrays, and when it begins to be smaller than the dense
// matrix.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "kernels/formats/format_arrays.h"

namespace convscope {

/// Which elements of a matrix are not zero, a bit each. It has at most 2^31 - 1 elements, as the formats have.
class NonZeros {
public:
    /// All are zero.
    NonZeros(std::int64_t rows, std::int64_t cols)
        : rows_(rows), cols_(cols), words_(static_cast<std::size_t>((rows * cols + 63) / 64)) {}

    void put(std::int64_t row, std::int64_t col, bool non_zero);
    /// By its place among all, row by row.
    bool at(std::int64_t element) const {
        return words_[static_cast<std::size_t>(element / 64)] >> (element % 64) & 1U;
    }
    bool at(std::int64_t row, std::int64_t col) const { return at(row * cols_ + col); }
    std::int64_t rows() const { return rows_; }
    std::int64_t cols() const { return cols_; }
    std::int64_t count() const;

private:
    std::int64_t rows_, cols_;
    std::vector<std::uint64_t> words_;
};

/// Counts FormatArrays::bytes() of the built arrays. Nothing where these cannot be built, because they have more
/// elements than a 31-bit index counts, and, soon, where it is stopped.
std::optional<std::int64_t> count_bytes(const SparseFormat&, const NonZeros&, const std::stop_token& = {});

/// The same of a matrix by its non-zeros, in memory and time in proportion to them: it may be far too large to be
/// dense.
std::optional<std::int64_t> count_bytes(const SparseFormat&, SparseMatrix);

/// FormatArrays::lost of the built arrays. The entries are row by row from left to right.
std::int64_t count_lost(const SparseFormat&, const NonZeros&, const std::stop_token& = {});
std::int64_t count_lost(const SparseFormat&, const SparseMatrix&);

/// The least share of zeros, 0..1, at which the format takes fewer bytes than a dense matrix of this size, for one
/// fixed order in which elements become zero, drawn uniformly. By bisection: bytes fall as zeros are added. Exact up to
/// 2^16 elements, else to 1/8192. Nothing where it is never smaller, and, soon, where it is stopped.
std::optional<double> break_even_zeros(const SparseFormat&, std::int64_t rows, std::int64_t cols,
                                       const std::stop_token& = {});

}  // namespace convscope
