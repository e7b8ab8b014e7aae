#include "kernels/cpu/weights_gemm.h"

#include <omp.h>

#include <algorithm>

#include "kernels/core/parallel.h"
#include "kernels/cpu/aligned_buffer.h"
#include "kernels/cpu/blas.h"

namespace convscope {
namespace {

/// KCRS to [r s c][k].
void weights_to_rsck(const ConvShape& shape, const float* w, float* matrix) {
    const std::int64_t window = shape.window();
#pragma omp parallel for if (worth_threads(shape.w_elements()))
    for (std::int64_t t = 0; t < window; ++t)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t k = 0; k < shape.k; ++k)
                matrix[(t * shape.c + c) * shape.k + k] = w[(k * shape.c + c) * window + t];
}

}  // namespace

const Tunable& openblas_tunable() {
    static const Tunable tunable{
        "openblas", "1: OpenBLAS multiplies; 0: a product with the weights packed beforehand", {0, 1}, 0};
    return tunable;
}

WeightsGemm::WeightsGemm(const ConvShape& shape, bool openblas)
    : shape_(shape), openblas_(openblas), packed_(shape.reduction(), shape.k) {}

std::int64_t WeightsGemm::elements() const {
    return openblas_ ? shape_.w_elements() : packed_.elements();
}

void WeightsGemm::prepare(const float* w, float* prepared) const {
    if (openblas_) return weights_to_rsck(shape_, w, prepared);
    AlignedBuffer<float> matrix(shape_.w_elements());
    matrix.allocate();
    weights_to_rsck(shape_, w, matrix.data());
    packed_.pack(matrix.data(), prepared);
}

void WeightsGemm::multiply(const float* prepared, const Products& products) const {
    openblas_ ? multiply_by_blas(prepared, products) : packed_.multiply(prepared, products);
}

/// One product goes to all threads at once; of many, each thread takes some. Where there are fewer products than
/// threads, each is cut by filters.
void WeightsGemm::multiply_by_blas(const float* prepared, const Products& products) const {
    const GemmShape gemm{products.rows, shape_.k, shape_.reduction(), products.lda, shape_.k, shape_.k};
    if (products.count == 1) return parallel_sgemm(gemm, products.a(0), prepared, products.c);
    constexpr std::int64_t fewest_filters = 32;
    const std::int64_t wanted = (omp_get_max_threads() + products.count - 1) / products.count;
    const std::int64_t parts = std::clamp<std::int64_t>(shape_.k / fewest_filters, 1, wanted);
#pragma omp parallel for collapse(2) if (worth_threads(products.count * gemm.m * gemm.n * gemm.k))
    for (std::int64_t part = 0; part < parts; ++part)
        for (std::int64_t i = 0; i < products.count; ++i) {
            const std::int64_t begin = gemm.n * part / parts;
            GemmShape piece = gemm;
            piece.n = gemm.n * (part + 1) / parts - begin;
            sgemm(piece, products.a(i), prepared + begin, products.c + i * gemm.m * gemm.n + begin);
        }
}

}  // namespace convscope
