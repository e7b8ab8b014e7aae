#pragma once

#include <cstddef>
#include <functional>

#include "kernels/core/npy_header.h"

namespace convscope {

/// Calls 'take' for each element of an array of either byte order and either order of indices: with its row-major
/// place, and its bytes as this machine orders them. The header's type has to be a number's; throws BadNpy where the
/// file ends before.
void read_elements(NpyFile&, const std::function<void(std::size_t place, const char* bytes)>& take);

}  // namespace convscope
