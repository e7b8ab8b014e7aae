// union1 on a GPU of compute capability 9.0: channels that are dead in a map or in a tile, on layers larger than the
// tests of all methods have; values that are not finite; magnitudes beyond FP16's.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/layers/zero_patterns.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

class Union1OnGpu : public testing::HopperTest {
protected:
    const Method& union1() { return testing::gpu_registry().get("union1", DeviceKind::cuda); }

    void expect_right(const Workload& workload) {
        const ConvShape& shape = workload.spec.shape;
        const ReferenceResult reference = reference_result(workload);
        const Tensor y = testing::run_method(union1(), workload, device(), {});
        const Verification result = verify(y, reference.y, reference.scale, shape, DType::f32);
        EXPECT_TRUE(result.ok) << to_string(shape) << ": " << result.reason;
    }
};

TEST_F(Union1OnGpu, agrees_with_the_reference_whichever_channels_are_dead) {
    testing::Random random(17);
    for (int i = 0; i < 60 && !HasFailure(); ++i) {
        ConvShape shape;
        shape.n = random.between(1, 3);
        shape.c = random.between(2, 300);
        shape.k = random.between(1, 200);
        shape.r = shape.s = random.between(0, 2) == 0 ? 1 : 3;
        if (shape.reduction() < 16) shape.c = 16;
        shape.stride_h = random.between(1, 4);
        shape.stride_w = random.between(1, 4);
        shape.pad_h = random.between(0, shape.r - 1);
        shape.pad_w = random.between(0, shape.s - 1);
        shape.h = random.between(shape.r + 1, 40);
        shape.w = random.between(shape.s + 1, 40);
        Workload workload = testing::random_workload(shape, 0, i);
        const double dead = testing::sparsity_of(i);
        const auto zeros = zero_count(dead, workload.x.elements());
        if (i % 2 == 0)
            zero_channels(workload.x, zeros, static_cast<std::uint64_t>(i));
        else
            fill_blobs(workload.x, zeros, static_cast<std::uint64_t>(i));
        expect_right(workload);
    }
}

TEST_F(Union1OnGpu, each_tile_has_channels_of_its_own) {
    const ConvShape shape{.c = 96, .h = 28, .w = 28, .k = 70, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    Workload workload = testing::random_workload(shape, 0, 5);
    // The upper left has every third channel, the lower right none, and elsewhere all are alive.
    for (std::int64_t c = 0; c < shape.c; ++c)
        for (std::int64_t h = 0; h < shape.h; ++h)
            for (std::int64_t w = 0; w < shape.w; ++w)
                if ((h < 14 && w < 14 && c % 3 != 0) || (h >= 12 && w >= 12)) workload.x.at(0, c, h, w) = 0;
    expect_right(workload);
}

TEST_F(Union1OnGpu, scales_follow_images_and_filters) {
    const ConvShape shape{.n = 3, .c = 96, .h = 24, .w = 24, .k = 72, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    Workload workload = testing::random_workload(shape, 0.3, 8);
    constexpr float factor[]{1e12f, 1.0f, 1e-12f};
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t h = 0; h < shape.h; ++h)
                for (std::int64_t w = 0; w < shape.w; ++w) workload.x.at(n, c, h, w) *= factor[n];
    for (std::int64_t k = 0; k < shape.k; ++k)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t r = 0; r < shape.r; ++r)
                for (std::int64_t s = 0; s < shape.s; ++s) workload.w.at(k, c, r, s) *= factor[k % 3];
    expect_right(workload);
}

TEST_F(Union1OnGpu, a_value_that_is_not_finite_spoils_what_sees_it_only) {
    const ConvShape shape{.c = 40, .h = 18, .w = 18, .k = 64, .r = 3, .s = 3};
    for (const float value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        Workload workload = testing::random_workload(shape, 0.3, 9);
        // The only value of its channel.
        for (std::int64_t h = 0; h < shape.h; ++h)
            for (std::int64_t w = 0; w < shape.w; ++w) workload.x.at(0, 7, h, w) = 0;
        workload.x.at(0, 7, 5, 6) = value;
        const ReferenceResult reference = reference_result(workload);
        const Tensor y = testing::run_method(union1(), workload, device(), {});
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
}

}  // namespace
}  // namespace convscope
