#include "kernels/method/any_size.h"

namespace convscope {

Support supports_any_size(const Method& method, const ConvShape& shape) {
    const auto* any = dynamic_cast<const PlansAnySize*>(&method);
    return any ? any->supports_any_size(shape) : method.supports(shape);
}

ResolvedLaunch resolve_any_size(const Method& method, const ConvShape& shape, const LaunchConfig& config,
                                const DeviceModel& model) {
    const auto* any = dynamic_cast<const PlansAnySize*>(&method);
    return any ? any->resolve_any_size(shape, config, model) : method.resolve(shape, config, model);
}

}  // namespace convscope
