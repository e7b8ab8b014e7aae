#include "kernels/cpu/cpu_ceilings.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/core/clones.h"

namespace convscope {
namespace {

using Clock = std::chrono::steady_clock;

// The best of many short tries: on a busy machine some find every core free. The first make threads and pages.
constexpr int min_tries = 5;
constexpr double try_seconds = 1;
constexpr std::size_t copied_floats = std::size_t{1} << 25;  // 128 MB each way, beyond any last-level cache here
constexpr std::int64_t steps = 200'000;
constexpr std::size_t vectors = 10, lanes = 16;  // chains enough to hide the latency of a multiply-add

template <class Work>
double best_seconds(Work&& work) {
    const auto since = [](Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    double best = 1e9;
    const auto first = Clock::now();
    for (int i = 0; i < min_tries || since(first) < try_seconds; ++i) {
        const auto begin = Clock::now();
        work();
        best = std::min(best, since(begin));
    }
    return best;
}

/// Chains of multiply-adds in registers; returns their sum, so that they are not left out.
CONVSCOPE_CLONES float multiply_add(std::int64_t count) {
    using Vector = float __attribute__((vector_size(lanes * sizeof(float))));
    Vector sums[vectors];
    for (std::size_t v = 0; v < vectors; ++v) sums[v] = Vector{} + static_cast<float>(v);
    const Vector factor = Vector{} + 0.999F, term = Vector{} + 0.001F;
    for (std::int64_t i = 0; i < count; ++i) {
#pragma GCC unroll 10
        for (std::size_t v = 0; v < vectors; ++v) sums[v] = sums[v] * factor + term;
    }
    float total = 0;
    for (const Vector& sum : sums)
        for (std::size_t lane = 0; lane < lanes; ++lane) total += sum[lane];
    return total;
}

}  // namespace

Ceilings measure_cpu_ceilings() {
    std::vector<float> from(copied_floats, 1), to(copied_floats, 2);
    const auto elements = static_cast<std::int64_t>(copied_floats);
    const double copying = best_seconds([&] {
#pragma omp parallel for simd schedule(static)
        for (std::int64_t i = 0; i < elements; ++i) to[i] = from[i];
    });
    volatile float kept = 0;
    int threads = 1;
    const double adding = best_seconds([&] {
#pragma omp parallel
        {
            const float sum = multiply_add(steps);
#pragma omp critical
            {
                kept = kept + sum;
                threads = omp_get_num_threads();
            }
        }
    });
    Ceilings ceilings;
    ceilings.copy_gb_per_s = 2e-9 * static_cast<double>(copied_floats * sizeof(float)) / copying;
    ceilings.fp32_tflops = 2e-12 * static_cast<double>(steps) * vectors * lanes * threads / adding;
    return ceilings;
}

}  // namespace convscope
