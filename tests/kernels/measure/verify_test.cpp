#include "kernels/measure/verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/reference/reference_result.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

ConvShape small_shape() {
    ConvShape shape;
    shape.h = shape.w = 4;
    shape.r = shape.s = 3;
    return shape;
}

Tensor tensor(std::vector<float> values) {
    Tensor t(1, 1, 2, 2);
    t.data = std::move(values);
    return t;
}

const Tensor right = tensor({1, -2, 0, 4});
const Tensor scale = tensor({2, 2, 0, 4});

Verification check(const Tensor& y, DType dtype = DType::f32) {
    return verify(y, right, scale, small_shape(), dtype);
}

TEST(Verify, takes_the_references_own_result) {
    const Verification result = check(right);
    EXPECT_TRUE(result.ok);
    EXPECT_EQ(result.max_rel_err, 0);
    EXPECT_TRUE(result.reason.empty());
}

TEST(Verify, tolerance_is_the_bound_of_nine_products) {
    // gamma of (9 + 2) roundings of 2^-24.
    const double bound = 11 * 0x1p-24 / (1 - 11 * 0x1p-24);
    EXPECT_DOUBLE_EQ(tolerance(small_shape(), DType::f32, Summation::direct), bound);
    Tensor inside = right, outside = right;
    inside.data[0] += static_cast<float>(2 * 0.9 * bound);
    outside.data[0] += static_cast<float>(2 * 1.2 * bound);
    EXPECT_TRUE(check(inside).ok);
    EXPECT_FALSE(check(outside).ok);
    EXPECT_NEAR(check(outside).max_rel_err, 1.2 * bound, 0.1 * bound);
}

TEST(Verify, lower_precisions_get_wider_bounds) {
    const double f32 = tolerance(small_shape(), DType::f32, Summation::direct);
    const double tf32 = tolerance(small_shape(), DType::tf32, Summation::direct);
    const double f16 = tolerance(small_shape(), DType::f16, Summation::direct);
    EXPECT_LT(f32, 1e-6);
    EXPECT_GT(tf32, 0x1p-9);
    EXPECT_LT(tf32, 0x1p-8);
    EXPECT_GT(f16, 3 * 0x1p-11);
    EXPECT_LT(f16, 4 * 0x1p-11);
}

TEST(Verify, names_the_first_wrong_element_and_counts_them) {
    const Verification result = check(tensor({1, -2.5, 0, 5}));
    EXPECT_FALSE(result.ok);
    EXPECT_EQ(result.reason, "y[0,0,0,1] is -2.5 where the reference has -2 (2 of 4 elements are wrong)");
    EXPECT_DOUBLE_EQ(result.max_rel_err, 0.25);
}

TEST(Verify, poison_that_was_not_overwritten_is_infinitely_wrong) {
    const Verification result = check(tensor({1, -2, 0, nan}));
    EXPECT_FALSE(result.ok);
    EXPECT_EQ(result.max_rel_err, inf);
}

TEST(Verify, nan_and_infinity_pass_only_where_the_reference_has_them) {
    const Tensor odd = tensor({nan, inf, -inf, 1});
    const Tensor odd_scale = tensor({nan, inf, inf, 1});
    const auto against = [&](std::vector<float> y) {
        return verify(tensor(std::move(y)), odd, odd_scale, small_shape(), DType::f32).ok;
    };
    EXPECT_TRUE(against({nan, inf, -inf, 1}));
    EXPECT_FALSE(against({1, inf, -inf, 1}));
    EXPECT_FALSE(against({nan, -inf, -inf, 1}));
    EXPECT_FALSE(against({nan, nan, -inf, 1}));
    EXPECT_FALSE(against({nan, inf, 3e38F, 1}));
    EXPECT_FALSE(against({nan, inf, -inf, inf}));
}

TEST(Verify, a_window_of_zeros_must_give_zero) {
    EXPECT_FALSE(check(tensor({1, -2, 1e-30F, 4})).ok);
    EXPECT_TRUE(check(tensor({1, -2, 1e-39F, 4})).ok) << "below the smallest normal number";
    EXPECT_TRUE(check(tensor({1, -2, -0.0F, 4})).ok);
}

