// fcr1 and fcr2 on a GPU: the networks' own layers, which random shapes are small beside, and what they must not load.
#include <gtest/gtest.h>

#include <string>

#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/fully_connected.h"
#include "tests/support/random_launch.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

class FcrOnGpu : public testing::GpuTest, public ::testing::WithParamInterface<const char*> {
protected:
    const Method& method() { return testing::gpu_registry().get(GetParam(), DeviceKind::cuda); }

    void expect_right(const Workload& workload, const ReferenceResult& reference, const LaunchConfig& config = {}) {
        const ConvShape& shape = workload.spec.shape;
        const Tensor y = testing::run_method(method(), workload, device(), config);
        const Verification result = verify(y, reference.y, reference.scale, shape, method().info().dtype);
        EXPECT_TRUE(result.ok) << to_string(shape) << ": " << result.reason;
    }
};

TEST_P(FcrOnGpu, agrees_with_the_reference_on_the_layers_of_vgg19_and_alexnet) {
    for (const ConvShape& shape :
         {ConvShape{.c = 25088, .k = 4096}, ConvShape{.c = 9216, .k = 4096}, ConvShape{.n = 2, .c = 4096, .k = 4096},
          ConvShape{.n = 3, .c = 4096, .k = 1000}, ConvShape{.n = 4, .c = 25088, .k = 1000}}) {
        const Workload workload = testing::random_workload(shape, 0.8, 6);
        expect_right(workload, reference_result(workload));
    }
}

TEST_P(FcrOnGpu, agrees_with_the_reference_in_every_launch_configuration) {
    testing::Random random(21);
    for (const ConvShape& shape : {ConvShape{.c = 9216, .k = 1000}, ConvShape{.n = 4, .c = 5000, .k = 333}}) {
        const Workload workload = testing::random_workload(shape, 0.7, 4);
        const ReferenceResult reference = reference_result(workload);
        int run = 0;
        for (int i = 0; i < 60 && !HasFailure(); ++i) {
            const LaunchConfig config = testing::random_config(random, method(), shape);
            if (!method().resolve(shape, config, device().info().model).support) continue;
            expect_right(workload, reference, config);
            ++run;
        }
        EXPECT_GE(run, 20);
    }
}

TEST_P(FcrOnGpu, never_uses_the_weights_of_an_input_that_is_zero_in_every_image) {
    const ConvShape shape{.n = 2, .c = 9216, .k = 1000};
    const Workload workload = testing::with_nan_in_skipped_rows(shape, 0.9, 11);
    expect_right(workload, reference_result(testing::without_nan(workload)));
}

TEST_P(FcrOnGpu, gives_the_same_bits_each_time) {
    const Workload workload = testing::random_workload({.c = 25088, .k = 4096}, 0.8, 6);
    const auto execution = method().instantiate(workload.spec.shape, {}, device());
    testing::run_execution(*execution, workload);
    const Tensor first = execution->output();
    for (int i = 0; i < 20; ++i) {
        execution->poison_output();
        execution->run();
        execution->synchronize();
        execution->download();
        ASSERT_EQ(execution->output().data, first.data) << "run " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Both, FcrOnGpu, ::testing::Values("fcr1", "fcr2"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace convscope
