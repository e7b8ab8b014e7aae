// How long the simulated GPU takes, roughly: enough to reject in time what nobody would wait for.
#pragma once

#include <string>

namespace convscope::simt {

constexpr double steps_per_second = 1e8;          ///< of single threads; simt_speed measures it
constexpr double checked_steps_per_second = 5e7;  ///< with every check on
constexpr double max_simulated_seconds = 60;

/// "40 seconds", "3 minutes", "12 days".
std::string describe_seconds(double seconds);

}  // namespace convscope::simt
