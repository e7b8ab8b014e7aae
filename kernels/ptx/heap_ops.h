// malloc and free of a kernel; what new and delete call, too.
#pragma once

#include "kernels/ptx/warp.h"

namespace convscope::ptx {

/// op.a is where the number of bytes is, op.c where the address goes: both in the parameters of the call.
void allocate(Warp&, const Op&);
/// op.a is where the address is.
void release(Warp&, const Op&);

}  // namespace convscope::ptx
