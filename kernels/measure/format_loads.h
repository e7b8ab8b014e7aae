// The memory that the kernels which read a sparse format ask for: the sectors of a warp's loads, counted by the watched
// executor while it multiplies this very matrix.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/formats/format_arrays.h"
#include "kernels/layers/format_matrix.h"

namespace convscope {

/// All loads of one array by one kernel.
struct ArrayLoads {
    std::string array;                           ///< as the format calls it
    std::int64_t requests = 0;                   ///< of warps
    std::int64_t sectors = 0, bytes_wanted = 0;  ///< of 32 bytes, that they move; distinct bytes that lanes read
    double sectors_each() const { return static_cast<double>(sectors) / static_cast<double>(requests); }
    double share_wanted() const { return static_cast<double>(bytes_wanted) / (32 * static_cast<double>(sectors)); }
};

struct KernelLoads {
    std::string method, kernel;
    std::string how;                 ///< "a thread per row"
    std::vector<ArrayLoads> arrays;  ///< the values are the last
};

struct FormatLoads {
    MatrixSize counted;  ///< the first rows and columns
    bool part = false;   ///< of a larger matrix
    std::vector<KernelLoads> kernels;
};

/// The first rows and columns that are counted of a matrix of this size: 32 rows or more where it has them, and in all
/// at most max_counted_loads elements.
inline constexpr std::int64_t max_counted_loads = 1 << 15;
MatrixSize counted_part(const MatrixSize& whole);

/// Runs every kernel that reads this format, on counted_part(whole) or all of it. A kernel takes the matrix as im2col's
/// of a layer of 1 x 1 filters, which leaves it as it is. 'whole': of which the matrix is the first rows and columns.
/// Throws Error(failed) when stopped.
FormatLoads count_format_loads(const SparseFormat&, const FormatMatrix&, const MatrixSize& whole,
                               const std::stop_token& = {});

/// "A warp of csr2 (a thread per row) asks for 23.4 sectors a load of values, 17 % of their bytes used."; or that no
/// kernel reads the format. With where it was counted, if that is a part.
std::string loads_sentence(const SparseFormat&, const FormatLoads&);

}  // namespace convscope
