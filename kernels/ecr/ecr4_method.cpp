#include "kernels/ecr/ecr4_method.h"

#include "kernels/ecr/ecr_methods.h"

namespace convscope {

std::unique_ptr<Method> make_ecr4(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    MethodInfo info{.id = "ecr4",
                    .family = "ecr",
                    .title = "ECR, zeros skipped within a block: no format in global memory",
                    .paper = "Xu 2022",
                    .follows = "Algorithms 1-2, section 7",
                    .device = device,
                    .flops_executed = nonzero_flops,
                    .stages = {"multiply", "pool"}};
    return std::make_unique<Ecr4Method>(std::move(info), program, pool, false);
}

}  // namespace convscope
