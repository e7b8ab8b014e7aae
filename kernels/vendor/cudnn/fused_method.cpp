#include "kernels/vendor/cudnn/fused_method.h"

#include <fmt/format.h>

#include "kernels/core/error.h"
#include "kernels/core/shape_fields.h"
#include "kernels/vendor/cudnn/fused_chooser.h"

namespace convscope::cudnn {

Support FusedMethod::can_run(const ConvShape& shape) const {
    if (!shape.pooled())
        return Support::no(fmt::format(
            "{} fuses ReLU with the convolution, which only layers with pooling have; {} has none: take cudnn",
            info_.id, to_string(shape)));
    const std::string key = key_of(shape);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
    }
    Support answer;
    try {
        ask_cudnn([&](cudnnHandle_t handle) { answer = has_fused_form(handle, shape, info_.dtype); });
    } catch (const Error& error) {
        return Support::no(fmt::format("cuDNN could not be queried: {}", error.what()));
    }
    const std::lock_guard lock(mutex_);
    return answers_.emplace(key, answer).first->second;
}

FusedChoice FusedMethod::choose(Gpu& gpu, cudnnHandle_t handle, const std::string& device,
                                const ConvShape& shape) const {
    const std::pair key(device, key_of(shape));
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = chosen_.find(key); found != chosen_.end()) return found->second;
    }
    const FusedChoice choice = fastest_fused(gpu, handle, shape, info_.dtype);
    const std::lock_guard lock(mutex_);
    chosen_.insert_or_assign(key, choice);
    return choice;
}

std::unique_ptr<Pipeline> FusedMethod::make_pipeline(Gpu& gpu, cudnnHandle_t handle, const std::string& device,
                                                     const ConvShape& shape) const {
    const FusedChoice choice = choose(gpu, handle, device, shape);
    const std::vector<Engine> engines = FusedGraph(handle, shape, info_.dtype, choice.layout).engines(info_.dtype);
    if (choice.engine >= engines.size())
        throw Error(ErrorKind::failed, "cuDNN lists fewer engines than when the fastest was chosen");
    return std::make_unique<FusedPipeline>(handle, shape, info_.dtype, choice.layout, engines[choice.engine]);
}

}  // namespace convscope::cudnn
