// Two kernels that follow each other, the second launched while the first one still runs (programmatic dependent
// launch, compute capability 9.0): its start is hidden, and only what it reads of the first one has to wait.
#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::hopper {

/// In the first kernel: its part in letting the next one start. That finds room as this one's blocks leave.
__device__ __forceinline__ void let_next_kernel_start() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

/// In the second kernel: returns when the first has ended and what it wrote can be read.
__device__ __forceinline__ void await_previous_kernel() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

/// Enqueues the second kernel. Throws Error(failed) when the launch itself is refused.
template <class... Parameters, class... Arguments>
void launch_next(Gpu& gpu, void (*kernel)(Parameters...), const KernelLaunch& at, const Arguments&... arguments) {
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = on_cuda::to_dim3(at.grid);
    config.blockDim = on_cuda::to_dim3(at.block);
    config.dynamicSmemBytes = static_cast<std::size_t>(at.shared_bytes);
    config.stream = static_cast<cudaStream_t>(gpu.stream());
    config.attrs = &early;
    config.numAttrs = 1;
    on_cuda::check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), at);
}

}  // namespace convscope::hopper
