#include "kernels/cpu/blas.h"

#include <cblas.h>
#include <omp.h>

#include <algorithm>

#include "kernels/core/parallel.h"

namespace convscope {
namespace {

void one_thread_per_call() {
    [[maybe_unused]] static const bool done = (openblas_set_num_threads(1), true);
}

blasint size(std::int64_t value) {
    return static_cast<blasint>(value);
}

/// Where part i of 'parts' begins, in multiples of 'grain' so that no vector is split.
std::int64_t part_begin(std::int64_t total, std::int64_t grain, std::int64_t i, std::int64_t parts) {
    const std::int64_t grains = (total + grain - 1) / grain;
    return std::min(total, grains * i / parts * grain);
}

}  // namespace

void sgemm(const GemmShape& g, const float* a, const float* b, float* c) {
    one_thread_per_call();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size(g.m), size(g.n), size(g.k), 1.0f, a, size(g.lda), b,
                size(g.ldb), 0.0f, c, size(g.ldc));
}

void parallel_sgemm(const GemmShape& g, const float* a, const float* b, float* c) {
    constexpr std::int64_t grain = 16;  // floats of one vector, and OpenBLAS's own step
    const bool rows = g.m >= g.n;
    const std::int64_t total = rows ? g.m : g.n;
    const std::int64_t most = worth_threads(g.m * g.n * g.k) ? omp_get_max_threads() : 1;
    const std::int64_t parts = std::clamp<std::int64_t>(total / grain, 1, most);
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(parts))
    for (std::int64_t i = 0; i < parts; ++i) {
        const std::int64_t begin = part_begin(total, grain, i, parts);
        GemmShape part = g;
        (rows ? part.m : part.n) = part_begin(total, grain, i + 1, parts) - begin;
        sgemm(part, a + (rows ? begin * g.lda : 0), b + (rows ? 0 : begin), c + (rows ? begin * g.ldc : begin));
    }
}

void sgemv(std::int64_t m, std::int64_t n, std::int64_t lda, const float* a, const float* x, float* y) {
    one_thread_per_call();
    cblas_sgemv(CblasRowMajor, CblasNoTrans, size(m), size(n), 1.0f, a, size(lda), x, 1, 0.0f, y, 1);
}

}  // namespace convscope
