// Thread block clusters (compute capability 9.0 on): blocks along the grid's z that run at the same time and read each
// other's shared memory. They have no meaning on the CPU, where a plan has one block along z and none of this is
// called.
#pragma once

#include "kernels/core/error.h"
#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Waits for all threads of the cluster that have not ended; what they wrote to shared memory before is then seen by
/// the others. A warp that has ended is not waited for (PTX ISA, barrier.cluster).
DEVICE void wait_for_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

/// Four floats at 'place', a multiple of four, in the array of the block with this z that lies where 'own' does here.
DEVICE float4 from_cluster(Shared<const float> own, int place, int block) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    float4 four;
    asm volatile(
        "{\n.reg .u32 there;\nmapa.shared::cluster.u32 there, %4, %5;\n"
        "ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [there];\n}"
        : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(own + place))), "r"(block)
        : "memory");
    return four;
#else
    const float4 four = vectors<const float4>(own)[place / 4];
    return block == 0 ? four : float4{0.0f, 0.0f, 0.0f, 0.0f};
#endif
}

/// As launch(); the blocks along the grid's z are clusters.
template <class... Parameters, class... Arguments>
void launch_clusters(Gpu& gpu, void (*kernel)(Parameters...), const KernelLaunch& at, const Arguments&... arguments) {
    if (at.grid.z == 1) return launch(gpu, kernel, at, arguments...);
#if defined(__CUDACC__)
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {1, 1, static_cast<unsigned>(at.grid.z)};
    launch_with(&cluster, gpu, kernel, at, arguments...);
#else
    throw Error(ErrorKind::failed, "kernel " + at.kernel + " wants clusters, which the simulated GPU does not have");
#endif
}

}  // namespace convscope::CONVSCOPE_DIALECT
