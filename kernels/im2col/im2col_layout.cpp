#include "kernels/im2col/im2col_layout.h"

#include "kernels/core/parallel.h"
#include "kernels/cpu/copy_window_row.h"

namespace convscope {

void lower_im2col(const ConvShape& shape, const float* x, float* matrix) {
    const std::int64_t p = shape.p(), q = shape.q(), row_elements = shape.s * shape.c;
#pragma omp parallel for collapse(2) if (worth_threads(shape.im2col_elements()))
    for (std::int64_t image = 0; image < shape.n; ++image)
        for (std::int64_t oh = 0; oh < p; ++oh) {
            const float* from = x + image * shape.h * shape.w * shape.c;
            float* to = matrix + (image * p + oh) * q * shape.reduction();
            for (std::int64_t ow = 0; ow < q; ++ow)
                for (std::int64_t i = 0; i < shape.r; ++i, to += row_elements)
                    copy_window_row(shape, from, oh * shape.stride_h + i * shape.dilation_h, ow, to);
        }
}

Im2colLayout make_im2col_layout(const ConvShape& shape, const Tensor& x) {
    Im2colLayout layout{shape, std::vector<float>(static_cast<std::size_t>(shape.im2col_elements()))};
    lower_im2col(shape, to_layout(x, Layout::nhwc).data.data(), layout.matrix.data());
    return layout;
}

}  // namespace convscope
