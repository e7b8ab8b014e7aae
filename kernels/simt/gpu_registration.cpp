// Compiled twice: by nvcc for the GPU, by the host's compiler for the simulated one.
#include "kernels/simt/gpu_registration.h"

#include "kernels/simt/gpu_families.h"

namespace convscope::CONVSCOPE_DIALECT {

void register_gpu_methods(Registry& registry) {
    register_im2col(registry);
    register_mec(registry);
    register_ecr(registry);
    register_pecr(registry);
}

}  // namespace convscope::CONVSCOPE_DIALECT
