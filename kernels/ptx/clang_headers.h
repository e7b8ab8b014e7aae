// The headers in kernels/ptx/clang/, which replace a CUDA toolkit's where clang compiles: they are written into a
// folder beside the source.
#pragma once

#include <span>

namespace convscope::ptx {

struct ClangHeader {
    const char *name, *text;  ///< "atomics.h"
};

std::span<const ClangHeader> clang_headers();

}  // namespace convscope::ptx
