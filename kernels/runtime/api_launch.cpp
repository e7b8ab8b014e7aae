// Registration of device code, and launches.
#include <algorithm>
#include <string>

#include "kernels/runtime/call.h"

using namespace convscope;
using runtime::call;
using runtime::Fault;
using runtime::Gpu;

namespace {

/// The configuration between <<< and >>>, until the kernel's stub takes it.
struct Configuration {
    dim3 grid, block;
    std::size_t shared_bytes;
    cudaStream_t stream;
    std::vector<std::uint64_t> frames;
};
thread_local std::vector<Configuration> pushed;
thread_local std::vector<std::uint64_t> launched_from;  // what the stub has taken, and not launched yet

Dim3 sizes_of(const dim3& d) {
    return {static_cast<int>(d.x), static_cast<int>(d.y), static_cast<int>(d.z)};
}

/// At the end of the process, after all of the program's own.
__attribute__((destructor)) void finish() {
    Gpu& gpu = Gpu::get();
    const std::lock_guard lock(gpu.mutex);
    gpu.finish();
}

cudaError_t launch(const char* name, const void* kernel, const runtime::LaunchCall& with) {
    const auto frames = std::move(launched_from);
    launched_from.clear();
    const runtime::AsIfFrom place(frames);
    return call(name, [&] {
        try {
            Gpu::get().launch(kernel, with);
        } catch (const runtime::Fault& fault) {
            if (!frames.empty() && !fault.kind.empty()) runtime::expect_question();
            throw;
        }
    });
}

}  // namespace

CUDA_API void** __cudaRegisterFatBinary(void* fat_binary) {
    return Gpu::get().add_module(fat_binary);
}
CUDA_API void __cudaRegisterFatBinaryEnd(void**) {}
CUDA_API void __cudaUnregisterFatBinary(void**) {}
CUDA_API char __cudaInitModule(void** module) {
    return call("__cudaInitModule", [&] { Gpu::get().load(module); }) == cudaSuccess;  // it is there
}
CUDA_API void __cudaRegisterFunction(void** module, const char* host, char*, const char* name, int, void*, void*, dim3*,
                                     dim3*, int*) {
    Gpu::get().add_kernel(module, host, name);
}
CUDA_API void __cudaRegisterVar(void** module, char* host, char*, const char* name, int, std::size_t, int, int) {
    Gpu::get().add_variable(module, host, name, nullptr);
}
CUDA_API void __cudaRegisterManagedVar(void** module, void** host, char*, const char* name, int, std::size_t, int,
                                       int) {
    Gpu::get().add_variable(module, host, name, host);
}

CUDA_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream) {
    pushed.push_back({grid, block, shared_bytes, stream, runtime::frames_here()});
    return 0;
}
CUDA_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream) {
    if (pushed.empty()) return cudaErrorInvalidConfiguration;
    const Configuration& top = pushed.back();
    *grid = top.grid;
    *block = top.block;
    *shared_bytes = top.shared_bytes;
    *static_cast<cudaStream_t*>(stream) = top.stream;
    launched_from = top.frames;
    pushed.pop_back();
    return cudaSuccess;
}

CUDA_API cudaError_t __cudaGetKernel(const void** kernel, const void* host) {
    *kernel = host;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared_bytes, cudaStream_t stream) {
    // The stub of a kernel that clang made calls this one, after it has taken a configuration.
    return launch(launched_from.empty() ? "cudaLaunchKernel" : "<<<>>>", kernel,
                  {sizes_of(grid), sizes_of(block), std::nullopt, shared_bytes, stream, arguments});
}
CUDA_API cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
    return launch("<<<>>>", kernel, {sizes_of(grid), sizes_of(block), std::nullopt, shared_bytes, stream, arguments});
}
CUDA_API cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                 std::size_t shared_bytes, cudaStream_t stream) {
    return launch("cudaLaunchCooperativeKernel", kernel,
                  {sizes_of(grid), sizes_of(block), std::nullopt, shared_bytes, stream, arguments, true});
}
CUDA_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
    runtime::LaunchCall with{sizes_of(config->gridDim),
                             sizes_of(config->blockDim),
                             std::nullopt,
                             config->dynamicSmemBytes,
                             config->stream,
                             arguments};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        if (attribute.id == cudaLaunchAttributeClusterDimension) with.cluster = sizes_of(attribute.val.clusterDim);
        if (attribute.id == cudaLaunchAttributeCooperative) with.cooperative = attribute.val.cooperative != 0;
    }
    return launch("cudaLaunchKernelExC", kernel, with);
}

CUDA_API cudaError_t cudaGetFuncBySymbol(const void** function, const void* kernel) {
    return call("cudaGetFuncBySymbol", [&] {
        Gpu::get().program(kernel);
        *function = kernel;
    });
}
CUDA_API cudaError_t cudaFuncSetAttribute(const void* kernel, int attribute, int value) {
    return call("cudaFuncSetAttribute", [&] {
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return;
        if (value < 0) throw Fault{cudaErrorInvalidValue, "error", "asks for less than no shared memory"};
        Gpu::get().set_shared_limit(kernel, static_cast<std::uint64_t>(value));
    });
}
CUDA_API cudaError_t cudaFuncSetCacheConfig(const void*, int) {
    return cudaSuccess;
}
CUDA_API cudaError_t cudaFuncSetSharedMemConfig(const void*, int) {
    return cudaSuccess;
}
CUDA_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    return call("cudaFuncGetAttributes", [&] {
        Gpu& gpu = Gpu::get();
        const ptx::Program& program = gpu.program(kernel);
        const DeviceModel& model = gpu.model();
        *attributes = {};
        attributes->sharedSizeBytes = program.static_shared_bytes;
        attributes->localSizeBytes = program.local_bytes;
        attributes->maxThreadsPerBlock = program.entry->max_threads != 0 ? static_cast<int>(program.entry->max_threads)
                                                                         : model.max_threads_per_block;
        attributes->numRegs = 32;  // what an assembler would make of it is not known
        attributes->ptxVersion = attributes->binaryVersion = gpu.architecture(kernel);
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(
            gpu.shared_limit(kernel) - std::min(gpu.shared_limit(kernel), program.static_shared_bytes));
    });
}

namespace {

int blocks_per_sm(const void* kernel, int threads, std::size_t shared_bytes) {
    if (threads < 1) throw Fault{cudaErrorInvalidValue, "error", "asks about a block without threads", 0};
    return Gpu::get().blocks_per_sm(kernel, {threads, 1, 1}, shared_bytes);
}

}  // namespace

CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                            int threads, std::size_t shared_bytes,
                                                                            unsigned) {
    return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                [&] { *blocks = blocks_per_sm(kernel, threads, shared_bytes); });
}
CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                                   std::size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared_bytes, 0);
}
CUDA_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* kernel, int blocks,
                                                               int) {
    return call("cudaOccupancyAvailableDynamicSMemPerBlock", [&] {
        const auto per_sm = static_cast<std::uint64_t>(Gpu::get().model().shared_per_sm);
        const std::uint64_t each = per_sm / static_cast<std::uint64_t>(std::max(blocks, 1));
        const std::uint64_t own = Gpu::get().program(kernel).static_shared_bytes;
        const std::uint64_t most = std::min(each, Gpu::get().shared_limit(kernel));
        *bytes = most - std::min(most, own);
    });
}
