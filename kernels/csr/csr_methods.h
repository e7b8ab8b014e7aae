// csr1 on a GPU, without its kernels: shapes, launch space, and where its arrays lie in the workspace.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "kernels/simt/gpu_method.h"

namespace convscope {

/// The workspace of csr1: offsets in bytes. There is room for as many non-zeros as the extended map has elements, since
/// how many there are depends on x.
struct CsrFormat {
    std::int64_t rows = 0, row_length = 0;  ///< of the extended map, [n p q][r s c]

    static constexpr std::int64_t min_tile = 256;  ///< elements that one warp compresses

    std::int64_t elements() const { return rows * row_length; }
    std::int64_t extended() const { return 0; }
    std::int64_t values() const { return padded(elements()); }
    std::int64_t columns() const { return values() + padded(elements()); }
    std::int64_t row_offsets() const { return columns() + padded(elements()); }
    std::int64_t counts() const { return row_offsets() + padded(rows + 1); }  ///< one int for each tile
    std::int64_t bytes() const { return counts() + padded(elements() / min_tile + 1); }

private:
    /// Bytes of 'words' elements of 4 bytes, so that what follows is aligned as an allocation of its own would be.
    static std::int64_t padded(std::int64_t words) { return (4 * words + 255) / 256 * 256; }
};

CsrFormat csr_format(const ConvShape&);

/// Elements between the prepared weights' rows [r s c][k]: k, and at least SparseProductShape::min_ldd.
std::int64_t csr_leading_weights(const ConvShape&);

/// One block sums up the counts of all tiles: of a large matrix tiles are larger, so that there are not many more.
constexpr std::int64_t csr_max_tiles = 16384;
/// The tunable 'tile' for a matrix of so many elements.
Tunable csr_tile_tunable(std::int64_t elements);
/// The launches of csr_count, csr_scan and csr_fill.
std::array<KernelLaunch, 3> plan_compaction(std::int64_t tiles);

/// The tile that a configuration leads to.
std::int64_t csr_tile(const ConvShape&, const LaunchConfig&);

std::unique_ptr<Method> make_csr1(DeviceKind, MakeGpuProgram program, MakeGpuProgram pool);

}  // namespace convscope
