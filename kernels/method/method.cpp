#include "kernels/method/method.h"

#include <fmt/format.h>

#include "kernels/layers/shape_fields.h"

namespace convscope {

Support Method::takes(const ConvShape& shape) const {
    const auto no = [&](const std::string& taken, const std::string& wanted) {
        return Support::no(fmt::format("{} takes {}, not {}", info().id, taken, wanted));
    };
    if (shape.dilated() && !info().takes.dilation)
        return no("dilation 1", fmt::format("{},{}", shape.dilation_h, shape.dilation_w));
    if (shape.groups != 1 && !info().takes.groups) return no("one group", std::to_string(shape.groups));
    if (shape.padded_by_side() && !info().takes.sides)
        return no("as much padding below as above and right as left",
                  text_of(shape_key(&ConvShape::pad_h), shape, ","));
    return {};
}

Summation summation_of(const MethodInfo& info, const Execution& execution) {
    return execution.chosen_summation().value_or(info.summation);
}

Support Method::supports(const ConvShape& shape) const {
    if (Support taken = takes(shape); !taken) return taken;
    return can_run(shape);
}

ResolvedLaunch Method::resolve(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const {
    if (Support support = supports(shape); !support) return {support, {}, 0};
    if (config.block || config.grid || !config.tunables.empty())
        return {Support::no(info().id + " takes no launch configuration"), {}, 0};
    return {};
}

ExecutedWork Method::executed(const Workload& workload, const std::string&) const {
    return {info().arithmetic, info().flops_executed(workload)};
}

std::unique_ptr<Execution> make_ready(const Method& method, const Workload& workload, const LaunchConfig& launch,
                                      Device& device) {
    auto execution = method.instantiate(workload.spec.shape, launch, device);
    execution->setup();
    execution->allocate();
    execution->stage_inputs(workload);
    execution->upload();
    execution->prepare_weights();
    execution->poison_output();
    return execution;
}

}  // namespace convscope
