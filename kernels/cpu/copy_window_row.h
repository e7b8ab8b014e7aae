// One row of a window, padding included: what every lowering copies.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/layers/conv_shape.h"

namespace convscope {

/// Writes the s x c elements of padded row 'row' that the windows of output column 'q' cover, in the order (s, c).
/// 'image' is one image, h x w x c. Elements outside of the map are zeros.
inline void copy_window_row(const ConvShape& shape, const float* image, std::int64_t row, std::int64_t q, float* to) {
    const std::int64_t h = row - shape.pad_h, first = shape.x_col(q, 0);
    if (h < 0 || h >= shape.h) {
        std::fill_n(to, shape.s * shape.c, 0.0f);
        return;
    }
    if (shape.dilation_w != 1) {
        for (std::int64_t j = 0; j < shape.s; ++j, to += shape.c) {
            const std::int64_t w = shape.x_col(q, j);
            if (w < 0 || w >= shape.w)
                std::fill_n(to, shape.c, 0.0f);
            else
                std::copy_n(image + (h * shape.w + w) * shape.c, shape.c, to);
        }
        return;
    }
    const std::int64_t left = std::clamp<std::int64_t>(-first, 0, shape.s);  // columns of padding on the left
    const std::int64_t end = std::clamp<std::int64_t>(shape.w - first, left, shape.s);
    to = std::fill_n(to, left * shape.c, 0.0f);
    to = std::copy_n(image + (h * shape.w + first + left) * shape.c, (end - left) * shape.c, to);
    std::fill_n(to, (shape.s - end) * shape.c, 0.0f);
}

}  // namespace convscope
