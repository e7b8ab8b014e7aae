// malloc and free in kernels; new and delete call them, too.
#pragma once

#include "kernels/ptx/run/warp.h"

namespace convscope::ptx {

/// malloc: op.a is the offset of the number of bytes, op.c of the resulting address, both in the call's parameters.
void allocate(Warp&, const Op&);
/// free: op.a is the offset of the address.
void release(Warp&, const Op&);

}  // namespace convscope::ptx
