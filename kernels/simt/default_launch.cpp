// Compiled once per dialect (kernels/simt/dialect.h).
#include <stdexcept>

#include "kernels/core/error.h"
#include "kernels/simt/gpu_families.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

ResolvedLaunch default_launches(const Method& method, const ConvShape& shape, const DeviceModel& model) {
    ResolvedLaunch resolved = method.resolve(shape, {}, model);
    if (!resolved.support) throw Error(ErrorKind::usage, method.info().id + ": " + resolved.support.reason);
    return resolved;
}

}  // namespace

KernelLaunch default_launch(const Method& method, const ConvShape& shape, const DeviceModel& model) {
    const ResolvedLaunch resolved = default_launches(method, shape, model);
    return resolved.kernels[resolved.main];
}

KernelLaunch default_launch(const Method& method, const ConvShape& shape, const DeviceModel& model,
                            const char* kernel) {
    for (const KernelLaunch& candidate : default_launches(method, shape, model).kernels)
        if (candidate.kernel == kernel) return candidate;
    throw std::logic_error(method.info().id + " launches no kernel " + kernel);
}

}  // namespace convscope::CONVSCOPE_DIALECT
