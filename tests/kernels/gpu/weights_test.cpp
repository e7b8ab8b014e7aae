// Methods that skip zeros of the weights on a GPU: every share of zeros, layers of networks, every launch, and the
// dense twin of nm1.
#include <gtest/gtest.h>

#include <string>

#include "kernels/core/error.h"
#include "tests/kernels/gpu/method_on_gpu.h"
#include "tests/support/weight_zeros.h"

namespace convscope {
namespace {

class WeightZeros : public testing::MethodOnGpu<testing::GpuTest> {
protected:
    static constexpr double shares[] = {0.0, 0.5, 0.9, 1.0};

    using MethodOnGpu::expect_right;
    void expect_right(const Workload& workload, const LaunchConfig& config = {}) {
        expect_right(workload, reference_result(workload), config);
    }
    Workload with_zeros(const ConvShape& shape, double zeros, std::uint64_t seed) {
        return testing::with_fitting_weights(method(), testing::with_weight_zeros(shape, 0.3, zeros, seed));
    }
};

TEST_P(WeightZeros, agree_with_the_reference_on_random_shapes_in_random_launches) {
    testing::Random random(38);
    std::vector<ConvShape> shapes = testing::random_shapes(200, 38);
    for (const ConvShape& shape : testing::dilated_and_grouped_shapes(100, 38)) shapes.push_back(shape);
    for (const ConvShape& shape : testing::shapes_padded_by_side(60, 38)) shapes.push_back(shape);
    std::size_t run = 0;
    for (const ConvShape& shape : shapes) {
        if (!method().supports(shape)) continue;
        const Workload workload = with_zeros(shape, shares[run % 4], run);
        const ReferenceResult reference = reference_result(workload);
        expect_right(workload, reference);
        const LaunchConfig config = testing::random_config(random, method(), shape);
        if (method().resolve(shape, config, device().info().model).support) expect_right(workload, reference, config);
        ++run;
    }
    EXPECT_GT(run, 250U);
}

TEST_P(WeightZeros, agree_with_the_reference_where_no_size_is_a_multiple_of_a_tile) {
    for (const auto& [c, k] : {std::pair{1, 1}, {3, 64}, {63, 65}, {65, 129}, {130, 127}, {257, 300}})
        for (const double zeros : shares) {
            const ConvShape shape{.n = 3, .c = c, .h = 13, .w = 17, .k = k, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
            expect_right(with_zeros(shape, zeros, 7));
        }
}

TEST_P(WeightZeros, agree_with_the_reference_on_layers_of_networks) {
    const ConvShape conv5{.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    ConvShape batch = conv5, halved = conv5, pooled = conv5;
    batch.n = 8;
    halved.stride_h = halved.stride_w = 2;
    pooled.pool_h = pooled.pool_w = pooled.pool_stride = 2;
    const ConvShape conv3{.c = 256, .h = 56, .w = 56, .k = 256, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const ConvShape pointwise{.c = 1024, .h = 14, .w = 14, .k = 512};
    const ConvShape first{
        .c = 3, .h = 224, .w = 224, .k = 64, .r = 7, .s = 7, .stride_h = 2, .stride_w = 2, .pad_h = 3, .pad_w = 3};
    for (const ConvShape& shape : {conv5, batch, halved, pooled, conv3, pointwise, first})
        for (const double zeros : {0.5, 0.95}) expect_right(with_zeros(shape, zeros, 3));
}

TEST_P(WeightZeros, agree_with_the_reference_in_every_launch) {
    testing::Random random(22);
    const ConvShape shape{.n = 2, .c = 160, .h = 20, .w = 33, .k = 170, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    expect_right_in_every_launch(random, with_zeros(shape, 0.8, 2), 60);
}

TEST_P(WeightZeros, give_the_same_bits_each_time) {
    expect_the_same_bits_each_time(
        with_zeros({.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1}, 0.9, 2));
}

INSTANTIATE_TEST_SUITE_P(All, WeightZeros, ::testing::Values("wcsr1", "nm1"),
                         [](const auto& test) { return test.param; });

class NmOnGpu : public testing::MethodOnGpu<testing::GpuTest> {};

TEST_P(NmOnGpu, takes_any_weights_as_a_dense_product_and_rejects_them_as_a_sparse_one) {
    const ConvShape shape{.n = 3, .c = 256, .h = 28, .w = 28, .k = 200, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const Workload workload = testing::random_workload(shape, 0, 1);
    const ReferenceResult reference = reference_result(workload);
    for (const std::int64_t filters : {0, 64, 128})
        for (const std::int64_t pixels : {0, 64, 128}) {
            LaunchConfig config;
            config.tunables = {{"sparse", 0}, {"filters", filters}, {"pixels", pixels}};
            expect_right(workload, reference, config);
        }
    EXPECT_THROW(testing::run_method(method(), workload, device()), Error);
}

INSTANTIATE_TEST_SUITE_P(WeightZeros, NmOnGpu, ::testing::Values("nm1"), [](const auto& test) { return test.param; });

}  // namespace
}  // namespace convscope
