#include "kernels/cpu/gemm_weights.h"
#include "kernels/cpu/parallel.h"

namespace convscope {

void weights_to_rsck(const ConvShape& shape, const float* w, float* matrix) {
    const std::int64_t window = shape.window();
#pragma omp parallel for if (worth_threads(shape.w_elements()))
    for (std::int64_t t = 0; t < window; ++t)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t k = 0; k < shape.k; ++k)
                matrix[(t * shape.c + c) * shape.k + k] = w[(k * shape.c + c) * window + t];
}

}  // namespace convscope
