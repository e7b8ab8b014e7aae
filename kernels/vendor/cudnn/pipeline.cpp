#include "kernels/vendor/cudnn/pipeline.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>

#include "kernels/core/error.h"
#include "kernels/cuda/check.h"
#include "kernels/method/device.h"
#include "kernels/vendor/cudnn/execution.h"

namespace convscope::cudnn {
namespace {

/// Made when the first question is asked, since it takes the GPU into use.
struct Questions {
    std::mutex mutex;
    std::optional<Handle> handle;
};

Questions& questions() {
    // Never destroyed: the driver may be gone before static objects are.
    static auto* all = new Questions;
    return *all;
}

}  // namespace

void check(cudnnStatus_t status, const char* call, const char* file, int line) {
    if (status == CUDNN_STATUS_SUCCESS) return;
    cudaGetLastError();  // else the next, unrelated call would report this error again
    const std::string sentence = failed_call(call, file, line, cudnnGetErrorString(status));
    if (status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED) throw OutOfMemory(sentence);
    throw Error(ErrorKind::failed, sentence);
}

void ask_cudnn(const std::function<void(cudnnHandle_t)>& question) {
    Questions& all = questions();
    const std::lock_guard lock(all.mutex);
    CONVSCOPE_CUDA(cudaSetDevice(0));
    if (!all.handle) all.handle.emplace();
    question(all.handle->get());
}

std::unique_ptr<Execution> PipelineMethod::instantiate(const ConvShape& shape, const LaunchConfig& config,
                                                       Device& device) const {
    if (const ResolvedLaunch resolved = resolve(shape, config, device.info().model); !resolved.support)
        throw Error(ErrorKind::usage, resolved.support.reason);
    return std::make_unique<CudnnExecution>(*this, shape, device);
}

}  // namespace convscope::cudnn
