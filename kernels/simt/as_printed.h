// The papers' algorithms with their slips, for the checks and the reference to catch. They are methods of CheckedDevice
// alone (MethodInfo::as_printed).
#pragma once

#include <array>

namespace convscope {

inline constexpr std::array as_printed_ids{"ecr0", "ecr0b", "pecr0", "pecr0b", "pecr2p", "fused1p"};

}  // namespace convscope
