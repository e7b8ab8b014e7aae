#include "kernels/cuda/loaded_kernel.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <array>
#include <type_traits>

#include "kernels/cuda/check.h"

namespace convscope {
#if CUDART_VERSION >= 12080
namespace {

struct Unload {
    void operator()(cudaLibrary_t library) const { cudaLibraryUnload(library); }
};

class CudaKernel final : public LoadedKernel {
public:
    CudaKernel(Gpu& gpu, const std::string& ptx, const std::string& symbol) : gpu_(gpu) {
        gpu_.stream();  // this GPU becomes the current one
        load(ptx);
        CONVSCOPE_CUDA(cudaLibraryGetKernel(&kernel_, library_.get(), symbol.c_str()));
        CONVSCOPE_CUDA(cudaFuncGetAttributes(&attributes_, function()));
    }
    void launch(const LoadedLaunch& with, const std::vector<void*>& arguments) override {
        const auto bytes = static_cast<int>(with.dynamic_shared_bytes);
        if (bytes > attributes_.maxDynamicSharedSizeBytes) {
            // More than 48 KiB are given to those who ask.
            CONVSCOPE_CUDA(cudaFuncSetAttribute(function(), cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
            attributes_.maxDynamicSharedSizeBytes = bytes;
        }
        std::array<cudaLaunchAttribute, 2> attributes{};
        cudaLaunchConfig_t config{};
        config.gridDim = extent(with.grid);
        config.blockDim = extent(with.block);
        config.dynamicSmemBytes = with.dynamic_shared_bytes;
        config.stream = static_cast<cudaStream_t>(gpu_.stream());
        config.attrs = attributes.data();
        if (with.cluster) {
            constexpr std::int64_t max_portable = 8;  // more blocks are given to those who ask
            if (with.cluster->count() > max_portable)
                CONVSCOPE_CUDA(cudaFuncSetAttribute(function(), cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
            const dim3 size = extent(*with.cluster);
            cudaLaunchAttribute& of_cluster = attributes[config.numAttrs++];
            of_cluster.id = cudaLaunchAttributeClusterDimension;
            of_cluster.val.clusterDim.x = size.x;
            of_cluster.val.clusterDim.y = size.y;
            of_cluster.val.clusterDim.z = size.z;
        }
        if (with.cooperative) {
            cudaLaunchAttribute& together = attributes[config.numAttrs++];
            together.id = cudaLaunchAttributeCooperative;
            together.val.cooperative = 1;
        }
        const cudaError_t status = cudaLaunchKernelExC(&config, function(), const_cast<void**>(arguments.data()));
        if (status == cudaErrorCooperativeLaunchTooLarge) {
            cudaGetLastError();
            throw Error(ErrorKind::usage,
                        fmt::format("the kernel calls grid.sync(), for which all {} blocks must be on "
                                    "the GPU at once; it does not hold so many of them",
                                    with.grid.count()));
        }
        check_cuda(status, "cudaLaunchKernelExC", __FILE__, __LINE__);
    }
    void* variable(const std::string& symbol) override {
        gpu_.stream();
        void* address = nullptr;
        std::size_t bytes = 0;
        CONVSCOPE_CUDA(cudaLibraryGetGlobal(&address, &bytes, library_.get(), symbol.c_str()));
        return address;
    }
    int registers() const override { return attributes_.numRegs; }
    std::size_t static_shared_bytes() const override { return attributes_.sharedSizeBytes; }
    std::size_t local_bytes() const override { return attributes_.localSizeBytes; }

private:
    void load(const std::string& ptx) {
        std::array<char, 4096> said{};
        std::array<cudaJitOption, 2> options{cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
        // The driver takes the size where a pointer would stand.
        std::array<void*, 2> values{said.data(), reinterpret_cast<void*>(said.size() - 1)};
        cudaLibrary_t loaded = nullptr;
        const cudaError_t status = cudaLibraryLoadData(&loaded, ptx.c_str(), options.data(), values.data(),
                                                       options.size(), nullptr, nullptr, 0);
        library_.reset(loaded);
        if (status == cudaSuccess) return;
        cudaGetLastError();
        throw Error(ErrorKind::usage, fmt::format("the driver does not compile this kernel for the GPU: {}{}{}",
                                                  to_string(status), said[0] ? ": " : "", said.data()));
    }
    static dim3 extent(const Dim3& size) {
        return {static_cast<unsigned>(size.x), static_cast<unsigned>(size.y), static_cast<unsigned>(size.z)};
    }
    const void* function() const { return reinterpret_cast<const void*>(kernel_); }

    Gpu& gpu_;
    std::unique_ptr<std::remove_pointer_t<cudaLibrary_t>, Unload> library_;
    cudaKernel_t kernel_ = nullptr;
    cudaFuncAttributes attributes_{};
};

}  // namespace

std::unique_ptr<LoadedKernel> load_cuda_kernel(Gpu& gpu, const std::string& ptx, const std::string& symbol) {
    return std::make_unique<CudaKernel>(gpu, ptx, symbol);
}
#else
std::unique_ptr<LoadedKernel> load_cuda_kernel(Gpu&, const std::string&, const std::string&) {
    throw Error(ErrorKind::usage,
                "a kernel of one's own runs on a GPU where convscope was built with CUDA 12.8 or newer");
}
#endif

}  // namespace convscope
