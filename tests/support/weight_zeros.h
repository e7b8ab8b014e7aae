// Workloads whose weights have zeros.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/method/method.h"
#include "kernels/method/restricts_weights.h"
#include "tests/support/random_shapes.h"

namespace convscope::testing {

/// Leaves the first two that are not zero of each four weights along c.
inline void prune_to_two_of_four(Tensor& w) {
    for (std::int64_t k = 0; k < w.n; ++k)
        for (std::int64_t r = 0; r < w.h; ++r)
            for (std::int64_t s = 0; s < w.w; ++s)
                for (std::int64_t c = 0, left = 2; c < w.c; ++c) {
                    if (c % 4 == 0) left = 2;
                    float& value = w.at(k, c, r, s);
                    if (value != 0.0F && left-- <= 0) value = 0.0F;
                }
}

/// random_workload() with round(zeros * size) zeros in w at random places.
inline Workload with_weight_zeros(const ConvShape& shape, double sparsity, double zeros, std::uint64_t seed) {
    Workload workload = random_workload(shape, sparsity, seed);
    Random random(seed + 1);
    std::vector<float>& w = workload.w.data;
    std::fill_n(w.begin(), std::llround(zeros * static_cast<double>(w.size())), 0.0F);
    for (std::int64_t i = static_cast<std::int64_t>(w.size()) - 1; i > 0; --i)
        std::swap(w[static_cast<std::size_t>(i)], w[static_cast<std::size_t>(random.between(0, i))]);
    return workload;
}

/// The workload, its weights pruned to two of four where the method takes no others.
inline Workload with_fitting_weights(const Method& method, Workload workload, const LaunchConfig& config = {}) {
    if (!takes_weights(method, workload.w, config)) prune_to_two_of_four(workload.w);
    return workload;
}

}  // namespace convscope::testing
