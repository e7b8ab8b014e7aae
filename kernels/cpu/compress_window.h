// The non-zero elements of one convolution window: what ECR and PECR are made of.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/layers/conv_shape.h"

namespace convscope {

/// Writes the non-zero elements of the window behind output (p, q), over all channels, in the order (c, r, s), and
/// their positions (c r + i) s + j in the filter. Both have room for reduction() elements; what lies behind the
/// count is overwritten freely. 'image' is one image, c x h x w. Returns the count. NaN is not a zero; -0 is one.
inline std::int32_t compress_window(const ConvShape& shape, const float* image, std::int64_t p, std::int64_t q,
                                    float* values, std::int32_t* positions) {
    const std::int64_t top = shape.x_row(p, 0), left = shape.x_col(q, 0);
    // Padding holds zeros only, so the part of the window outside of the map is never looked at.
    const auto steps = [](std::int64_t distance, std::int64_t dilation) {
        return distance <= 0 ? 0 : (distance + dilation - 1) / dilation;
    };
    const std::int64_t first_row = steps(-top, shape.dilation_h);
    const std::int64_t last_row = std::min(shape.r, steps(shape.h - top, shape.dilation_h));
    const std::int64_t first = steps(-left, shape.dilation_w);
    const std::int64_t last = std::min(shape.s, steps(shape.w - left, shape.dilation_w));
    std::int32_t count = 0;
    for (std::int64_t c = 0; c < shape.c; ++c)
        for (std::int64_t i = first_row; i < last_row; ++i) {
            const float* row = image + (c * shape.h + top + i * shape.dilation_h) * shape.w + left;
            const auto position = static_cast<std::int32_t>((c * shape.r + i) * shape.s);
            for (std::int64_t j = first; j < last; ++j) {
                // Always written, kept only when the count moves on: no branch to mispredict.
                const float value = row[j * shape.dilation_w];
                values[count] = value;
                positions[count] = position + static_cast<std::int32_t>(j);
                count += value != 0.0f;
            }
        }
    return count;
}

}  // namespace convscope
