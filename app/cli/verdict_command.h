// convscope bench --verdict A B: which of two methods is faster.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/request/flags.h"

namespace convscope::cli {

std::span<const Flag> verdict_flags();  ///< --tie, --time-limit

/// The exit status. 'methods' are two ids, which may be the same.
int run_verdict(const FlagValues&, const std::vector<std::string>& methods);

}  // namespace convscope::cli
