// Programmatic dependent launch (compute capability 9.0 on): a kernel's blocks may be brought to the SMs while the
// kernel before it, whose results it reads, still ends. Elsewhere, and on the CPU, it starts when that has ended.
#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

/// In the first kernel: once all its blocks have come here or ended, the blocks of the next may come.
DEVICE void launch_dependents() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// In the second kernel, before it reads or writes global memory: until the first has ended and all it wrote is seen.
DEVICE void grid_dependency_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// As launch(); with 'early' its blocks may come before the kernel before it has ended, which it waits for itself.
template <class... Parameters, class... Arguments>
void launch_dependent(bool early, Gpu& gpu, void (*kernel)(Parameters...), const KernelLaunch& at,
                      const Arguments&... arguments) {
#if defined(__CUDACC__)
    cudaLaunchAttribute serialization{};
    serialization.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    serialization.val.programmaticStreamSerializationAllowed = 1;
    launch_with(early ? &serialization : nullptr, gpu, kernel, at, arguments...);
#else
    static_cast<void>(early);
    launch(gpu, kernel, at, arguments...);
#endif
}

}  // namespace convscope::CONVSCOPE_DIALECT
