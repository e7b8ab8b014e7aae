// Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/simt/gpu_registration.h"

#include <stdexcept>

#include "kernels/core/error.h"
#include "kernels/pixel/pixel_registration.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/tensor/tensor_registration.h"
#include "kernels/union/union_registration.h"

namespace convscope::CONVSCOPE_DIALECT {

void register_gpu_methods(Registry& registry) {
    register_im2col(registry);
    register_mec(registry);
    register_winograd(registry);
    register_fft(registry);
    register_csr(registry);
    register_ecr(registry);
    register_pecr(registry);
    register_tiled(registry);
    register_ocpa(registry);  // after those that it chooses from
    register_unfused(registry);
    register_fused(registry);
    register_fcr(registry);
    register_spmm(registry);
    register_weights(registry);
#if defined(__CUDACC__)
    register_tensor(registry);  // after ecr4 and pecr4, which tensor3 gives small layers to
    register_union(registry);
    register_pixel(registry);
#endif
}

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
