#include "kernels/pecr/pecr_layout.h"

#include "kernels/core/parallel.h"
#include "kernels/cpu/compress_window.h"
#include "kernels/layers/layout_builder.h"

namespace convscope {

std::int64_t compress_pooling_window(const ConvShape& shape, const float* image, std::int64_t out_h, std::int64_t out_w,
                                     float* values, std::int32_t* positions, std::int32_t* counts) {
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < shape.pool_h; ++i)
        for (std::int64_t j = 0; j < shape.pool_w; ++j) {
            *counts = compress_window(shape, image, out_h * shape.pool_stride + i, out_w * shape.pool_stride + j,
                                      values + total, positions + total);
            total += *counts++;
        }
    return total;
}

void convert_pecr(const ConvShape& shape, const float* x, float* values, std::int32_t* positions,
                  std::int32_t* counts) {
    const std::int64_t per_pool = shape.pool_h * shape.pool_w, capacity = per_pool * shape.reduction();
    const std::int64_t out_h = shape.out_h(), out_w = shape.out_w();
#pragma omp parallel for collapse(3) if (worth_threads(shape.n * out_h * out_w * capacity))
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t oh = 0; oh < out_h; ++oh)
            for (std::int64_t ow = 0; ow < out_w; ++ow) {
                const std::int64_t i = (n * out_h + oh) * out_w + ow;
                compress_pooling_window(shape, x + n * shape.c * shape.h * shape.w, oh, ow, values + i * capacity,
                                        positions + i * capacity, counts + i * per_pool);
            }
}

PecrLayout make_pecr_layout(const ConvShape& shape, const Tensor& x) {
    require_layout(Format::pecr, shape);
    PecrLayout layout{shape, {0}, {}, {}, {}};
    const Tensor maps = to_layout(x, Layout::nchw);
    const auto per_pool = static_cast<std::size_t>(layout.windows_per_pool());
    std::vector<float> values(per_pool * static_cast<std::size_t>(shape.reduction()));
    std::vector<std::int32_t> positions(values.size()), counts(per_pool);
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t oh = 0; oh < shape.out_h(); ++oh)
            for (std::int64_t ow = 0; ow < shape.out_w(); ++ow) {
                const std::int64_t total =
                    compress_pooling_window(shape, maps.data.data() + maps.offset(n, 0, 0, 0), oh, ow, values.data(),
                                            positions.data(), counts.data());
                layout.Data.insert(layout.Data.end(), values.begin(), values.begin() + total);
                layout.Index.insert(layout.Index.end(), positions.begin(), positions.begin() + total);
                layout.Count.insert(layout.Count.end(), counts.begin(), counts.end());
                layout.offsets.push_back(static_cast<std::int64_t>(layout.Data.size()));
            }
    return layout;
}

}  // namespace convscope
