// Finds the variables that a module's own code may write: all others get their values from the host.
#pragma once

#include <cstdint>
#include <set>

#include "kernels/ptx/text/module.h"

namespace convscope::ptx {

/// Indices of Module::variables whose address reaches, through any computation, a store, an atomic operation, a call,
/// or memory.
std::set<std::uint32_t> written_variables(const Module&);

}  // namespace convscope::ptx
