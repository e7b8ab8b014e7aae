// The properties of the simulated GPU: one device, a model of kernels/core/device_model.h.
#include <algorithm>
#include <cstring>

#include "kernels/runtime/call.h"
#include "kernels/runtime/textures.h"

using namespace convscope;
using runtime::call;
using runtime::Fault;
using runtime::Gpu;
using runtime::texture_alignment;
using runtime::texture_pitch_alignment;

namespace {

constexpr int cuda_version = 13000;

const DeviceModel& model() {
    return Gpu::get().model();
}

void require_device(int device) {
    if (device != 0)
        throw Fault{cudaErrorInvalidDevice, "error",
                    "is given a device that there is not: the simulated GPU is device 0", 0};
}

int attribute_of(int attribute) {
    const DeviceModel& of = model();
    switch (attribute) {
        case 1:
            return of.max_threads_per_block;
        case 2:
            return static_cast<int>(of.max_block.x);
        case 3:
            return static_cast<int>(of.max_block.y);
        case 4:
            return static_cast<int>(of.max_block.z);
        case 5:
            return static_cast<int>(of.max_grid.x);
        case 6:
            return static_cast<int>(of.max_grid.y);
        case 7:
            return static_cast<int>(of.max_grid.z);
        case 8:
            return static_cast<int>(of.shared_per_block);
        case 9:
            return 64 << 10;
        case 10:
            return of.warp_size;
        case 11:
            return 2147483647;
        case 12:
            return of.registers_per_block;
        case 13:
            return static_cast<int>(of.clock_mhz * 1000);
        case 14:
            return 512;
        case 16:
            return of.sms;
        case 38:
            return static_cast<int>(of.l2_bytes);
        case 39:
            return of.max_threads_per_sm;
        case 51:
            return 32;
        case 75:
            return of.cc_major;
        case 76:
            return of.cc_minor;
        case 81:
            return static_cast<int>(of.shared_per_sm);
        case 82:
            return of.registers_per_sm;
        case 97:
            return static_cast<int>(of.shared_per_block_optin);
        case 106:
            return of.max_blocks_per_sm;
        case 111:
            return static_cast<int>(of.shared_reserved_per_block);
        case 120:
            return of.cc_major >= 9;
        case 15:  // copies during kernels
        case 19:  // mapped host memory
        case 31:  // concurrent kernels
        case 40:  // copy engines
        case 41:  // one address space
        case 79:  // L1 caches
        case 80:
        case 83:   // managed memory
        case 91:   // registered memory by its own pointer
        case 95:   // cooperative launches
        case 99:   // cudaHostRegister
        case 115:  // pools
            return 1;
        default:
            return 0;
    }
}

}  // namespace

CUDA_API cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaSetDevice(int device) {
    return call("cudaSetDevice", [&] { require_device(device); });
}
CUDA_API cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return call("cudaInitDevice", [&] { require_device(device); });
}
CUDA_API cudaError_t cudaChooseDevice(int* device, const void*) {
    *device = 0;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaSetDeviceFlags(unsigned) {
    return cudaSuccess;
}
CUDA_API cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    *flags = 0;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaDeviceGetAttribute(int* value, int attribute, int device) {
    return call("cudaDeviceGetAttribute", [&] {
        require_device(device);
        *value = attribute_of(attribute);
    });
}
CUDA_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call("cudaGetDeviceProperties", [&] {
        require_device(device);
        const DeviceModel& of = model();
        cudaDeviceProp all{};
        const std::string name = of.name + " (simulated)";
        std::copy_n(name.begin(), std::min(name.size(), sizeof all.name - 1), all.name);
        all.totalGlobalMem = static_cast<std::size_t>(of.memory_bytes);
        all.sharedMemPerBlock = static_cast<std::size_t>(of.shared_per_block);
        all.regsPerBlock = of.registers_per_block;
        all.warpSize = of.warp_size;
        all.memPitch = 2147483647;
        all.maxThreadsPerBlock = of.max_threads_per_block;
        for (int i = 0; i < 3; ++i) {
            all.maxThreadsDim[i] = attribute_of(2 + i);
            all.maxGridSize[i] = attribute_of(5 + i);
        }
        all.totalConstMem = 64 << 10;
        all.major = of.cc_major;
        all.minor = of.cc_minor;
        all.textureAlignment = texture_alignment;
        all.texturePitchAlignment = texture_pitch_alignment;
        all.multiProcessorCount = of.sms;
        all.canMapHostMemory = all.concurrentKernels = all.unifiedAddressing = all.managedMemory = 1;
        all.asyncEngineCount = all.globalL1CacheSupported = all.localL1CacheSupported = all.cooperativeLaunch = 1;
        all.hostRegisterSupported = all.memoryPoolsSupported = all.canUseHostPointerForRegisteredMem = 1;
        all.l2CacheSize = static_cast<int>(of.l2_bytes);
        all.maxThreadsPerMultiProcessor = of.max_threads_per_sm;
        all.sharedMemPerMultiprocessor = static_cast<std::size_t>(of.shared_per_sm);
        all.regsPerMultiprocessor = of.registers_per_sm;
        all.sharedMemPerBlockOptin = static_cast<std::size_t>(of.shared_per_block_optin);
        all.maxBlocksPerMultiProcessor = of.max_blocks_per_sm;
        all.reservedSharedMemPerBlock = static_cast<std::size_t>(of.shared_reserved_per_block);
        all.clusterLaunch = of.cc_major >= 9;
        *properties = all;
    });
}
CUDA_API cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = cuda_version;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaDriverGetVersion(int* version) {
    *version = cuda_version;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaDeviceSetLimit(int limit, std::size_t value) {
    return call("cudaDeviceSetLimit", [&] {
        if (limit == cudaLimitMallocHeapSize) Gpu::get().set_malloc_limit(value);
    });
}
CUDA_API cudaError_t cudaDeviceGetLimit(std::size_t* value, int limit) {
    return call("cudaDeviceGetLimit", [&] {
        constexpr std::size_t of_stack = 1024, of_printf = 1 << 20;  // what CUDA begins with
        *value = limit == cudaLimitMallocHeapSize ? Gpu::get().malloc_limit()
                 : limit == cudaLimitStackSize    ? of_stack
                                                  : of_printf;
    });
}
CUDA_API cudaError_t cudaDeviceSetCacheConfig(int) {
    return cudaSuccess;
}
CUDA_API cudaError_t cudaDeviceSetSharedMemConfig(int) {
    return cudaSuccess;
}
CUDA_API cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
    return call("cudaDeviceGetPCIBusId", [&] {
        require_device(device);
        std::strncpy(id, "0000:00:00.0", static_cast<std::size_t>(length));
    });
}
CUDA_API cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}
CUDA_API cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}
