// Registers per thread of our kernels, for predicting occupancy where there is no GPU.
#pragma once

#include <string_view>

namespace convscope {

/// As nvcc compiles the kernel for compute capability 9.0; 0 for an unknown kernel. On a GPU, Execution::launches()
/// says what was compiled for it.
int compiled_registers(std::string_view kernel);

}  // namespace convscope
