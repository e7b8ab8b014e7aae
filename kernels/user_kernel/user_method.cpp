#include "kernels/user_kernel/user_method.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/method/device.h"
#include "kernels/user_kernel/user_execution.h"
#include "kernels/user_kernel/user_simulation.h"

namespace convscope {
namespace {

std::size_t bytes_of(std::int64_t elements) {
    return static_cast<std::size_t>(elements) * sizeof(float);
}

class UserMethod final : public Method {
public:
    UserMethod(std::vector<UserLaunch> variants, const ConvShape& shape, DeviceKind kind)
        : variants_(std::move(variants)), shape_(shape) {
        info_.id = variants_.front().id;
        info_.family = "own";
        info_.title = "a kernel of one's own";
        info_.device = kind;
        info_.takes = {.dilation = true, .groups = true, .sides = true};
        info_.flops_executed = unknown_flops;
        info_.stages = {"multiply"};
    }

    const MethodInfo& info() const override { return info_; }

    LaunchSpace launch_space(const ConvShape&) const override {
        LaunchSpace space;
        for (std::size_t i = 0; i < variants_.front().tunables.size(); ++i) {
            const auto& [name, first] = variants_.front().tunables[i];
            std::set<std::int64_t> values;
            for (const UserLaunch& variant : variants_) values.insert(variant.tunables[i].second);
            space.tunables.push_back({name, "what it was compiled with", {values.begin(), values.end()}, first});
        }
        return space;
    }

    ResolvedLaunch resolve(const ConvShape&, const LaunchConfig& config, const DeviceModel& model) const override {
        const UserLaunch* chosen = find(config);
        if (!chosen)
            return {Support::no("the launch of a kernel of one's own is what its comment or its flags say"), {}, 0, {}};
        if (!chosen->rejected.empty()) return {Support::no(chosen->rejected), {}, 0, {}};
        const KernelLaunch launch = kernel_launch(*chosen);
        return {fits(model, launch), {launch}, 0, {}};
    }

    std::int64_t workspace_bytes(const ConvShape&) const override {
        std::int64_t most = 0;
        for (const UserLaunch& variant : variants_) most = std::max(most, convscope::workspace_bytes(variant));
        return most;
    }

    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& config,
                                           Device& device) const override {
        for (const Support& support : {supports(shape), resolve(shape, config, device.info().model).support})
            if (!support) throw Error(ErrorKind::usage, support.reason);
        UserLaunch launch = *find(config);
        for (UserArgument& argument : launch.arguments) {
            // x and w come with the workload; nobody has written y.
            if (argument.role == UserRole::x) argument.bytes.resize(bytes_of(shape.x_elements()));
            if (argument.role == UserRole::w) argument.bytes.resize(bytes_of(shape.w_elements()));
            if (argument.role == UserRole::y) argument.bytes.assign(bytes_of(shape.y_elements()), '\xff');
        }
        Tensor y(shape.n, shape.k, shape.out_h(), shape.out_w());
        if (info_.device == DeviceKind::sim) return std::make_unique<UserSimulation>(std::move(launch), std::move(y));
        return std::make_unique<UserExecution>(std::move(launch), std::move(y), *device.gpu());
    }

protected:
    Support can_run(const ConvShape& shape) const override {
        if (shape == shape_) return {};
        return Support::no("the grid and the arguments of " + info_.id + " are those of the layer " +
                           to_string(shape_));
    }

private:
    /// The variant that this is; null where there is none.
    const UserLaunch* find(const LaunchConfig& config) const {
        const auto is_it = [&](const UserLaunch& variant) {
            if (config.block.value_or(variant.block) != variant.block) return false;
            if (config.grid.value_or(variant.grid) != variant.grid) return false;
            return std::ranges::all_of(config.tunables, [&](const auto& wanted) {
                return std::ranges::find(variant.tunables, std::pair<std::string, std::int64_t>(wanted)) !=
                       variant.tunables.end();
            });
        };
        const auto found = std::ranges::find_if(variants_, is_it);
        return found == variants_.end() ? nullptr : &*found;
    }

    const std::vector<UserLaunch> variants_;
    const ConvShape shape_;
    MethodInfo info_;
};

}  // namespace

std::unique_ptr<Method> make_user_method(std::vector<UserLaunch> variants, const ConvShape& shape, DeviceKind kind) {
    return std::make_unique<UserMethod>(std::move(variants), shape, kind);
}

}  // namespace convscope
