// Variables that a module's own code may write: what is in the others, a host has to put there.
#pragma once

#include <cstdint>
#include <set>

#include "kernels/ptx/module.h"

namespace convscope::ptx {

/// Indices of Module::variables: those whose address goes, through whatever computes with it, to a store, an atomic
/// operation, a call, or memory.
std::set<std::uint32_t> written_variables(const Module&);

}  // namespace convscope::ptx
