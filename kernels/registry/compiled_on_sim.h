// The methods that the simulated GPU has no build of, on it all the same: their kernels as nvcc compiled them.
#pragma once

#include <string>

#include "kernels/method/registry.h"
#include "kernels/registry/compiled_methods.h"

namespace convscope {

/// Where their kernels come from.
struct CompiledSource {
    std::string (*missing)() = missing_compiled_methods;
    CompiledMethods* (*open)(std::string* reason) = compiled_methods;
};

/// Adds the methods that only nvcc compiles, for tensor cores, for DeviceKind::sim. What they support, how they are
/// launched and what they are called is known without their kernels: these are opened when the first execution is
/// made. Where there are none, supports() says why; where they cannot be opened, instantiate() throws Error(failed).
/// The registry has ecr4 and pecr4 for that device, and outlives the methods.
void register_compiled_on_sim(Registry&, CompiledSource = {});

}  // namespace convscope
