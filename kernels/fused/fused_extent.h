// The height or width of the fused kernels' shared-memory tile: one formula for the kernels and for the planning of
// their launches.
#pragma once

namespace convscope {

/// The inputs that 'block' neighbouring pooled outputs read along one axis (the report's Fig. 1, where stride is 1:
/// (BLOCK_DIM - 1) * kPoolStride + kPoolSize + kKernelSize - 1).
template <class Number>
constexpr Number fused_tile_extent(Number block, Number pool, Number pool_stride, Number stride, Number filter) {
    return ((block - 1) * pool_stride + pool - 1) * stride + filter;
}

}  // namespace convscope
