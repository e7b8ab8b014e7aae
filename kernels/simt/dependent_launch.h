// Programmatic dependent launch (compute capability 9.0 on): a kernel's blocks may start while the kernel before it in
// the stream, whose results it reads, still runs. On older GPUs and on the CPU it starts when that has ended.
#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

/// In the first kernel: lets the next kernel's blocks start once all blocks have called this or exited.
DEVICE void launch_dependents() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// In the second kernel, before it accesses global memory: waits until the first has ended and its writes are visible.
DEVICE void grid_dependency_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// As launch(). With 'early' its blocks may start before the kernel before it has ended; it must wait for that itself.
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
