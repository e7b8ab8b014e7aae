// The non-zero elements of one convolution window: what ECR and PECR are made of.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/core/conv_shape.h"

namespace convscope {

/// Writes the non-zero elements of the window behind output (p, q), over all channels, in the order (c, r, s), and
/// their positions (c r + i) s + j in the filter. Both have room for reduction() elements; what lies behind the
/// count is overwritten freely. 'image' is one image, c x h x w. Returns the count. NaN is no zero; -0 is one.
inline std::int32_t compress_window(const ConvShape& shape, const float* image, std::int64_t p, std::int64_t q,
                                    float* values, std::int32_t* positions) {
    const std::int64_t top = p * shape.stride_h - shape.pad_h, left = q * shape.stride_w - shape.pad_w;
    // Padding holds zeros only, so the part of the window outside of the map is never looked at.
    const std::int64_t first_row = std::max<std::int64_t>(0, -top), last_row = std::min(shape.r, shape.h - top);
    const std::int64_t first = std::max<std::int64_t>(0, -left), last = std::min(shape.s, shape.w - left);
    std::int32_t count = 0;
    for (std::int64_t c = 0; c < shape.c; ++c)
        for (std::int64_t i = first_row; i < last_row; ++i) {
            const float* row = image + (c * shape.h + top + i) * shape.w + left;
            const auto position = static_cast<std::int32_t>((c * shape.r + i) * shape.s);
            for (std::int64_t j = first; j < last; ++j) {
                // Always written, kept only when the count moves on: no branch to mispredict.
                values[count] = row[j];
                positions[count] = position + static_cast<std::int32_t>(j);
                count += row[j] != 0.0f;
            }
        }
    return count;
}

}  // namespace convscope
