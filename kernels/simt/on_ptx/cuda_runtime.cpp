#include "kernels/simt/on_ptx/cuda_runtime.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "kernels/simt/on_ptx/ptx_gpu.h"

namespace convscope::on_ptx {
namespace {

std::map<const void*, std::string>& kernels() {
    static std::map<const void*, std::string> names;  // by the host's function
    return names;
}

/// A map's bytes: a word that tells it from others, and its number.
struct Encoded {
    std::uint64_t magic, number;
};
constexpr std::uint64_t encoded_magic = 0x64656d6d61707321;
class EncodedTensors {
public:
    Encoded add(EncodedTensor tensor) {
        const std::lock_guard lock(mutex_);
        tensors_[made_] = std::move(tensor);
        return {encoded_magic, made_++};
    }
    std::optional<EncodedTensor> find(std::uint64_t number) {
        const std::lock_guard lock(mutex_);
        const auto found = tensors_.find(number);
        return found == tensors_.end() ? std::nullopt : std::optional(found->second);
    }
    void forget(std::span<const std::byte> memory) {
        const std::lock_guard lock(mutex_);
        std::erase_if(tensors_, [begin = memory.data(), bytes = memory.size()](const auto& numbered) {
            const auto* address = static_cast<const std::byte*>(numbered.second.address);
            return !std::less<>()(address, begin) && std::less<>()(address, begin + bytes);
        });
    }

private:
    std::mutex mutex_;
    std::map<std::uint64_t, EncodedTensor> tensors_;  ///< by number
    std::uint64_t made_ = 0;
};
EncodedTensors& encoded() {
    static EncodedTensors tensors;
    return tensors;
}

/// Dense tensors of floats alone, which is what ours are.
CUresult encode(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address, const cuuint64_t* sizes,
                const cuuint64_t* strides, const cuuint32_t* box, const cuuint32_t* element_strides,
                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                CUtensorMapFloatOOBfill fill) {
    if (type != CU_TENSOR_MAP_DATA_TYPE_FLOAT32 || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
        fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE || element_strides[0] != 1)
        return CUDA_ERROR_INVALID_VALUE;
    for (std::uint64_t i = 0, bytes = sizeof(float) * sizes[0]; i + 1 < rank; bytes *= sizes[++i])
        if (strides[i] != bytes) return CUDA_ERROR_INVALID_VALUE;
    EncodedTensor tensor;
    tensor.address = address;
    tensor.box.sizes.assign(sizes, sizes + rank);
    tensor.box.box.assign(box, box + rank);
    tensor.box.element_strides.assign(element_strides, element_strides + rank);
    tensor.box.swizzle = swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? 0 : 16u << swizzle;
    if (!tensor.box.reason(sizeof(float)).empty()) return CUDA_ERROR_INVALID_VALUE;
    const Encoded bytes = encoded().add(std::move(tensor));
    std::memcpy(map, &bytes, sizeof bytes);
    return CUDA_SUCCESS;
}

}  // namespace

std::optional<EncodedTensor> tensor_map_of(const void* parameter, std::size_t bytes) {
    Encoded map{};
    if (bytes == sizeof(CUtensorMap)) std::memcpy(&map, parameter, sizeof map);
    if (map.magic != encoded_magic) return std::nullopt;
    return encoded().find(map.number);
}

void forget_tensor_maps(std::span<const std::byte> memory) noexcept {
    encoded().forget(memory);
}

}  // namespace convscope::on_ptx

// Called by nvcc's host code and by our launchers.
extern "C" {

void** __cudaRegisterFatBinary(void*) {
    static void* handle = nullptr;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) {
    return 0;
}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
    convscope::on_ptx::kernels()[host] = name;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* host, void** arguments) {
    using namespace convscope;
    ptx::LaunchRequest request;
    const auto sizes = [](const dim3& d) { return Dim3{d.x, d.y, d.z}; };
    request.grid = sizes(config->gridDim);
    request.block = sizes(config->blockDim);
    request.shared_bytes = config->dynamicSmemBytes;
    for (unsigned i = 0; i < config->numAttrs; ++i)
        if (const auto& cluster = config->attrs[i]; cluster.id == cudaLaunchAttributeClusterDimension)
            request.cluster = Dim3{cluster.val.clusterDim.x, cluster.val.clusterDim.y, cluster.val.clusterDim.z};
    reinterpret_cast<on_ptx::PtxGpu*>(config->stream)
        ->launch(on_ptx::kernels().at(host), std::move(request), arguments);
    return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPoint(const char*, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* found) {  // before CUDA 12.5
    return cudaGetDriverEntryPointByVersion(nullptr, function, 0, 0, found);
}
// Called for launches as kernel<<<...>>>(...), which no launcher of ours makes.
cudaError_t __cudaGetKernel(cudaKernel_t*, const void*) {
    return cudaErrorNotSupported;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t) {
    return cudaErrorNotSupported;
}
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, std::size_t*, void*) {
    return cudaErrorNotSupported;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, const void*) {
    return cudaErrorNotSupported;
}
const char* cudaGetErrorString(cudaError_t) {
    return "an error of the stand-in";
}
cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    *value = attribute == cudaDevAttrComputeCapabilityMajor ? 9 : 0;
    return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char*, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
    *function = reinterpret_cast<void*>(&convscope::on_ptx::encode);
    *found = cudaDriverEntryPointSuccess;
    return cudaSuccess;
}

}  // extern "C"
