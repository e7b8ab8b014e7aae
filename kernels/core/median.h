#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace convscope {

/// The mean of the two middle values where their number is even; NaN for no values.
inline double median_of(std::vector<double> values) {
    if (values.empty()) return std::nan("");
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : std::midpoint(values[middle - 1], values[middle]);
}

}  // namespace convscope
