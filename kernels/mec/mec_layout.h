// MEC's compact lowering (Cho & Brand 2017, Algorithm 2, lines 4-6).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// Columns [begin, end) of a row of L.
struct MecPartition {
    std::int64_t begin = 0, end = 0;
};

/// L is [n][q][padded_h][s][c]: row (n, q) holds the strip of x that the windows of output column q cover, top to
/// bottom. Padding is written out as zeros.
struct MecLayout {
    ConvShape shape;
    std::vector<float> L;
    std::vector<MecPartition> partitions;  ///< one per output row p: the windows of that row, within a row of L
    std::int64_t rows() const { return shape.n * shape.q(); }
    std::int64_t cols() const { return shape.padded_h() * shape.s * shape.c; }
};

MecLayout make_mec_layout(const ConvShape&, const Tensor& x);

/// The columns of L that output row p multiplies: it starts at p stride_h s c and is r s c wide.
MecPartition mec_partition(const ConvShape&, std::int64_t p);

/// The same lowering into memory of the caller's; x is NHWC. In parallel over rows.
void lower_mec(const ConvShape&, const float* x, float* L);

}  // namespace convscope
