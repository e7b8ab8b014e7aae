// Runs a method once and checks its output against the reference.
#pragma once

#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/support/run_method.h"

namespace convscope::testing {

inline Verification verified_run(const Method& method, const Workload& workload, Device& device,
                                 const LaunchConfig& config = {}) {
    const ReferenceResult reference = reference_result(workload);
    const Tensor y = run_method(method, workload, device, config);
    return verify(y, reference.y, reference.scale, workload.spec.shape, method.info().dtype);
}

}  // namespace convscope::testing
