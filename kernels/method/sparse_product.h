// Multiplies a sparse matrix by a dense one with a GPU's library (Gpu::make_sparse_product).
#pragma once

#include <cstdint>

namespace convscope {

/// C = S D, FP32: S is rows x depth, compressed; D depth x columns and C rows x columns, row-major.
struct SparseProductShape {
    /// cuSPARSE's kernel for vectors divides the work by the number of non-zeros, which only the device knows; a
    /// leading dimension of at least 2 keeps cuSPARSE from choosing it.
    static constexpr std::int64_t min_ldd = 2;

    std::int64_t rows = 0, depth = 0, columns = 0;
    std::int64_t ldd = 0;       ///< D's leading dimension in elements, at least min_ldd; C's is columns
    std::int64_t capacity = 0;  ///< room for non-zeros; how many there are stands in row_offsets[rows]
};

/// Row i's non-zeros are [row_offsets[i], row_offsets[i + 1]). Entries behind the last one are never read.
struct CsrArrays {
    const std::int32_t* row_offsets = nullptr;
    const std::int32_t* columns = nullptr;
    const float* values = nullptr;
};

/// A product prepared for arrays at fixed addresses, which outlive it. The non-zeros may change from run to run.
class SparseProduct {
public:
    virtual ~SparseProduct() = default;
    virtual void run() = 0;  ///< enqueues; can be captured into a graph
    /// Device memory of the library, counted in library_workspace_bytes.
    virtual std::int64_t device_bytes() const { return 0; }
};

}  // namespace convscope
