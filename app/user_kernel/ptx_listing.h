// The PTX of a looked-at kernel, or its SASS, as it is shown next to its source.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/user_kernel/kernel_check.h"
#include "kernels/ptx/toolchain/sass.h"

namespace convscope::app {

struct PtxListing {
    std::string text;                         ///< of the kernel alone, without what only debuggers read
    std::vector<unsigned> source;             ///< of each line of it, the first at 1: the file's line; 0: none
    std::vector<unsigned> place;              ///< by the line of the compiler's text: that of 'text'; 0: left out
    std::map<unsigned, std::int64_t> counts;  ///< warp instructions of each of its lines, of a run

    /// Those that were made of a line of the file, in order.
    std::vector<unsigned> lines_of(unsigned source_line) const;
};

/// Empty where the file does not compile.
PtxListing ptx_listing(const KernelCheckResult&);

/// The same of what ptxas made of the PTX: nothing is counted, and 'place' is empty.
PtxListing sass_listing(const KernelCheckResult&, const std::vector<ptx::SassLine>&);

}  // namespace convscope::app
