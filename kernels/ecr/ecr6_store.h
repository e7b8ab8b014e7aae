// ecr6's results on their way from registers to memory. A warp has two rows of 8 windows in its sums: lane l those of
// column l / 4, and of every 8 filters 2 (l % 4) and the next.
#pragma once

#include "kernels/ecr/ecr6_tile.h"
#include "kernels/fused/fused6_store.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Partial sums, [part][n p q][leading]; all of the 'leading' filters are written.
template <int Filters>
DEVICE void store_partial(const KernelShape& shape, const Ecr6Tiling& tiling, const float (&sum)[Filters / 2],
                          int image, int row, int column, int first_filter, int part, float* partial) {
    const int lane = threadIdx.x % 32, q = column + lane / 4;
    const long long windows = static_cast<long long>(shape.n) * shape.p * shape.q;
    UNROLL
    for (int below = 0; below < 2; ++below) {
        const int p = row + below;
        if (p >= shape.p || q >= shape.q) continue;
        const long long window = (static_cast<long long>(image) * shape.p + p) * shape.q + q;
        float* to = partial + (part * windows + window) * tiling.leading + first_filter + lane % 4 * 2;
        UNROLL
        for (int eight = 0; eight < Filters / 8; ++eight)
            *reinterpret_cast<float2*>(to + eight * 8) =
                make_float2(sum[eight * 4 + below * 2], sum[eight * 4 + below * 2 + 1]);
    }
}

template <int Filters>
DEVICE void store_ecr6(const KernelShape& shape, const Ecr6Tiling& tiling, const float (&sum)[Filters / 2], int image,
                       int row, int column, int first_filter, int part, float* y) {
    if (tiling.partial)
        store_partial<Filters>(shape, tiling, sum, image, row, column, first_filter, part, y);
    else if (tiling.pool)
        store_pooled<Filters>(shape, sum, image, row, column, first_filter, y);
    else
        store_unpooled<Filters>(shape, sum, image, row, column, first_filter, y);
}

}  // namespace convscope::CONVSCOPE_DIALECT
