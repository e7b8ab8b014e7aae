#include "kernels/vendor/onednn.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <mutex>

#include "kernels/core/error.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/method/device.h"
#include "kernels/method/registry.h"
#include "kernels/vendor/onednn_execution.h"

namespace convscope {
namespace {

using onednn::Variant;

MethodInfo describe(std::optional<Variant> variant) {
    MethodInfo info;
    info.family = "vendor";
    info.vendor = true;
    info.stages = {"multiply", "pool"};
    info.layout = Layout::blocked;
    info.takes = {.dilation = true, .groups = true, .sides = true};
    if (!variant) {
        info.id = "onednn";
        info.vendor_best = true;
        info.title = "oneDNN, the fastest of its convolutions";
        return info;
    }
    info.id = onednn::method_id(*variant);
    switch (*variant) {
        case Variant::direct_nchw:
            info.title = "oneDNN direct, NCHW";
            info.layout = Layout::nchw;
            break;
        case Variant::direct_nhwc:
            info.title = "oneDNN direct, NHWC";
            info.layout = Layout::nhwc;
            break;
        case Variant::direct_blocked:
            info.title = "oneDNN direct, layout of its choice";
            break;
        case Variant::winograd:
            info.title = "oneDNN Winograd, layout of its choice";
            break;
    }
    return info;
}

class OnednnMethod final : public Method {
public:
    explicit OnednnMethod(std::optional<Variant> variant) : variant_(variant), info_(describe(variant)) {}

    const MethodInfo& info() const override { return info_; }

    /// Asks the library, which costs some 0.1 ms, so answers are kept: an interface asks in every frame.
    Support can_run(const ConvShape& shape) const override {
        if (!variant_) return {};
        std::scoped_lock lock(mutex_);
        const std::string key = key_of(shape);
        auto found = answers_.find(key);
        if (found != answers_.end()) return found->second;
        if (answers_.size() >= max_answers) answers_.clear();
        return answers_.emplace(key, onednn::offers(shape, *variant_)).first->second;
    }

    std::int64_t workspace_bytes(const ConvShape& shape) const override {
        if (!variant_ || !supports(shape)) return -1;
        const onednn::Plan plan = onednn::make_plan(shape, *variant_);
        return plan.unpooled_bytes() + plan.scratch_bytes();
    }

    /// The direct kernels are dense; of Winograd only oneDNN knows the tiles.
    ExecutedWork executed(const Workload& workload, const std::string& choice) const override {
        return {Arithmetic::fp32, choice.starts_with("direct") ? dense_flops(workload) : std::nullopt};
    }

    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& config,
                                           Device& device) const override {
        validate(shape);
        if (ResolvedLaunch launch = resolve(shape, config, device.info().model); !launch.support)
            throw Error(ErrorKind::usage,
                        fmt::format("{} cannot run {}: {}", info_.id, to_string(shape), launch.support.reason));
        return std::make_unique<onednn::OnednnExecution>(shape, variant_);
    }

private:
    static constexpr std::size_t max_answers = 1024;
    std::optional<Variant> variant_;
    MethodInfo info_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, Support> answers_;
};

}  // namespace

std::string onednn_version() {
    const dnnl_version_t* version = dnnl_version();
    return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

void register_onednn(Registry& registry) {
    registry.add(std::make_unique<OnednnMethod>(std::nullopt));
    for (Variant variant : onednn::variants) registry.add(std::make_unique<OnednnMethod>(variant));
}

}  // namespace convscope
