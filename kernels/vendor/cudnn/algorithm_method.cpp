#include "kernels/vendor/cudnn/algorithm_method.h"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/error.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/vendor/cudnn/algorithm_chooser.h"
#include "kernels/vendor/cudnn/algorithm_pipeline.h"

namespace convscope::cudnn {
AlgorithmMethod::AlgorithmMethod(MethodInfo info, std::vector<Choice> candidates)
    : info_(std::move(info)), candidates_(std::move(candidates)), by_side_(info_.dtype, GraphForm::convolution) {}

AlgorithmMethod::Answer AlgorithmMethod::ask(const ConvShape& shape) const {
    if (shape.padded_by_side()) return {by_side_.supports(shape), -1};
    const std::string key = key_of(shape);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
    }
    Answer answer;
    try {
        cudnnStatus_t status = CUDNN_STATUS_NOT_SUPPORTED;
        for (const Choice& candidate : candidates_) {
            AlgorithmPipeline pipeline(shape, info_.dtype, candidate);
            ask_cudnn([&](cudnnHandle_t handle) { status = pipeline.query(handle); });
            if (status != CUDNN_STATUS_SUCCESS) continue;
            if (candidates_.size() == 1) answer.workspace_bytes = pipeline.workspace_bytes() + pipeline.conv_bytes();
            break;
        }
        if (status != CUDNN_STATUS_SUCCESS)
            answer.support = Support::no(fmt::format(
                "cuDNN {} does not support {} ({})",
                candidates_.size() > 1 ? std::string("has no algorithm that") : candidates_.front().algorithm->name,
                to_string(shape), cudnnGetErrorString(status)));
    } catch (const Error& error) {
        return {Support::no(fmt::format("cuDNN could not be queried: {}", error.what())), -1};
    }
    const std::lock_guard lock(mutex_);
    return answers_.emplace(key, answer).first->second;
}

Support AlgorithmMethod::can_run(const ConvShape& shape) const {
    return ask(shape).support;
}

std::int64_t AlgorithmMethod::workspace_bytes(const ConvShape& shape) const {
    const Answer answer = ask(shape);
    return answer.support ? answer.workspace_bytes : -1;
}

ExecutedWork AlgorithmMethod::executed(const Workload& workload, const std::string& choice) const {
    const std::string algorithm = choice.substr(0, choice.find(','));
    for (const char* dense : {"implicit-gemm", "implicit-precomp-gemm", "gemm", "direct"})
        if (algorithm == dense) return {info_.arithmetic, dense_flops(workload)};
    return {info_.arithmetic, std::nullopt};  // Winograd's tiles and the transforms' sizes are cuDNN's own
}

Choice AlgorithmMethod::choose(Gpu& gpu, cudnnHandle_t handle, const std::string& device,
                               const ConvShape& shape) const {
    if (candidates_.size() == 1) return candidates_.front();
    const std::pair key(device, key_of(shape));
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = chosen_.find(key); found != chosen_.end()) return found->second;
    }
    const Choice choice = fastest(gpu, handle, shape, info_.dtype, candidates_);
    const std::lock_guard lock(mutex_);
    chosen_.insert_or_assign(key, choice);
    return choice;
}

std::unique_ptr<Pipeline> AlgorithmMethod::make_pipeline(Gpu& gpu, cudnnHandle_t handle, const std::string& device,
                                                         const ConvShape& shape) const {
    if (shape.padded_by_side()) return by_side_.make_pipeline(gpu, handle, device, shape);
    auto pipeline = std::make_unique<AlgorithmPipeline>(shape, info_.dtype, choose(gpu, handle, device, shape));
    CONVSCOPE_CUDNN(pipeline->query(handle));
    return pipeline;
}

}  // namespace convscope::cudnn
