// Along one axis, the windows of a convolution that cover a place: always neighbours.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/core/conv_shape.h"

namespace convscope {

/// Windows first, ..., end - 1.
struct CoveringWindows {
    std::int64_t first = 0, end = 0;
    std::int64_t count() const { return end - first; }
};

/// 'at' counts from the first place that a window can hold, padding included; windows hold 'extent' places.
inline CoveringWindows windows_over(std::int64_t at, std::int64_t extent, std::int64_t stride, std::int64_t outputs) {
    const std::int64_t first = at < extent ? 0 : (at - extent) / stride + 1;
    return {first, std::max(first, std::min(outputs, at / stride + 1))};
}
inline CoveringWindows windows_over_row(const ConvShape& s, std::int64_t h) {
    return windows_over(h + s.pad_h, s.r, s.stride_h, s.p());
}
inline CoveringWindows windows_over_col(const ConvShape& s, std::int64_t w) {
    return windows_over(w + s.pad_w, s.s, s.stride_w, s.q());
}

}  // namespace convscope
