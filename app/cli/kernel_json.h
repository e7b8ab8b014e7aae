#pragma once

#include <string>

#include "kernels/ptx/run/launch.h"

namespace convscope::cli {

/// Launch, findings, counts, and what is wrong with the results ('difference'; empty: nothing).
std::string kernel_json(const ptx::Program&, const std::string& kernel, const ptx::LaunchRequest&,
                        const ptx::LaunchResult&, const std::string& difference);

/// The counts of each source line, a row a line.
std::string kernel_csv(const ptx::Module&, const ptx::LaunchCounts&);

}  // namespace convscope::cli
