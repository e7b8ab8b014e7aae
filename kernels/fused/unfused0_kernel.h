// unfused0: what fused0 fuses, apart: the convolution by the same loops and the same launch, one thread for each of its
// outputs, which go to global memory. ReLU and max-pooling are a kernel of their own (kernels/pooling/pool_kernel.h).
// Against it one sees what fusing alone brings.
#pragma once

#include "kernels/fused/fused_output.h"
#include "kernels/fused/fused_sizes.h"
#include "kernels/fused/naive_window.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The shape is without its pooling. Block and grid: x columns, y rows, z filters (and in the grid, images).
template <class Sizes>
LAUNCH_BOUNDS(1024)
KERNEL unfused0(KernelShape shape, Global<const float> x, Global<const float> w, Global<float> conv) {
    const Sizes sizes(shape);
    if (is_surplus_block(shape)) return;
    const FusedOutput out = output_of_thread(shape);
    if (!out.exists) return;
    const int row = out.row * sizes.stride_h - shape.pad_h, column = out.column * sizes.stride_w - shape.pad_w;
    conv[output_idx(shape, out)] = naive_window(shape, sizes, x, w, out.image, out.filter, row, column);
}

}  // namespace convscope::CONVSCOPE_DIALECT
