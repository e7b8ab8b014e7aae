// The families' registration functions in the present dialect. A new family adds a line here and in
// gpu_registration.cpp.
#pragma once

#include "kernels/core/registry.h"
#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

void register_im2col(Registry&);
void register_mec(Registry&);
void register_ecr(Registry&);
void register_pecr(Registry&);

}  // namespace convscope::CONVSCOPE_DIALECT
