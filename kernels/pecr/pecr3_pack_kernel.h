// From pecr3's format in global memory to the paper's: pecr3 gives every window a segment of its own, in Fig. 7 and 8
// the windows of a pooling window follow each other without a gap. For pictures of the format.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// 'segments' are the words of values or of positions as pecr3_convert leaves them. The filled ones of a pooling
/// window's windows go to the beginning of its pool_h pool_w c r s words of 'packed'; the rest of those is left alone.
/// One warp per window; block: x a multiple of 32.
KERNEL pecr3_pack(KernelShape shape, Global<const int> segments, Global<const int> Count, Global<int> packed) {
    const int windows = shape.pool_h * shape.pool_w;
    const int warps = blockDim.x / 32;
    const long long slot = static_cast<long long>(blockIdx.x) * warps + threadIdx.x / 32;
    if (slot >= static_cast<long long>(shape.n) * shape.out_h * shape.out_w * windows) return;

    const long long capacity = static_cast<long long>(shape.c) * shape.r * shape.s;
    const long long first = slot / windows * windows;  // of its pooling window
    long long to = first * capacity;
    for (long long earlier = first; earlier < slot; ++earlier) to += Count[earlier];
    const int count = Count[slot];
    for (int i = threadIdx.x % 32; i < count; i += 32) packed[to + i] = segments[slot * capacity + i];
}

}  // namespace convscope::CONVSCOPE_DIALECT
