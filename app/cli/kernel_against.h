// convscope kernel --against OTHER.cu: what a kernel writes, held against what another one writes.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "app/user_kernel/prepared_kernel.h"

namespace convscope::cli {

/// Runs a kernel; its arrays are then as it left them. Throws Error where it does not come to its end.
using RunKernel = std::function<void(app::PreparedKernel&, const app::KernelCall&)>;

/// Calls the kernel of 'file', which may be "FILE.cu:NAME", with what this one is called with where its parameters have
/// the same names; its grid, block and shared memory are those of the comment before it, if it has one. "" or what
/// differs in the arrays of the same name that both may write. Throws Error(usage) where there are none; as preparing
/// and 'run' do.
std::string difference_to_other(const app::PreparedKernel&, const app::KernelCall& call, const std::string& file,
                                const RunKernel& run, const std::stop_token&);

}  // namespace convscope::cli
