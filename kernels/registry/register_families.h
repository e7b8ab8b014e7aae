// Registers the methods that are built into the program.
#pragma once

#include "kernels/method/registry.h"

namespace convscope {

/// Adds the methods of every family. cmake/Families.cmake generates its body.
void register_families(Registry&);

}  // namespace convscope
