#include "kernels/cpu/pool_cpu.h"

#include <algorithm>

#include "kernels/core/parallel.h"
#include "kernels/layers/pooling.h"

namespace convscope {
namespace {

void pool_nchw(const ConvShape& shape, const float* conv, float* y) {
    const std::int64_t q = shape.q(), out_h = shape.out_h(), out_w = shape.out_w();
#pragma omp parallel for if (worth_threads(shape.n * shape.k * shape.p() * shape.q()))
    for (std::int64_t map = 0; map < shape.n * shape.k; ++map) {
        const float* from = conv + map * shape.p() * q;
        float* to = y + map * out_h * out_w;
        for (std::int64_t oh = 0; oh < out_h; ++oh)
            for (std::int64_t ow = 0; ow < out_w; ++ow) {
                const float* corner = from + oh * shape.pool_stride * q + ow * shape.pool_stride;
                float most = 0;
                for (std::int64_t i = 0; i < shape.pool_h; ++i)
                    for (std::int64_t j = 0; j < shape.pool_w; ++j) most = max_or_nan(most, corner[i * q + j]);
                to[oh * out_w + ow] = most;
            }
    }
}

void pool_nhwc(const ConvShape& shape, const float* conv, float* y) {
    const std::int64_t q = shape.q(), k = shape.k, out_h = shape.out_h(), out_w = shape.out_w();
#pragma omp parallel for collapse(2) if (worth_threads(shape.n * shape.k * shape.p() * shape.q()))
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t oh = 0; oh < out_h; ++oh)
            for (std::int64_t ow = 0; ow < out_w; ++ow) {
                const float* corner =
                    conv + ((n * shape.p() + oh * shape.pool_stride) * q + ow * shape.pool_stride) * k;
                float* to = y + ((n * out_h + oh) * out_w + ow) * k;
                std::fill_n(to, k, 0.0f);
                for (std::int64_t i = 0; i < shape.pool_h; ++i)
                    for (std::int64_t j = 0; j < shape.pool_w; ++j)
                        for (std::int64_t f = 0; f < k; ++f) to[f] = max_or_nan(to[f], corner[(i * q + j) * k + f]);
            }
}

}  // namespace

void relu_max_pool(const ConvShape& shape, Layout layout, const float* conv, float* y) {
    layout == Layout::nhwc ? pool_nhwc(shape, conv, y) : pool_nchw(shape, conv, y);
}

}  // namespace convscope
