#include "kernels/hopper/tensor_map.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "kernels/core/error.h"

namespace convscope::hopper {
namespace {

/// Returns the driver's cuTensorMapEncodeTiled: nothing of ours links to libcuda.
decltype(&cuTensorMapEncodeTiled) encoder() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    constexpr unsigned version = 12000;
    const cudaError_t status =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, version, cudaEnableDefault, &found);
#else
    const cudaError_t status = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
    if (status != cudaSuccess || found != cudaDriverEntryPointSuccess)
        throw Error(ErrorKind::failed, "this driver has no cuTensorMapEncodeTiled; it must be of CUDA 12 or later");
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
}

}  // namespace

CUtensorMap map_of_pixels(const float* x, const ConvShape& shape, int rows, int columns, int step_h, int step_w) {
    const auto size = [](std::int64_t value) { return static_cast<cuuint64_t>(value); };
    const cuuint64_t pixel = size(shape.c) * sizeof(float);
    const cuuint64_t sizes[]{size(shape.c), size(shape.w), size(shape.h), size(shape.n)};
    const cuuint64_t strides[]{pixel, pixel * size(shape.w), pixel * size(shape.w) * size(shape.h)};
    // A box's extent counts the elements that it steps over.
    const auto extent = [](int count, int step) { return static_cast<cuuint32_t>((count - 1) * step + 1); };
    const cuuint32_t box[]{box_channels, extent(columns, step_w), extent(rows, step_h), 1};
    const cuuint32_t each[]{1, static_cast<cuuint32_t>(step_w), static_cast<cuuint32_t>(step_h), 1};
    static const auto encode = encoder();
    CUtensorMap map{};
    const CUresult result = encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, const_cast<float*>(x), sizes, strides, box,
                                   each, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                   CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
        throw Error(ErrorKind::failed,
                    fmt::format("cuTensorMapEncodeTiled rejected boxes of {}x{} pixels of {}: error {}", rows, columns,
                                to_string(shape), static_cast<int>(result)));
    return map;
}

std::string missing_gpu() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
    std::string seen;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        int major = 0, minor = 0;
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal);
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal);
        if (major == 9 && minor == 0) return {};
        seen += fmt::format("{}{}.{}", seen.empty() ? "" : ", ", major, minor);
    }
    return "a GPU of compute capability 9.0; " + (seen.empty() ? "there is none here" : "here is " + seen);
}

}  // namespace convscope::hopper
