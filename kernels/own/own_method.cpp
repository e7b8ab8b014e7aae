#include "kernels/own/own_method.h"

#include <utility>

#include "kernels/core/device.h"
#include "kernels/core/error.h"
#include "kernels/own/own_execution.h"

namespace convscope {
namespace {

class OwnMethod final : public Method {
public:
    OwnMethod(OwnLaunch launch, const ConvShape& shape) : launch_(std::move(launch)), shape_(shape) {
        info_.id = launch_.id;
        info_.family = "own";
        info_.title = "a kernel of one's own";
        info_.device = DeviceKind::cuda;
        info_.takes = {.dilation = true, .groups = true};
        info_.flops_executed = unknown_flops;
        info_.stages = {"multiply"};
    }

    const MethodInfo& info() const override { return info_; }

    ResolvedLaunch resolve(const ConvShape&, const LaunchConfig& config, const DeviceModel& model) const override {
        if (config != LaunchConfig{})
            return {Support::no("the launch of a kernel of one's own is what its comment or its flags say"), {}, 0, {}};
        const KernelLaunch launch = kernel_launch(launch_);
        return {fits(model, launch), {launch}, 0, {}};
    }

    std::int64_t workspace_bytes(const ConvShape&) const override { return convscope::workspace_bytes(launch_); }

    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& config,
                                           Device& device) const override {
        for (const Support& support : {supports(shape), resolve(shape, config, device.info().model).support})
            if (!support) throw Error(ErrorKind::usage, support.reason);
        return std::make_unique<OwnExecution>(launch_, Tensor(shape.n, shape.k, shape.out_h(), shape.out_w()),
                                              *device.gpu());
    }

protected:
    Support can_run(const ConvShape& shape) const override {
        if (shape == shape_) return {};
        return Support::no("the grid and the arguments of " + launch_.id + " are those of the layer " +
                           to_string(shape_));
    }

private:
    const OwnLaunch launch_;
    const ConvShape shape_;
    MethodInfo info_;
};

}  // namespace

std::unique_ptr<Method> make_own_method(OwnLaunch launch, const ConvShape& shape) {
    return std::make_unique<OwnMethod>(std::move(launch), shape);
}

}  // namespace convscope
