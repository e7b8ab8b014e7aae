// A kernel of one of our CUDA methods that need compute capability 9.0, as a kernel to look at.
#pragma once

#include <memory>
#include <stop_token>

#include "app/user_kernel/prepared_kernel.h"
#include "kernels/registry/compiled_methods.h"

namespace convscope::app {

/// Runs call.method on call.layer up to the end, and makes ready what call.entry names. Throws as CompiledMethods::run
/// does, and Error(not_found) where this build has no such methods.
CompiledRun run_compiled(const KernelCall&, double max_seconds, const std::stop_token&);
/// Takes the launch's arrays.
std::unique_ptr<PreparedKernel> prepare_compiled(CompiledLaunch&&);

}  // namespace convscope::app
