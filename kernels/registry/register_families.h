// The methods that are built into the program, all families of them.
#pragma once

#include "kernels/core/registry.h"

namespace convscope {

/// Adds the methods of every family. Its body is made by cmake/Families.cmake.
void register_families(Registry&);

}  // namespace convscope
