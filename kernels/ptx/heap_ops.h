// malloc and free in kernels; new and delete call them, too.
#pragma once

#include "kernels/ptx/warp.h"

namespace convscope::ptx {

/// op.a is the offset of the number of bytes, op.c of the resulting address: both in the parameters of the call.
void allocate(Warp&, const Op&);
/// op.a is the offset of the address.
void release(Warp&, const Op&);

}  // namespace convscope::ptx
