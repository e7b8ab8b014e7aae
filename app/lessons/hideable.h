// The parts that a lesson may hide in a step: arrays, by their names, and the texts around them.
#pragma once

#include <string>
#include <vector>

namespace convscope::lessons {

/// The sentences under the arrays, and the one about what is pointed at.
inline constexpr const char* summary_word = "summary";
/// The share of zeros, and the figures under the launch.
inline constexpr const char* cards_word = "cards";

/// All names that 'hide' accepts.
std::vector<std::string> hideable();

}  // namespace convscope::lessons