// 2^24 roundings of 2^-24 have no bound; what is not a number at all must fail there, too.
TEST(Verify, nan_and_infinity_fail_where_the_tolerance_is_infinite) {
    const ConvShape endless{.c = 1 << 24, .h = 2, .w = 2};
    ASSERT_TRUE(std::isinf(tolerance(endless, DType::f32, Summation::direct)));
    EXPECT_TRUE(verify(right, right, scale, endless, DType::f32).ok);
    EXPECT_FALSE(verify(tensor({1, -2, nan, 4}), right, scale, endless, DType::f32).ok);
    EXPECT_FALSE(verify(tensor({inf, -2, 0, 4}), right, scale, endless, DType::f32).ok);
}

TEST(Verify, another_size_is_wrong) {
    Tensor y(1, 1, 2, 1);
    const Verification result = check(y);
    EXPECT_FALSE(result.ok);
    EXPECT_NE(result.reason.find("1x1x2x1"), std::string::npos);
}

TEST(Verify, transforms_are_held_against_the_largest_scale) {
    // An output whose own window is zero takes in rounding from its tile.
    const Tensor y = tensor({1, -2, 1e-6F, 4});
    EXPECT_FALSE(verify(y, right, scale, small_shape(), DType::f32, Summation::direct).ok);
    EXPECT_TRUE(verify(y, right, scale, small_shape(), DType::f32, Summation::transform).ok);
}

TEST(Verify, winograds_tolerance_is_derived_from_its_transforms) {
    // 25 times gamma of c + 12 roundings (docs/measuring.md, 'Winograd and FFT').
    ConvShape shape = small_shape();
    shape.c = 8;
    const double bound = 20 * 0x1p-24 / (1 - 20 * 0x1p-24);
    EXPECT_DOUBLE_EQ(tolerance(shape, DType::f32, Summation::f2x2_3x3), 25 * bound);
}

// The bound is never too tight: float sums in the plain order, over every kind of shape, stay inside it.
TEST(Verify, float_sums_of_random_layers_pass) {
    for (const ConvShape& shape : testing::random_shapes(60, 7)) {
        ConvShape plain = shape;
        plain.pool_h = plain.pool_w = plain.pool_stride = 0;
        const Workload workload = testing::random_workload(plain, 0.3, 11);
        const ReferenceResult reference = reference_result(workload);
        Tensor y = reference.y;
        for (std::int64_t n = 0; n < plain.n; ++n)
            for (std::int64_t k = 0; k < plain.k; ++k)
                for (std::int64_t p = 0; p < plain.p(); ++p)
                    for (std::int64_t q = 0; q < plain.q(); ++q) {
                        float sum = 0;
                        for (std::int64_t c = 0; c < plain.c; ++c)
                            for (std::int64_t r = 0; r < plain.r; ++r)
                                for (std::int64_t s = 0; s < plain.s; ++s) {
                                    const std::int64_t h = p * plain.stride_h - plain.pad_h + r;
                                    const std::int64_t w = q * plain.stride_w - plain.pad_w + s;
                                    if (h < 0 || w < 0 || h >= plain.h || w >= plain.w) continue;
                                    sum += workload.x.at(n, c, h, w) * workload.w.at(k, c, r, s);
                                }
                        y.at(n, k, p, q) = sum;
                    }
        const Verification result = verify(y, reference.y, reference.scale, plain, DType::f32);
        EXPECT_TRUE(result.ok) << to_string(plain) << ": " << result.reason;
    }
}

TEST(Verify, a_scale_that_no_float_holds_lets_nothing_pass) {
    // 1e30 * 1e30 - 1e30 * 1e30 + 1 * 1: a reference of 1 with a scale of 2e60.
    Tensor beyond = scale;
    beyond.data[0] = inf;
    Tensor wrong = right;
    wrong.data[0] = 3e38F;
    const Verification result = verify(wrong, right, beyond, small_shape(), DType::f32, Summation::direct, 4);
    EXPECT_FALSE(result.ok);
    EXPECT_TRUE(verify(right, right, beyond, small_shape(), DType::f32, Summation::direct, 4).ok);
    const double bound = tolerance(small_shape(), DType::f32, Summation::direct) * 1e38 * 9;
    wrong.data[0] = static_cast<float>(0.9 * bound);
    EXPECT_TRUE(verify(wrong, right, beyond, small_shape(), DType::f32, Summation::direct, 1e38).ok)
        << "what rounding may do where the products are as large";
    wrong.data[0] = static_cast<float>(1.1 * bound);
    EXPECT_FALSE(verify(wrong, right, beyond, small_shape(), DType::f32, Summation::direct, 1e38).ok);
}

}  // namespace
}  // namespace convscope
