// A method on the GPU, named by the test's parameter, against the reference.
#pragma once

#include <gtest/gtest.h>

#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/random_launch.h"
#include "tests/support/run_method.h"

namespace convscope::testing {

/// Base: GpuTest or HopperTest.
template <class Base>
class MethodOnGpu : public Base, public ::testing::WithParamInterface<const char*> {
protected:
    const Method& method() { return gpu_registry().get(GetParam(), DeviceKind::cuda); }

    void expect_right(const Workload& workload, const ReferenceResult& reference, const LaunchConfig& config = {}) {
        const ConvShape& shape = workload.spec.shape;
        const Tensor y = run_method(method(), workload, this->device(), config);
        const Verification result = verify(y, reference.y, reference.scale, shape, method().info().dtype);
        EXPECT_TRUE(result.ok) << to_string(shape) << ": " << result.reason;
    }

    /// In 20 random launch configurations or more, out of 'tries'.
    void expect_right_in_every_launch(Random& random, const Workload& workload, int tries) {
        const ConvShape& shape = workload.spec.shape;
        const ReferenceResult reference = reference_result(workload);
        int run = 0;
        for (int i = 0; i < tries && !this->HasFailure(); ++i) {
            const LaunchConfig config = random_config(random, method(), shape);
            if (!method().resolve(shape, config, this->device().info().model).support) continue;
            expect_right(workload, reference, config);
            ++run;
        }
        EXPECT_GE(run, 20);
    }

    void expect_the_same_bits_each_time(const Workload& workload) {
        const auto execution = method().instantiate(workload.spec.shape, {}, this->device());
        run_execution(*execution, workload);
        const Tensor first = execution->output();
        for (int i = 0; i < 20; ++i) {
            execution->poison_output();
            execution->run();
            execution->synchronize();
            execution->download();
            ASSERT_EQ(execution->output().data, first.data) << "run " << i;
        }
    }
};

}  // namespace convscope::testing
