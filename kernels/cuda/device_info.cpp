#include "kernels/cuda/device_info.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <fstream>

#include "kernels/cuda/check.h"

namespace convscope {
namespace {

constexpr int oldest_cc_major = 7, oldest_cc_minor = 5;  // the PTX in the module (cmake/Options.cmake)

/// 13010 -> "13.1", as CUDA numbers its versions.
std::string version(int number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

int attribute(cudaDeviceAttr which, int ordinal) {
    int value = 0;
    CONVSCOPE_CUDA(cudaDeviceGetAttribute(&value, which, ordinal));
    return value;
}

DeviceModel model_of(const cudaDeviceProp& properties, int ordinal) {
    DeviceModel model;
    model.name = properties.name;
    model.cc_major = properties.major;
    model.cc_minor = properties.minor;
    model.sms = properties.multiProcessorCount;
    model.warp_size = properties.warpSize;
    model.max_threads_per_block = properties.maxThreadsPerBlock;
    model.max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
    model.max_blocks_per_sm = properties.maxBlocksPerMultiProcessor;
    model.registers_per_sm = properties.regsPerMultiprocessor;
    model.registers_per_block = properties.regsPerBlock;
    model.shared_per_block = static_cast<std::int64_t>(properties.sharedMemPerBlock);
    model.shared_per_block_optin = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
    model.shared_per_sm = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
    model.shared_reserved_per_block = static_cast<std::int64_t>(properties.reservedSharedMemPerBlock);
    model.shared_allocation_unit = properties.major >= 8 ? 128 : 256;
    model.max_block = {properties.maxThreadsDim[0], properties.maxThreadsDim[1], properties.maxThreadsDim[2]};
    model.max_grid = {properties.maxGridSize[0], properties.maxGridSize[1], properties.maxGridSize[2]};
    model.l2_bytes = properties.l2CacheSize;
    model.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    const double sm_hz = 1e3 * attribute(cudaDevAttrClockRate, ordinal);
    const double memory_hz = 1e3 * attribute(cudaDevAttrMemoryClockRate, ordinal);
    model.fp32_lanes = fp32_lanes_per_sm(model.cc_major, model.cc_minor);
    model.fp32_tflops = 2e-12 * model.sms * model.fp32_lanes * sm_hz;
    model.clock_mhz = 1e-6 * sm_hz;
    model.memory_latency_cycles = memory_latency_cycles_of(model.cc_major);
    model.memory_gb_per_s = 2e-9 * memory_hz * properties.memoryBusWidth / 8;  // two transfers a cycle
    return model;
}

/// The kernel module's version, "580.159.04"; where it is not shown, the newest CUDA that the driver knows.
std::string driver_version(int driver_cuda) {
    std::string text;
    if (std::ifstream file("/sys/module/nvidia/version"); file >> text) return text;
    return fmt::format("CUDA {}", version(driver_cuda));
}

DeviceInfo info_of(int ordinal, int driver_cuda) {
    cudaDeviceProp properties{};
    CONVSCOPE_CUDA(cudaGetDeviceProperties(&properties, ordinal));
    DeviceInfo info;
    info.id = fmt::format("cuda:{}", ordinal);
    info.kind = DeviceKind::cuda;
    info.name = properties.name;
    info.compute_capability = fmt::format("{}.{}", properties.major, properties.minor);
    info.driver_version = driver_version(driver_cuda);
    info.cuda_version = version(CUDART_VERSION);
    info.model = model_of(properties, ordinal);
    info.available = properties.major * 10 + properties.minor >= oldest_cc_major * 10 + oldest_cc_minor;
    if (!info.available)
        info.reason = fmt::format("{} has compute capability {}, and at least {}.{} is needed", info.name,
                                  info.compute_capability, oldest_cc_major, oldest_cc_minor);
    return info;
}

int driver_cuda_version() {
    int number = 0;
    cudaDriverGetVersion(&number);
    return number;
}

}  // namespace

std::string cuda_unavailable_reason() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    cudaGetLastError();
    if (status == cudaErrorInsufficientDriver)
        return fmt::format("the NVIDIA driver is too old: it runs CUDA up to {}, and this build needs CUDA {}",
                           version(driver_cuda_version()), version(CUDART_VERSION));
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) return "no NVIDIA GPU was found";
    if (status != cudaSuccess) return fmt::format("the NVIDIA driver does not start: {}", to_string(status));
    return {};
}

std::vector<DeviceInfo> cuda_device_infos() {
    int count = 0;
    CONVSCOPE_CUDA(cudaGetDeviceCount(&count));
    const int driver_cuda = driver_cuda_version();
    std::vector<DeviceInfo> infos;
    for (int ordinal = 0; ordinal < count; ++ordinal) infos.push_back(info_of(ordinal, driver_cuda));
    return infos;
}

}  // namespace convscope
