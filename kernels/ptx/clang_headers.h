// The headers in kernels/ptx/clang/, which take the place of a CUDA toolkit's where clang compiles: written beside what
// it compiles.
#pragma once

#include <span>

namespace convscope::ptx {

struct ClangHeader {
    const char *name, *text;  ///< "atomics.h"
};

std::span<const ClangHeader> clang_headers();

}  // namespace convscope::ptx
