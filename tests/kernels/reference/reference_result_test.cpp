#include "kernels/reference/reference_result.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/error.h"
#include "kernels/reference/direct_double.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

double element(const Workload& workload, std::int64_t n, std::int64_t k, std::int64_t p, std::int64_t q) {
    const ConvShape& shape = workload.spec.shape;
    const std::int64_t channels = shape.c / shape.groups, first = k / (shape.k / shape.groups) * channels;
    double sum = 0;
    for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t i = 0; i < shape.r; ++i)
            for (std::int64_t j = 0; j < shape.s; ++j) {
                const std::int64_t row = p * shape.stride_h + i * shape.dilation_h - shape.pad_h;
                const std::int64_t column = q * shape.stride_w + j * shape.dilation_w - shape.pad_w;
                const bool inside = row >= 0 && row < shape.h && column >= 0 && column < shape.w;
                const double value = inside ? workload.x.at(n, first + c, row, column) : 0.0;
                sum += value * static_cast<double>(workload.w.at(k, c, i, j));
            }
    return sum;
}

double pooled_element(const Workload& workload, std::int64_t n, std::int64_t k, std::int64_t oh, std::int64_t ow) {
    const ConvShape& shape = workload.spec.shape;
    if (!shape.pooled()) return element(workload, n, k, oh, ow);
    double most = 0;
    for (std::int64_t i = 0; i < shape.pool_h; ++i)
        for (std::int64_t j = 0; j < shape.pool_w; ++j)
            most = std::max(most, element(workload, n, k, oh * shape.pool_stride + i, ow * shape.pool_stride + j));
    return most;
}

void expect_equals_the_definition(const Workload& workload, const Tensor& y) {
    const ConvShape& shape = workload.spec.shape;
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t k = 0; k < shape.k; ++k)
            for (std::int64_t oh = 0; oh < shape.out_h(); ++oh)
                for (std::int64_t ow = 0; ow < shape.out_w(); ++ow)
                    ASSERT_NEAR(y.at(n, k, oh, ow), pooled_element(workload, n, k, oh, ow), 1e-5)
                        << to_string(shape) << " at " << n << ", " << k << ", " << oh << ", " << ow;
}

TEST(Reference, equals_the_definition_on_random_shapes) {
    const auto shapes = testing::random_shapes(200);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        Workload workload = testing::random_workload(shapes[i], testing::sparsity_of(i), i);
        expect_equals_the_definition(workload, reference_output(workload));
    }
}

TEST(Reference, equals_the_definition_with_dilation_and_groups) {
    const auto shapes = testing::dilated_and_grouped_shapes(150);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Workload workload = testing::random_workload(shapes[i], testing::sparsity_of(i), i);
        expect_equals_the_definition(workload, reference_output(workload));
    }
}

TEST(Reference, equals_the_definition_with_padding_by_side) {
    const auto shapes = testing::shapes_padded_by_side(150);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Workload workload = testing::random_workload(shapes[i], testing::sparsity_of(i), i);
        expect_equals_the_definition(workload, reference_output(workload));
    }
}

