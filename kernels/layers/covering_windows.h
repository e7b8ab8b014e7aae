// Finds the windows of a convolution that cover a place, along one axis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/layers/conv_shape.h"

namespace convscope {

/// A window, and the row (or column) of the filter that lies over the place.
struct Covering {
    std::int64_t window = 0, tap = 0;
};

/// Listed in the order of the windows. 'at' counts from the first place that a window can hold, padding included.
inline std::vector<Covering> windows_over(std::int64_t at, std::int64_t taps, std::int64_t dilation,
                                          std::int64_t stride, std::int64_t outputs) {
    std::vector<Covering> list;
    for (std::int64_t tap = taps; tap-- > 0;) {
        const std::int64_t from = at - tap * dilation;
        if (from >= 0 && from % stride == 0 && from / stride < outputs) list.push_back({from / stride, tap});
    }
    return list;
}
inline std::vector<Covering> windows_over_row(const ConvShape& s, std::int64_t h) {
    return windows_over(h + s.pad_h, s.r, s.dilation_h, s.stride_h, s.p());
}
inline std::vector<Covering> windows_over_col(const ConvShape& s, std::int64_t w) {
    return windows_over(w + s.pad_w, s.s, s.dilation_w, s.stride_w, s.q());
}
inline bool holds(const std::vector<Covering>& list, std::int64_t window) {
    return std::ranges::find(list, window, &Covering::window) != list.end();
}

}  // namespace convscope
