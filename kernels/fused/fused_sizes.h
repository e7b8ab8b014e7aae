// The sizes of a layer that a fused kernel is compiled for. The report bakes its layer in (kKernelSize, kPoolSize and
// kPoolStride are constants), which lets the compiler unroll loops and fold addresses; here that is one of two choices
// for the template parameter Sizes, and any other layer takes the second.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// A square filter at stride 1 and 2 x 2 pooling with stride 2, as constants: the report's layer with filter = 5.
template <int filter>
struct CompiledSizes {
    static constexpr int r = filter, s = filter;
    static constexpr int stride_h = 1, stride_w = 1;
    static constexpr int pool_h = 2, pool_w = 2, pool_stride = 2;
    DEVICE explicit CompiledSizes(const KernelShape&) {}
};

/// Read when the kernel runs, under the same names: any filter, stride and pooling window.
using AnySizes = KernelShape;

}  // namespace convscope::CONVSCOPE_DIALECT
