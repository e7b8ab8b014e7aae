#pragma once

#include <cuda_runtime_api.h>

namespace convscope::testing {

enum class LateFault {
    illegal_write,  ///< ruins the context
    silence,        ///< the kernel never ends
};

/// A kernel that counts its runs in '*runs' (device memory), and goes wrong in run number 'last'.
void enqueue_late_fault(LateFault, int* runs, int last, cudaStream_t);

}  // namespace convscope::testing
