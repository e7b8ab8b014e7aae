// How often one input value is stored in each format.
#pragma once

#include <cstdint>
#include <string>

#include "visualizers/explain/element.h"
#include "visualizers/explain/map_values.h"

namespace convscope {

struct Copies {
    std::int64_t im2col = 0;  ///< one for each window that covers it
    std::int64_t L = 0;       ///< one for each column of windows that covers it: MEC keeps each strip once
    std::int64_t F_data = 0;  ///< as im2col, and none of a zero
    std::int64_t Data = 0;    ///< once for each pooling window and window in it; none of a zero, or without pooling
    bool operator==(const Copies&) const = default;
};

/// The copies of x[row, col].
Copies copies_of(const MapValues&, const Cell&);

/// "9 copies in im2col, 3 in L, 9 in F_data", and "in Data" where there is pooling.
std::string describe_copies(const MapValues&, const Cell&);

}  // namespace convscope
