// pecr4: ecr4's product, whose partial sums go through ReLU and max-pooling where they are added up.
#include "kernels/ecr/ecr4_method.h"
#include "kernels/pecr/pecr_methods.h"

namespace convscope {

std::unique_ptr<Method> make_pecr4(DeviceKind device, MakeGpuProgram program) {
    MethodInfo info{.id = "pecr4",
                    .family = "pecr",
                    .title = "ecr4's product; ReLU and pooling in the kernel that adds its sums",
                    .paper = "Xu 2022",
                    .follows = "Algorithms 3-4, section 7",
                    .device = device,
                    .flops_executed = nonzero_flops,
                    .stages = {"multiply", "pool"}};
    return std::make_unique<Ecr4Method>(std::move(info), program, nullptr, true);
}

}  // namespace convscope
