// One convolution window as fused0 and unfused0 sum it: every element of the input and every weight from global memory.
#pragma once

#include "kernels/fused/fused_index.h"
#include "kernels/simt/feature_map.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Over all channels of an image, the window whose upper left element is (row, column) of the map without padding.
template <class Sizes>
DEVICE float naive_window(const KernelShape& shape, const Sizes& sizes, Global<const float> x, Global<const float> w,
                          int image, int filter, int row, int column) {
    float conv_sum = 0.0f;
    for (int in_c = 0; in_c < shape.c; ++in_c) {
        const int map = PlainIndex::feature_map_idx(image * shape.c + in_c, 0, 0, shape.h, shape.w);
        for (int kh = 0; kh < sizes.r; ++kh) {
            for (int kw = 0; kw < sizes.s; ++kw) {
                const float input = element_or_zero(x, map, shape, row + kh, column + kw);
                const int weight = PlainIndex::weight_idx(filter, in_c, kh, kw, shape.c, sizes.r, sizes.s);
                conv_sum = fmaf(w[weight], input, conv_sum);
            }
        }
    }
    return conv_sum;
}

}  // namespace convscope::CONVSCOPE_DIALECT
