// fused0: Grisett, 'GPU kernel fusion (baseline)'. Convolution, ReLU and max-pooling in one kernel: the convolution's
// output, pool_stride^2 times as large as the result, is never stored and never read again.
//
// Nothing else is done yet: every multiply-add reads its input element and its weight from global memory, and
// neighbouring threads read the same elements again. The report measured 351 GFLOP/s on a T4 (Table 2).
#pragma once

#include "kernels/fused/fused_output.h"
#include "kernels/fused/fused_sizes.h"
#include "kernels/fused/naive_window.h"
#include "kernels/layers/pooling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// One thread per pooled output. Block and grid: x columns, y rows, z filters (and in the grid, images).
template <class Sizes>
LAUNCH_BOUNDS(1024)
KERNEL fused0(KernelShape shape, Global<const float> x, Global<const float> w, Global<float> y) {
    const Sizes sizes(shape);
    if (is_surplus_block(shape)) return;
    const FusedOutput out = output_of_thread(shape);
    if (!out.exists) return;

    float max_pool_val = 0.0f;  // the ReLU: nothing below zero can win
    for (int ph = 0; ph < sizes.pool_h; ++ph) {
        for (int pw = 0; pw < sizes.pool_w; ++pw) {
            const int row = (out.row * sizes.pool_stride + ph) * sizes.stride_h - shape.pad_h;
            const int column = (out.column * sizes.pool_stride + pw) * sizes.stride_w - shape.pad_w;
            const float conv_sum = naive_window(shape, sizes, x, w, out.image, out.filter, row, column);
            max_pool_val = max_or_nan(max_pool_val, conv_sum);
        }
    }
    y[output_idx(shape, out)] = max_pool_val;
}

}  // namespace convscope::CONVSCOPE_DIALECT
