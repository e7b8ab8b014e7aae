// printf and assert in kernels.
#pragma once

#include "kernels/ptx/run/warp.h"

namespace convscope::ptx {

/// vprintf: op.a and op.b are the offsets of the addresses of the format and of the arguments, op.c that of the result.
void print(Warp&, const Op&);
/// __assertfail: op.a is the offset of the address of the condition's text.
void fail_assertion(Warp&, const Op&);

}  // namespace convscope::ptx
