#include "kernels/cpu/cpu_ceilings.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/cpu/gemm_tile.h"
#include "kernels/cpu/thread_waits.h"

namespace convscope {
namespace {

// On a busy machine all cores are free together for moments only. So every thread does short pieces of work without
// waiting for the others, and what counts is the best of all stretches of a few milliseconds.
constexpr double seconds = 1, stretch = 0.002;                 // shorter than the turns that a scheduler gives
constexpr std::int64_t steps = 4'000;                          // of a piece; some 10 us
constexpr std::int64_t copied_floats = std::int64_t{1} << 25;  // 128 MB each way, beyond any last-level cache here
constexpr std::int64_t piece_floats = std::int64_t{1} << 14;
// Chains that hide the latency of a multiply-add (4 cycles, two at a time) and, with the factor and the term, fit into
// 16 registers. A vector is no longer than a register: a longer one is several, and what does not fit goes to memory.
constexpr std::size_t vectors = 12;
constexpr double busy_share = 0.1;  // of the time of all threads that they waited for a core

/// The most of these times, which are sorted, in one stretch; per second.
double best_rate(const std::vector<double>& ends) {
    std::size_t most = 0;
    for (std::size_t first = 0, last = 0; last < ends.size(); ++last) {
        while (ends[last] - ends[first] >= stretch) ++first;
        most = std::max(most, last + 1 - first);
    }
    return static_cast<double>(most) / stretch;
}

/// Pieces per second: of all threads together, and the sum of what each did in a stretch of its own.
struct Rates {
    double together = 0, apart = 0;
    bool busy = false;  ///< the threads waited for cores
};

/// work(i): piece i; of two threads one begins at half of 'count'.
template <class Work>
Rates best_rates(std::int64_t count, Work&& work) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> all;
    Rates rates;
    int threads = 1;
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
    const auto waits = ThreadWaits::of_this_process();
    const double waited_us = waits->microseconds();
    const auto begin = Clock::now();
#pragma omp parallel
    {
        std::vector<double> ends;
        std::int64_t i = count * omp_get_thread_num() / omp_get_num_threads();
        do {
            work(i++ % count);
            ends.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
        } while (ends.back() < seconds);
#pragma omp critical
        {
            rates.apart += best_rate(ends);
            all.insert(all.end(), ends.begin(), ends.end());
        }
    }
    std::ranges::sort(all);
    rates.together = best_rate(all);
    rates.busy = waits->microseconds() - waited_us > 1e6 * busy_share * seconds * threads;
    return rates;
}

using Floats4 = float __attribute__((vector_size(16)));
using Floats8 = float __attribute__((vector_size(32)));
using Floats16 = float __attribute__((vector_size(64)));

/// Chains of multiply-adds in registers as wide as a Vector; returns their sum, so that they are not left out.
template <class Vector>
inline __attribute__((always_inline)) float multiply_add(std::int64_t count) {
    Vector sums[vectors];
    for (std::size_t v = 0; v < vectors; ++v) sums[v] = Vector{} + static_cast<float>(v);
    const Vector factor = Vector{} + 0.999F, term = Vector{} + 0.001F;
    for (std::int64_t i = 0; i < count; ++i) {
#pragma GCC unroll 12
        for (std::size_t v = 0; v < vectors; ++v) sums[v] = sums[v] * factor + term;
    }
    float total = 0;
    for (const Vector& sum : sums)
        for (std::size_t lane = 0; lane < sizeof sum / sizeof(float); ++lane) total += sum[lane];
    return total;
}

[[gnu::target("avx512f")]] float multiply_add_512(std::int64_t count) {
    return multiply_add<Floats16>(count);
}
[[gnu::target("avx2,fma")]] float multiply_add_256(std::int64_t count) {
    return multiply_add<Floats8>(count);
}
float multiply_add_128(std::int64_t count) {
    return multiply_add<Floats4>(count);
}

/// Floats of 'work' at each of 'steps'.
struct Chains {
    float (*work)(std::int64_t);
    std::size_t floats;
};

Chains widest_chains() {
    const Isa isa = best_isa();
    return isa == Isa::avx512 ? Chains{multiply_add_512, 16 * vectors}
           : isa == Isa::avx2 ? Chains{multiply_add_256, 8 * vectors}
                              : Chains{multiply_add_128, 4 * vectors};
}

}  // namespace

Ceilings measure_cpu_ceilings() {
    std::vector<float> from(copied_floats, 1), to(copied_floats, 2);
    const Rates copying = best_rates(copied_floats / piece_floats, [&](std::int64_t piece) {
        std::copy_n(from.begin() + piece * piece_floats, piece_floats, to.begin() + piece * piece_floats);
    });
    const Chains chains = widest_chains();
    static thread_local volatile float kept = 0;
    const Rates adding = best_rates(1, [&](std::int64_t) { kept = kept + chains.work(steps); });
    // While other programs hold cores, all threads may share one to the end. Registers are each core's own, memory is
    // not.
    const double pieces = adding.busy ? adding.apart : adding.together;
    Ceilings ceilings;
    ceilings.copy_gb_per_s = 2e-9 * static_cast<double>(piece_floats * sizeof(float)) * copying.together;
    ceilings.fp32_tflops = 2e-12 * static_cast<double>(steps) * static_cast<double>(chains.floats) * pieces;
    ceilings.busy = copying.busy || adding.busy;
    return ceilings;
}

}  // namespace convscope
