#pragma once

#include <string>

#include "kernels/files/npy_bytes.h"

namespace convscope::app {

/// Describes the difference in a sentence; empty when there is none. Integers are equal to the bit; floats of any
/// widths when they differ by at most 1e-5 (16 bits in 'got': 2e-3) of the largest expected magnitude. NaN equals NaN.
/// One of the shapes may be flat.
std::string difference_to(const std::string& name, const NpyBytes& got, const NpyBytes& expected);

}  // namespace convscope::app
