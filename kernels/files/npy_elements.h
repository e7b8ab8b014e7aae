#pragma once

#include <cmath>
#include <cstddef>
#include <functional>

#include "kernels/files/npy_header.h"

namespace convscope {

/// Calls 'take' for each element of an array of either byte order and either order of indices: with its row-major
/// place, and its bytes as this machine orders them. The header's type has to be a number's; throws BadNpy where the
/// file ends before.
void read_elements(NpyFile&, const std::function<void(std::size_t place, const char* bytes)>& take);

/// The elements of an array of 2 to 4 sizes, each at least 1. Throws BadNpy for others, and for more than 2^31 - 1.
std::int64_t count_elements(const NpyShape&);

/// Requires float32 or float64 of 2 to 4 sizes, and no other bytes behind the header. Throws BadNpy.
void require_floats(const NpyFile&);
/// Reads what require_floats() accepts. Throws BadNpy, also for a number beyond the range of float32; OutOfMemory, with
/// the name.
NpyArray read_floats(NpyFile, const std::filesystem::path& name);

/// Whether a double is finite, and the nearest float is not.
inline bool exceeds_float(double value) {
    return std::isfinite(value) && !std::isfinite(static_cast<float>(value));
}

}  // namespace convscope
