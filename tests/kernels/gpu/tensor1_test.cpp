// tensor1 and tensor2 on a GPU of compute capability 9.0: every tile, part and flush on random layers larger than the
// tests of all methods have; steps of zeros that are skipped; windows that are gathered; how close to FP32 they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

class Tensor1OnGpu : public testing::HopperTest {
protected:
    const Method& tensor1() { return testing::gpu_registry().get("tensor1", DeviceKind::cuda); }
    const Method& tensor2() { return testing::gpu_registry().get("tensor2", DeviceKind::cuda); }

    /// The largest error, or -1 and a failure.
    double expect_right(const Method& method, const Workload& workload, const LaunchConfig& config) {
        const ConvShape& shape = workload.spec.shape;
        const ReferenceResult reference = reference_result(workload);
        const Tensor y = testing::run_method(method, workload, device(), config);
        const Verification result = verify(y, reference.y, reference.scale, shape, DType::f32);
        EXPECT_TRUE(result.ok) << method.info().id << " " << to_string(shape) << ": " << result.reason;
        return result.ok ? result.max_rel_err : -1;
    }

    static ConvShape random_layer(testing::Random& random) {
        ConvShape shape;
        shape.n = random.between(1, 2);
        shape.c = random.between(1, 150);
        if (random.between(0, 3) != 0) shape.c = (shape.c + 3) / 4 * 4;
        shape.k = random.between(1, 200);
        shape.r = random.between(1, 9);
        shape.s = random.between(1, 9);
        shape.stride_h = random.between(1, 3);
        shape.stride_w = random.between(1, 3);
        shape.pad_h = random.between(0, shape.r - 1);
        shape.pad_w = random.between(0, shape.s - 1);
        shape.h = random.between(shape.r + 1, 40);
        shape.w = random.between(shape.s + 1, 40);
        if (random.between(0, 1) == 1) {
            shape.pool_stride = random.between(1, 3);
            shape.pool_h = std::min<std::int64_t>(random.between(1, 3), shape.p());
            shape.pool_w = std::min<std::int64_t>(random.between(1, 3), shape.q());
            if (random.between(0, 1) == 1 && shape.p() > 1 && shape.q() > 1)
                shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        }
        return shape;
    }
};

TEST_F(Tensor1OnGpu, every_choice_agrees_with_the_reference) {
    testing::Random random(61);
    const DeviceModel model = device().info().model;
    int fused = 0;
    for (int i = 0; i < 24 && !HasFailure(); ++i) {
        const ConvShape shape = random_layer(random);
        const Workload workload = testing::random_workload(shape, testing::sparsity_of(i), i);
        for (const std::int64_t filters : {64, 128}) {
            for (const std::int64_t parts : {1, 2, 8}) {
                const LaunchConfig config{
                    {}, {}, {{"filters", filters}, {"split_k", parts}, {"promotion_interval", i % 3}}};
                if (!tensor1().supports(shape) || !tensor1().resolve(shape, config, model).support) continue;
                expect_right(tensor1(), workload, config);
                if (!tensor2().supports(shape)) continue;
                expect_right(tensor2(), workload, config);
                ++fused;
            }
        }
    }
    EXPECT_GT(fused, 10);
}

TEST_F(Tensor1OnGpu, a_block_takes_item_after_item) {
    ConvShape shape{.n = 2, .c = 40, .h = 150, .w = 170, .k = 130, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    for (const std::int64_t pool : {0, 2}) {
        shape.pool_h = shape.pool_w = shape.pool_stride = pool;
        const Workload workload = testing::random_workload(shape, 0.5, 3);
        expect_right(pool ? tensor2() : tensor1(), workload, {{}, {}, {{"filters", 64}, {"split_k", 1}}});
    }
}

TEST_F(Tensor1OnGpu, zeros_that_are_skipped_leave_the_rest_right) {
    const ConvShape shape{.c = 96, .h = 20, .w = 20, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    Workload workload = testing::random_workload(shape, 0, 5);
    // One of every four times 8 channels is left; some steps of 16 keep none, and one tile nothing at all.
    for (std::int64_t c = 0; c < shape.c; ++c)
        for (std::int64_t h = 0; h < shape.h; ++h)
            for (std::int64_t w = 0; w < shape.w; ++w)
                if (c / 8 % 4 != c / 32 || (h < 10 && w < 10)) workload.x.at(0, c, h, w) = 0;
    for (const std::int64_t parts : {1, 3}) expect_right(tensor1(), workload, {{}, {}, {{"split_k", parts}}});
}

TEST_F(Tensor1OnGpu, scales_follow_images_channels_and_filters) {
    // Far beyond FP16's range: images, slices of channels and filters of 1e-12 .. 1e12.
    const ConvShape shape{.n = 3, .c = 96, .h = 24, .w = 24, .k = 72, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    Workload workload = testing::random_workload(shape, 0.3, 8);
    constexpr float image[]{1e12f, 1.0f, 1e-12f}, slice[]{1e-3f, 1.0f, 1e3f};
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t h = 0; h < shape.h; ++h)
                for (std::int64_t w = 0; w < shape.w; ++w) workload.x.at(n, c, h, w) *= image[n] * slice[c / 32];
    for (std::int64_t k = 0; k < shape.k; ++k)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t r = 0; r < shape.r; ++r)
                for (std::int64_t s = 0; s < shape.s; ++s) workload.w.at(k, c, r, s) *= image[k % 3];
    for (const std::int64_t parts : {1, 3}) expect_right(tensor1(), workload, {{}, {}, {{"split_k", parts}}});
}

TEST_F(Tensor1OnGpu, an_infinity_spoils_what_sees_it_only) {
    const ConvShape shape{.c = 40, .h = 18, .w = 18, .k = 64, .r = 3, .s = 3};
    Workload workload = testing::random_workload(shape, 0.3, 9);
    workload.x.at(0, 7, 5, 6) = std::numeric_limits<float>::infinity();
    const ReferenceResult reference = reference_result(workload);
    const Tensor y = testing::run_method(tensor1(), workload, device(), {});
    for (std::int64_t p = 0; p < shape.p(); ++p)
        for (std::int64_t q = 0; q < shape.q(); ++q) {
            const bool sees = p >= 3 && p <= 5 && q >= 4 && q <= 6;
            for (std::int64_t k = 0; k < shape.k; ++k) {
                if (sees)
                    EXPECT_FALSE(std::isfinite(y.at(0, k, p, q)));
                else
                    EXPECT_NEAR(y.at(0, k, p, q), reference.y.at(0, k, p, q), 1e-4);
            }
        }
}

TEST_F(Tensor1OnGpu, is_as_exact_as_fp32) {
    const ConvShape shape{.c = 512, .h = 14, .w = 14, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const Workload workload = testing::random_workload(shape, 0.85, 1);
    const double often = expect_right(tensor1(), workload, {{}, {}, {{"promotion_interval", 1}}});
    const double default_value = expect_right(tensor1(), workload, {});
    EXPECT_LT(often, 2e-7);          // about FP32's own rounding, in sums of 4608
    EXPECT_LT(default_value, 1e-6);  // the tensor cores cut when they add
    EXPECT_LT(often, default_value);
}

}  // namespace
}  // namespace convscope