TEST(Reference, needs_no_room_for_a_stride_beyond_the_map) {
    for (const std::int64_t stride : {4, 5, 6, 1'000'000'000}) {
        const ConvShape shape{
            .n = 2, .c = 2, .h = 5, .w = 4, .k = 3, .r = 3, .s = 2, .stride_h = stride, .stride_w = stride};
        const Workload workload = testing::random_workload(shape, 0.3, 11);
        expect_equals_the_definition(workload, reference_output(workload));
    }
}

// One output row of 17 columns ends one element into a vector: the widest reach behind the map. Sanitizers see it.
TEST(Reference, reads_nothing_behind_the_map_of_a_wide_filter) {
    for (const std::int64_t s : {2, 9, 11, 17}) {
        const ConvShape shape{.h = 1, .w = 17, .r = 1, .s = s};
        const Workload workload = testing::random_workload(shape, 0.3, 12);
        expect_equals_the_definition(workload, reference_output(workload));
    }
}

TEST(Reference, scale_is_the_sum_of_magnitudes) {
    for (const ConvShape& shape : testing::random_shapes(50)) {
        Workload workload = testing::random_workload(shape, 0.3, 7);
        Tensor scale = reference_scale(workload);
        for (float& value : workload.x.data) value = std::abs(value);
        for (float& value : workload.w.data) value = std::abs(value);
        expect_equals_the_definition(workload, scale);
    }
}

TEST(Reference, largest_scale_takes_in_filters_that_hang_over_the_edge) {
    // The last elements meet the first weights only where most of the filter lies outside.
    Workload workload = testing::random_workload({.h = 3, .w = 4, .r = 3, .s = 3}, 0.0, 1);
    std::ranges::fill(workload.x.data, 0.0f);
    std::ranges::fill(workload.w.data, 0.0f);
    workload.x.at(0, 0, 2, 2) = workload.x.at(0, 0, 2, 3) = -5.0f;
    workload.w.at(0, 0, 0, 0) = workload.w.at(0, 0, 0, 1) = 7.0f;
    EXPECT_EQ(reference_result(workload).largest_scale, 70.0);
    EXPECT_EQ(reference_result(workload).scale.data, std::vector<float>(2, 0.0f));
    workload.spec.shape.stride_w = 2;  // no Winograd takes it; a Fourier transform has each product in it
    EXPECT_EQ(reference_result(workload).largest_scale, 35.0);
}

TEST(Reference, accumulates_in_double) {
    // In float, 2^25 + 1 - 2^25 is 0.
    Workload workload = testing::random_workload({.c = 3, .h = 1, .w = 1}, 0.0, 1);
    workload.x.data = {33554432.0f, 1.0f, -33554432.0f};
    workload.w.data = {1.0f, 1.0f, 1.0f};
    EXPECT_EQ(reference_output(workload).data[0], 1.0f);
}

TEST(Reference, non_finite_values_follow_ieee) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Workload workload = testing::random_workload({.h = 1, .w = 3}, 0.0, 1);
    workload.w.data = {2.0f};
    workload.x.data = {nan, infinity, 1.0f};
    Tensor y = reference_output(workload);
    EXPECT_TRUE(std::isnan(y.data[0]));
    EXPECT_EQ(y.data[1], infinity);
    EXPECT_EQ(y.data[2], 2.0f);
    workload.w.data = {infinity};
    workload.x.data = {0.0f, 1.0f, -1.0f};
    y = reference_output(workload);
    EXPECT_TRUE(std::isnan(y.data[0])) << "a zero times an infinite weight is NaN";
    EXPECT_EQ(y.data[2], -infinity);
}

TEST(Reference, multiplies_nothing_more_once_it_was_stopped) {
    const Workload workload = testing::random_workload({.c = 2, .h = 9, .w = 9, .k = 3, .r = 3, .s = 3}, 0.0, 1);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(reference_result(workload, stop.get_token()), Error);
    const DirectDouble direct(workload.spec.shape);
    const std::vector<double> x(static_cast<std::size_t>(direct.x_elements())),
        w(static_cast<std::size_t>(direct.w_elements()));
    std::vector<float> y(static_cast<std::size_t>(workload.spec.shape.conv_elements()), 7);
    direct.multiply(x.data(), w.data(), y.data(), stop.get_token());
    EXPECT_EQ(std::ranges::count(y, 7.0F), std::ssize(y));
}

TEST(Reference, nan_passes_through_relu_and_pooling) {
    Workload workload = testing::random_workload({.h = 1, .w = 4, .pool_h = 1, .pool_w = 2, .pool_stride = 2}, 0.0, 1);
    workload.w.data = {1.0f};
    workload.x.data = {std::numeric_limits<float>::quiet_NaN(), 5.0f, -1.0f, -2.0f};
    Tensor y = reference_output(workload);
    EXPECT_TRUE(std::isnan(y.data[0]));
    EXPECT_EQ(y.data[1], 0.0f);
}

}  // namespace
}  // namespace convscope
