// PECR, ECR arranged by pooling window (Xu 2019 and 2022, Algorithm 3, Figs. 7 and 8), over any number of channels.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// One row per pooling window (n, out_h, out_w), stored flat. Row i is [offsets[i], offsets[i + 1]) of Data and
/// Index: its convolution windows one behind the other, in row-major order. Windows that several pooling windows
/// share are stored once in each.
struct PecrLayout {
    ConvShape shape;
    std::vector<std::int64_t> offsets;  ///< n out_h out_w + 1
    std::vector<float> Data;            ///< the non-zero elements of the windows, in the order (c, r, s)
    std::vector<std::int32_t> Index;    ///< where the weight of each lies in a filter: (c r + i) s + j
    std::vector<std::int32_t> Count;    ///< [n out_h out_w][pool_h pool_w]: non-zero elements of each window

    std::int64_t pooling_windows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
    std::int64_t windows_per_pool() const { return shape.pool_h * shape.pool_w; }
};

/// Throws Error(usage) when the shape is not pooled.
PecrLayout make_pecr_layout(const ConvShape&, const Tensor& x);

/// One pooling window of one image (c x h x w): fills values, positions (room for pool_h pool_w reduction()) and
/// counts (pool_h pool_w). Returns the sum of the counts.
std::int64_t compress_pooling_window(const ConvShape&, const float* image, std::int64_t out_h, std::int64_t out_w,
                                     float* values, std::int32_t* positions, std::int32_t* counts);

/// Every pooling window, in segments of equal size, as the kernels reserve them: pooling window i owns
/// pool_h pool_w reduction() values and positions and pool_h pool_w counts. x is NCHW. In parallel.
void convert_pecr(const ConvShape&, const float* x, float* values, std::int32_t* positions, std::int32_t* counts);

}  // namespace convscope
