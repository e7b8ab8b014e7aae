// The run-time modules: the CUDA methods and the cuDNN baselines, each a shared library of its own, so that the
// program starts on a machine without a GPU, a driver or cuDNN.
#pragma once

#include <filesystem>
#include <string>

#include "kernels/method/registry.h"
#include "kernels/registry/compiled_methods.h"

namespace convscope {

/// Loads the modules that this build and this machine have, and lets each register its methods and devices.
/// Where the CUDA module cannot be used, an unavailable device "cuda:0" says why; where only the baselines cannot,
/// each GPU's info().vendor_reason does. Modules stay loaded until the process ends. Never throws for a module
/// that cannot be used.
void load_modules(Registry&);

/// Opens one module and runs its convscope_register. Returns an empty string, or why it cannot be used.
std::string open_module(const std::filesystem::path&, Registry&);

/// Opens the module of compiled methods (compiled_methods.h). Null where it cannot be used; 'reason' then says why.
CompiledMethods* open_compiled_methods(const std::filesystem::path&, std::string& reason);

}  // namespace convscope
