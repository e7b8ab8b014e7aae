// fused4: Grisett, 'V3 + #pragma unroll (V4)'. Against fused3: the two loops over the filter are unrolled by request.
//
// The report measured 1682 GFLOP/s on a T4, 'basically no extra gain': a compiler that knows the bounds unrolls loops
// this short unasked. With compiled sizes nvcc 13 makes the same PTX of fused3 and fused4; where the bounds are known
// only at run time (AnySizes) the pragma does change the code.
#pragma once

#include "kernels/fused/fused3_kernel.h"

namespace convscope::CONVSCOPE_DIALECT {

/// LoopedFilter with UNROLL, the dialect's #pragma unroll.
template <class Index>
struct UnrolledFilter {
    template <class Sizes, class Tile>
    DEVICE static float add_window(float sum, const FusedThread<Sizes, Tile>& at, int in_c, int row, int column) {
        const Sizes& sizes = at.sizes;
        UNROLL
        for (int kh = 0; kh < sizes.r; ++kh) {
            UNROLL
            for (int kw = 0; kw < sizes.s; ++kw) {
                const float input = at.s_input[(row + kh) * at.tile.width + column + kw];
                const int weight = Index::weight_idx(at.out.filter, in_c, kh, kw, at.shape.c, sizes.r, sizes.s);
                sum = fmaf(at.w[weight], input, sum);
            }
        }
        return sum;
    }
};

/// Block, grid and shared memory as for fused1.
template <class Sizes, class Tile>
LAUNCH_BOUNDS(1024)
KERNEL fused4(KernelShape shape, Global<const float> x, Global<const float> w, Global<float> y) {
    straight_line_pooling<ConstIndex, UnrolledFilter<ConstIndex>, Sizes, Tile>(shape, x, w, y);
}

}  // namespace convscope::CONVSCOPE_DIALECT
