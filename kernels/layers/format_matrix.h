// The matrices of a layer that a sparse format can be made of.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "kernels/formats/format_arrays.h"
#include "kernels/formats/format_bytes.h"
#include "kernels/layers/workload.h"

namespace convscope {

/// x: [(n c h)][w], the maps of all channels one below the other. im2col: [(c r s)][(n p q)], a column for each output.
/// w: [k][(c r s)], a row for each filter, c being the channels of its group.
enum class MatrixOf { x, im2col, w };
inline constexpr MatrixOf all_matrices[] = {MatrixOf::x, MatrixOf::im2col, MatrixOf::w};
const char* to_string(MatrixOf);
/// Throws Error(usage) that lists the names.
MatrixOf parse_matrix_of(const std::string&);
/// "(c h) × w"
std::string matrix_axes(MatrixOf, bool batch);

struct MatrixSize {
    std::int64_t rows = 0, cols = 0;
};
/// The size for the whole batch, or for one image.
MatrixSize matrix_size(MatrixOf, const ConvShape&, bool one_image = false);

/// The first rows and columns, at most so many. 'image': of this one alone, else of the whole batch.
FormatMatrix make_matrix(MatrixOf, const Workload&, std::optional<std::int64_t> image = {},
                         MatrixSize at_most = {INT64_MAX, INT64_MAX});

/// The places of the whole matrix's non-zeros, without its values. Returns early and incomplete where it is stopped.
/// The matrix has at most 2^31 - 1 elements.
NonZeros find_non_zeros(MatrixOf, const Workload&, std::optional<std::int64_t> image, const std::stop_token& = {});

}  // namespace convscope
