#include "kernels/runtime/call.h"

#include <exception>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/runtime/host_faults.h"

namespace convscope::runtime {
namespace {

thread_local cudaError_t last = cudaSuccess;
// Both under the GPU's mutex. The list outlives the destructors of static objects.
std::int64_t faults = 0;
std::vector<std::int64_t>& unseen = *new std::vector<std::int64_t>;  // launches' faults that nobody has asked for

cudaError_t fail(const char* name, const Fault& fault) {
    last = fault.code;
    if (fault.kind.empty()) return last;
    const char* error = error_name(fault.code);
    report({{"event", "fault"},
            {"number", ++faults},
            {"kind", fault.kind},
            {"call", name},
            {"error", error ? error : ""},
            {"what", fault.what},
            {"allocation", fault.allocation},
            {"frames", frames_here()}});
    return last;
}

struct ErrorWords {
    cudaError_t code;
    const char *name, *text;
};
#define ERROR(name, text) \
    { name, #name, text }
constexpr ErrorWords words[] = {
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    ERROR(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ERROR(cudaErrorNotReady, "device not ready"),
    ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ERROR(cudaErrorAssert, "device-side assert triggered"),
    ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    ERROR(cudaErrorNotSupported, "operation not supported"),
    ERROR(cudaErrorUnknown, "unknown error"),
};
#undef ERROR

const ErrorWords* words_of(cudaError_t code) {
    for (const ErrorWords& each : words)
        if (each.code == code) return &each;
    return nullptr;
}

}  // namespace

cudaError_t run_call(const char* name, void (*function)(void*), void* context) {
    Gpu& gpu = Gpu::get();
    const std::lock_guard lock(gpu.mutex);
    watch_host_faults();
    if (gpu.broken != cudaSuccess) return last = gpu.broken;
    gpu.open_memory();
    cudaError_t result = cudaSuccess;
    try {
        function(context);
    } catch (const Fault& fault) {
        result = fail(name, fault);
    } catch (const OutOfMemory& error) {
        result = fail(name, {cudaErrorMemoryAllocation, "out_of_memory", error.what(), 0});
    } catch (const Error& error) {
        result = fail(name, {cudaErrorNotSupported, "failed", error.what(), 0});
    } catch (const std::exception& error) {
        result = fail(name, {cudaErrorUnknown, "failed", error.what(), 0});
    }
    gpu.settle();
    if (result == cudaSuccess && gpu.broken != cudaSuccess) last = gpu.broken;
    return result;
}

cudaError_t last_error(bool take) {
    const std::lock_guard lock(Gpu::get().mutex);
    const cudaError_t error = last;
    unseen.clear();
    if (take && Gpu::get().broken == cudaSuccess) last = cudaSuccess;
    return error;
}

void expect_question() {
    unseen.push_back(faults + 1);
}

void report_unseen() {
    for (const std::int64_t number : unseen) report({{"event", "unseen"}, {"number", number}});
    unseen.clear();
}

const char* error_name(cudaError_t code) {
    const ErrorWords* known = words_of(code);
    return known ? known->name : nullptr;
}

const char* error_text(cudaError_t code) {
    const ErrorWords* known = words_of(code);
    return known ? known->text : "unrecognized error code";
}

}  // namespace convscope::runtime

namespace runtime = convscope::runtime;

CUDA_API cudaError_t cudaGetLastError() {
    return runtime::last_error(true);
}
CUDA_API cudaError_t cudaPeekAtLastError() {
    return runtime::last_error(false);
}
CUDA_API const char* cudaGetErrorName(cudaError_t code) {
    const char* name = runtime::error_name(code);
    return name ? name : "unrecognized error code";
}
CUDA_API const char* cudaGetErrorString(cudaError_t code) {
    return runtime::error_text(code);
}
