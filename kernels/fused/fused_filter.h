// One channel of one convolution window: the innermost loops of fused1 to fused3.
#pragma once

#include "kernels/fused/fused_tile.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The two loops over the filter as in the report's Fig. 3.
template <class Index>
struct LoopedFilter {
    /// Returns sum + channel in_c of the filter times the tile's window with the upper left element (row, column).
    template <class Sizes, class Tile>
    DEVICE static float add_window(float sum, const FusedThread<Sizes, Tile>& at, int in_c, int row, int column) {
        const Sizes& sizes = at.sizes;
        for (int kh = 0; kh < sizes.r; ++kh) {
            for (int kw = 0; kw < sizes.s; ++kw) {
                const float input = at.s_input[(row + kh) * at.tile.width + column + kw];
                const int weight = Index::weight_idx(at.out.filter, in_c, kh, kw, at.shape.c, sizes.r, sizes.s);
                sum = fmaf(at.w[weight], input, sum);
            }
        }
        return sum;
    }
};

}  // namespace convscope::CONVSCOPE_DIALECT
