// The tiled methods on the simulated GPU.
#pragma once

#include <gtest/gtest.h>

#include "kernels/measure/verify.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/verified_run.h"

namespace convscope::testing {

inline const Method& tiled_method(const char* id) {
    return simulated_registry().get(id, DeviceKind::sim);
}

inline void expect_right(const char* id, const ConvShape& shape, const LaunchConfig& config = {}) {
    const Workload workload = random_workload(shape, 0.3, 5);
    const Verification result = verified_run(tiled_method(id), workload, simulated_registry().device("sim"), config);
    EXPECT_TRUE(result.ok) << id << ", " << to_string(shape) << ": " << result.reason;
}

}  // namespace convscope::testing
