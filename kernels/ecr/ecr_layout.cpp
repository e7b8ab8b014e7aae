#include "kernels/ecr/ecr_layout.h"

#include <algorithm>

#include "kernels/core/parallel.h"
#include "kernels/cpu/compress_window.h"

namespace convscope {

EcrBlockRow ecr_block_row(const ConvShape& shape, std::int64_t n, std::int64_t p) {
    const std::int64_t begin = (n * shape.p() + p) * shape.q();
    return {begin, begin + shape.q()};
}

void convert_ecr(const ConvShape& shape, const float* x, float* values, std::int32_t* positions, std::int32_t* ptr) {
    const std::int64_t capacity = shape.reduction();
#pragma omp parallel for collapse(2) if (worth_threads(shape.im2col_elements()))
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t p = 0; p < shape.p(); ++p) {
            const float* image = x + n * shape.c * shape.h * shape.w;
            const EcrBlockRow row = ecr_block_row(shape, n, p);
            for (std::int64_t i = row.begin; i < row.end; ++i) {
                const std::int32_t count =
                    compress_window(shape, image, p, i - row.begin, values + i * capacity, positions + i * capacity);
                ptr[i] = count == 0 ? -1 : count;
            }
        }
}

EcrLayout make_ecr_layout(const ConvShape& shape, const Tensor& x) {
    EcrLayout layout{shape, {0}, {}, {}, {}};
    const Tensor maps = to_layout(x, Layout::nchw);
    std::vector<float> values(static_cast<std::size_t>(shape.reduction()));
    std::vector<std::int32_t> positions(values.size());
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t p = 0; p < shape.p(); ++p)
            for (std::int64_t q = 0; q < shape.q(); ++q) {
                const std::int32_t count = compress_window(shape, maps.data.data() + maps.offset(n, 0, 0, 0), p, q,
                                                           values.data(), positions.data());
                layout.F_data.insert(layout.F_data.end(), values.begin(), values.begin() + count);
                layout.K_index.insert(layout.K_index.end(), positions.begin(), positions.begin() + count);
                layout.offsets.push_back(static_cast<std::int64_t>(layout.F_data.size()));
                layout.Ptr.push_back(count == 0 ? -1 : count);
            }
    return layout;
}

std::vector<float> EcrLayout::gather_K_data(const float* filter) const {
    std::vector<float> K_data(K_index.size());
    std::ranges::transform(K_index, K_data.begin(), [filter](std::int32_t position) { return filter[position]; });
    return K_data;
}

}  // namespace convscope
