// ecr5, the fast sparse method of the CPU.
#pragma once

#include <memory>

#include "kernels/cpu/cpu_method.h"

namespace convscope {

std::unique_ptr<Method> make_ecr5();

}  // namespace convscope
