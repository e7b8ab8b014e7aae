// printf and assert of a kernel.
#pragma once

#include "kernels/ptx/warp.h"

namespace convscope::ptx {

/// vprintf: op.a and op.b are where the addresses of the format and of the arguments are, op.c where the result goes.
void print(Warp&, const Op&);
/// __assertfail: op.a is where the address of the condition's text is.
void fail_assertion(Warp&, const Op&);

}  // namespace convscope::ptx
