// Which pooled output a thread computes. The report maps the pooled map's columns and rows to x and y and the filters
// to z, of block and grid alike; a batch continues along the grid's z.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

DEVICE int blocks_along(int outputs, int block) {
    return (outputs + block - 1) / block;
}

/// The guard for a grid that is larger than the output (slip 14: 96 x 4 layers of threads for 256 filters). True for
/// all threads of a block or for none, so that a block may leave before its first barrier.
DEVICE bool is_surplus_block(const KernelShape& shape) {
    const int x = blockIdx.x, y = blockIdx.y, z = blockIdx.z;
    return x >= blocks_along(shape.out_w, blockDim.x) || y >= blocks_along(shape.out_h, blockDim.y) ||
           z >= blocks_along(shape.k, blockDim.z) * shape.n;
}

/// The output of a thread; its block is not surplus.
struct FusedOutput {
    int image, filter;
    int row, column;           ///< in the pooled map
    int top_row, left_column;  ///< those of the block's first thread
    bool exists;               ///< false beyond the map's right and lower edge and beyond the last filter
};

DEVICE FusedOutput output_of_thread(const KernelShape& shape) {
    const int z = blockIdx.z, filter_groups = blocks_along(shape.k, blockDim.z);
    const int first_filter = z % filter_groups * blockDim.z;
    const int top_row = blockIdx.y * blockDim.y, left_column = blockIdx.x * blockDim.x;
    const int filter = first_filter + threadIdx.z, row = top_row + threadIdx.y, column = left_column + threadIdx.x;
    const bool exists = filter < shape.k && row < shape.out_h && column < shape.out_w;
    return {z / filter_groups, filter, row, column, top_row, left_column, exists};
}

DEVICE int output_idx(const KernelShape& shape, const FusedOutput& out) {
    return ((out.image * shape.k + out.filter) * shape.out_h + out.row) * shape.out_w + out.column;
}

}  // namespace convscope::CONVSCOPE_DIALECT
