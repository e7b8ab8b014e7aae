#include "kernels/vendor/cudnn/method.h"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/device.h"
#include "kernels/core/error.h"
#include "kernels/cuda/check.h"
#include "kernels/vendor/cudnn/execution.h"
#include "kernels/vendor/cudnn/pipeline.h"

namespace convscope::cudnn {
namespace {

/// One handle on the first GPU for all questions. Made when the first is asked, since it takes the GPU into use.
class Questions {
public:
    cudnnStatus_t ask(const Pipeline& pipeline, std::int64_t& workspace_bytes) {
        const std::lock_guard lock(mutex_);
        CONVSCOPE_CUDA(cudaSetDevice(0));
        if (!handle_) handle_.emplace();
        return pipeline.query(handle_->get(), workspace_bytes);
    }

private:
    std::mutex mutex_;
    std::optional<Handle> handle_;
};

Questions& questions() {
    // Never destroyed: the driver may be gone before static objects are.
    static auto* all = new Questions;
    return *all;
}

}  // namespace

ShapeKey key_of(const ConvShape& s) {
    return {s.n,        s.c,        s.h,     s.w,     s.k,      s.r,      s.s,
            s.stride_h, s.stride_w, s.pad_h, s.pad_w, s.pool_h, s.pool_w, s.pool_stride};
}

CudnnMethod::CudnnMethod(MethodInfo info, std::vector<Choice> candidates)
    : info_(std::move(info)), candidates_(std::move(candidates)) {}

CudnnMethod::Answer CudnnMethod::ask(const ConvShape& shape) const {
    const ShapeKey key = key_of(shape);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
    }
    Answer answer;
    try {
        cudnnStatus_t status = CUDNN_STATUS_NOT_SUPPORTED;
        for (const Choice& candidate : candidates_) {
            const Pipeline pipeline(shape, info_.dtype, candidate);
            status = questions().ask(pipeline, answer.workspace_bytes);
            if (status != CUDNN_STATUS_SUCCESS) continue;
            answer.workspace_bytes = candidates_.size() > 1 ? -1 : answer.workspace_bytes + pipeline.conv_bytes();
            break;
        }
        if (status != CUDNN_STATUS_SUCCESS)
            answer.support = Support::no(fmt::format(
                "cuDNN {} does not support {} ({})",
                candidates_.size() > 1 ? std::string("has no algorithm that") : candidates_.front().algorithm->name,
                to_string(shape), cudnnGetErrorString(status)));
    } catch (const Error& error) {
        return {Support::no(fmt::format("cuDNN could not be asked: {}", error.what())), -1};
    }
    const std::lock_guard lock(mutex_);
    return answers_.emplace(key, answer).first->second;
}

Support CudnnMethod::supports(const ConvShape& shape) const {
    return ask(shape).support;
}

std::int64_t CudnnMethod::workspace_bytes(const ConvShape& shape) const {
    const Answer answer = ask(shape);
    return answer.support ? answer.workspace_bytes : -1;
}

std::unique_ptr<Execution> CudnnMethod::instantiate(const ConvShape& shape, const LaunchConfig& config,
                                                    Device& device) const {
    if (const ResolvedLaunch resolved = resolve(shape, config, device.info().model); !resolved.support)
        throw Error(ErrorKind::usage, resolved.support.reason);
    return std::make_unique<CudnnExecution>(*this, shape, device);
}

std::optional<Choice> CudnnMethod::chosen(const std::string& device, const ConvShape& shape) const {
    if (candidates_.size() == 1) return candidates_.front();
    const std::lock_guard lock(mutex_);
    const auto found = chosen_.find({device, key_of(shape)});
    return found == chosen_.end() ? std::nullopt : std::optional(found->second);
}

void CudnnMethod::choose(const std::string& device, const ConvShape& shape, const Choice& choice) const {
    const std::lock_guard lock(mutex_);
    chosen_.insert_or_assign({device, key_of(shape)}, choice);
}

}  // namespace convscope::cudnn
