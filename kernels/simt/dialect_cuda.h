// The kernels' dialect under nvcc: plain CUDA.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "kernels/core/error.h"
#include "kernels/core/launch.h"
#include "kernels/method/gpu.h"
#include "kernels/method/method.h"

#define CONVSCOPE_DIALECT on_cuda
#define KERNEL __global__ void
#define DEVICE __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("unroll 1")
#define LAUNCH_BOUNDS(threads) __launch_bounds__(threads)

/// Every shared array starts 16-byte aligned, so that nvcc may join neighbouring loads; elements of 4 bytes keep what
/// take() cuts aligned.
#define DYNAMIC_SHARED(name)                                      \
    extern __shared__ __align__(16) unsigned char name##_bytes[]; \
    ::convscope::on_cuda::SharedMemory name {                     \
        name##_bytes                                              \
    }
#define SHARED_ARRAY(type, name, count) __shared__ __align__(16) type name[count]

namespace convscope::on_cuda {

constexpr DeviceKind device_kind = DeviceKind::cuda;

template <class T>
using Global = T*;
template <class T>
using Shared = T*;

template <class Vector, class T>
__device__ __forceinline__ Vector* vectors(T* elements) {
    return reinterpret_cast<Vector*>(elements);
}

struct SharedMemory {
    unsigned char* next;
    template <class T>
    __device__ __forceinline__ Shared<T> take(int count) {
        T* first = reinterpret_cast<T*>(next);
        next += sizeof(T) * count;
        return first;
    }
};

inline void check(cudaError_t error, const KernelLaunch& at) {
    if (error == cudaSuccess) return;
    throw Error(ErrorKind::failed, "kernel " + at.kernel + " could not be launched with grid " + to_string(at.grid) +
                                       " and block " + to_string(at.block) + ": " + cudaGetErrorString(error));
}

inline dim3 to_dim3(const Dim3& d) {
    return dim3(static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z));
}

/// Enqueues a kernel on the GPU's stream, with up to one attribute. Throws Error(failed) when the launch itself is
/// rejected.
template <class... Parameters, class... Arguments>
void launch_with(const cudaLaunchAttribute* attribute, Gpu& gpu, void (*kernel)(Parameters...), const KernelLaunch& at,
                 const Arguments&... arguments) {
    // Only where it is needed: a smaller limit would stay, and reject a later launch that needs none.
    constexpr std::size_t without_opting_in = 48 * 1024;
    if (at.shared_bytes > without_opting_in)
        check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(at.shared_bytes)),
              at);
    cudaLaunchAttribute given = attribute ? *attribute : cudaLaunchAttribute{};
    cudaLaunchConfig_t config{};
    config.gridDim = to_dim3(at.grid);
    config.blockDim = to_dim3(at.block);
    config.dynamicSmemBytes = at.shared_bytes;
    config.stream = static_cast<cudaStream_t>(gpu.stream());
    config.attrs = &given;
    config.numAttrs = attribute ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), at);
}
template <class... Parameters, class... Arguments>
void launch(Gpu& gpu, void (*kernel)(Parameters...), const KernelLaunch& at, const Arguments&... arguments) {
    launch_with(nullptr, gpu, kernel, at, arguments...);
}

/// Registers per thread as compiled for the present GPU; 0 when the driver does not say.
template <class... Parameters>
int registers_of(void (*kernel)(Parameters...)) {
    cudaFuncAttributes attributes{};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
    return error == cudaSuccess ? attributes.numRegs : 0;
}

}  // namespace convscope::on_cuda
