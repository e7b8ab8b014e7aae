// fcr1 and fcr2 on a GPU: the networks' own layers, much larger than random shapes, and what they must not load.
#include <gtest/gtest.h>

#include <string>

#include "tests/kernels/gpu/method_on_gpu.h"
#include "tests/support/fully_connected.h"

namespace convscope {
namespace {

class FcrOnGpu : public testing::MethodOnGpu<testing::GpuTest> {};

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
        expect_right_in_every_launch(random, workload, 60);
    }
}

TEST_P(FcrOnGpu, never_uses_the_weights_of_an_input_that_is_zero_in_every_image) {
    const ConvShape shape{.n = 2, .c = 9216, .k = 1000};
    const Workload workload = testing::with_nan_in_skipped_rows(shape, 0.9, 11);
    expect_right(workload, reference_result(testing::without_nan(workload)));
}

TEST_P(FcrOnGpu, gives_the_same_bits_each_time) {
    const Workload workload = testing::random_workload({.c = 25088, .k = 4096}, 0.8, 6);
    expect_the_same_bits_each_time(workload);
}

INSTANTIATE_TEST_SUITE_P(Both, FcrOnGpu, ::testing::Values("fcr1", "fcr2"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace convscope
