// Compiled twice: by nvcc for the GPU, by the host's compiler for the simulated one.
#include "kernels/simt/gpu_registration.h"

#include "kernels/core/error.h"
#include "kernels/simt/gpu_families.h"

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
    register_fused(registry);
}

KernelLaunch standard_launch(const Method& method, const ConvShape& shape, const DeviceModel& model) {
    const ResolvedLaunch resolved = method.resolve(shape, {}, model);
    if (!resolved.support) throw Error(ErrorKind::usage, method.info().id + ": " + resolved.support.reason);
    return resolved.kernels[resolved.main];
}

}  // namespace convscope::CONVSCOPE_DIALECT
