// The axes of a sweep: flags with more than one value, and the points that their values span.
#pragma once

#include <string>
#include <vector>

#include "app/request/flags.h"

namespace convscope {

/// A flag with the values it takes one after the other.
struct Axis {
    std::string flag;
    std::size_t place = 0;  ///< among the values of a flag that is repeated (--set)
    std::vector<std::string> values;
};

/// The values behind "a,b,c" and "start:stop:step" (both ends included, as far as the steps reach) and mixtures.
/// Whole numbers stay whole. Throws Error(usage) for a range that does not go from start to stop, and beyond 100,000
/// values.
std::vector<std::string> expand_list(const std::string& flag, const std::string& text);

/// The values of --block or --grid: "32:256:32,1,1" varies an extent, "32x1x1,64x1x1" lists whole triples.
std::vector<std::string> expand_dim3(const std::string& flag, const std::string& text);

/// The axes of a command line: the workload's flags vary slowest, timing fastest. Flags with one value are none.
std::vector<Axis> find_axes(const FlagValues&);

/// All points: 'base' with one value of each axis in its place. Throws Error(usage) beyond 'most' points.
std::vector<FlagValues> span_points(const FlagValues& base, const std::vector<Axis>&, std::size_t most = 100000);

}  // namespace convscope
