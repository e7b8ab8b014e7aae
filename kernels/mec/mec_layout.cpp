#include "kernels/mec/mec_layout.h"

#include "kernels/core/parallel.h"
#include "kernels/cpu/copy_window_row.h"

namespace convscope {

MecPartition mec_partition(const ConvShape& shape, std::int64_t p) {
    const std::int64_t begin = p * shape.stride_h * shape.s * shape.c;
    return {begin, begin + shape.reduction()};
}

void lower_mec(const ConvShape& shape, const float* x, float* L) {
    const std::int64_t q = shape.q(), rows = shape.padded_h(), row_elements = shape.s * shape.c;
#pragma omp parallel for collapse(2) if (worth_threads(shape.mec_elements()))
    for (std::int64_t image = 0; image < shape.n; ++image)
        for (std::int64_t ow = 0; ow < q; ++ow) {
            const float* from = x + image * shape.h * shape.w * shape.c;
            float* to = L + (image * q + ow) * rows * row_elements;
            for (std::int64_t row = 0; row < rows; ++row, to += row_elements) copy_window_row(shape, from, row, ow, to);
        }
}

MecLayout make_mec_layout(const ConvShape& shape, const Tensor& x) {
    MecLayout layout{shape, std::vector<float>(static_cast<std::size_t>(shape.mec_elements())), {}};
    lower_mec(shape, to_layout(x, Layout::nhwc).data.data(), layout.L.data());
    for (std::int64_t p = 0; p < shape.p(); ++p) layout.partitions.push_back(mec_partition(shape, p));
    return layout;
}

}  // namespace convscope
