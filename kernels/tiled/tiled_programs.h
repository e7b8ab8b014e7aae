// The programs of the tiled methods whose kernels are compiled in files of their own.
#pragma once

#include <memory>

#include "kernels/simt/dialect.h"
#include "kernels/simt/gpu_program.h"

namespace convscope::CONVSCOPE_DIALECT {

std::unique_ptr<GpuProgram> make_single2(const GpuPlan&);
std::unique_ptr<GpuProgram> make_multi2(const GpuPlan&);

}  // namespace convscope::CONVSCOPE_DIALECT
