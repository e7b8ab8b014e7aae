// Stores of data that this GPU will not read again soon: they leave the L2 cache to what is read. The order of what is
// written is that of other stores, and so is their meaning on the CPU.
#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

/// to[place ... place + 3] = four; the address must be a multiple of 16 bytes.
DEVICE void store_streaming(Global<float> to, int place, float4 four) {
#if defined(__CUDA_ARCH__)
    __stcs(reinterpret_cast<float4*>(to + place), four);
#else
    vectors<float4>(to + place)[0] = four;
#endif
}

}  // namespace convscope::CONVSCOPE_DIALECT
