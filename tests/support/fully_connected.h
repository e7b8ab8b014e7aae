// Fully connected layers for the tests of fcr1 and fcr2, on any device.
#pragma once

#include <limits>

#include "tests/support/random_shapes.h"

namespace convscope::testing {

/// A layer whose weights are NaN wherever every image's input is zero: who loads such a row gives NaN away.
inline Workload with_nan_in_skipped_rows(const ConvShape& shape, double sparsity, std::uint64_t seed) {
    Workload workload = random_workload(shape, sparsity, seed);
    for (std::int64_t c = 0; c < shape.c; ++c) {
        bool used = false;
        for (std::int64_t n = 0; n < shape.n; ++n) used |= workload.x.at(n, c, 0, 0) != 0;
        for (std::int64_t k = 0; k < shape.k && !used; ++k)
            workload.w.at(k, c, 0, 0) = std::numeric_limits<float>::quiet_NaN();
    }
    return workload;
}

/// The same workload with the weights that a method must not use set to 1, for the reference.
inline Workload without_nan(Workload workload) {
    for (float& weight : workload.w.data)
        if (weight != weight) weight = 1;
    return workload;
}

}  // namespace convscope::testing
