#include "kernels/method/flops.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

/// Every multiply-add, one by one.
double count_by_hand(const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    double products = 0;
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t p = 0; p < shape.p(); ++p)
                for (std::int64_t q = 0; q < shape.q(); ++q)
                    for (std::int64_t r = 0; r < shape.r; ++r)
                        for (std::int64_t s = 0; s < shape.s; ++s) {
                            const std::int64_t h = p * shape.stride_h - shape.pad_h + r * shape.dilation_h;
                            const std::int64_t w = q * shape.stride_w - shape.pad_w + s * shape.dilation_w;
                            const bool inside = h >= 0 && w >= 0 && h < shape.h && w < shape.w;
                            if (inside && workload.x.at(n, c, h, w) != 0) ++products;
                        }
    return 2 * products * static_cast<double>(shape.k / shape.groups);
}

TEST(FlopsEffective, counts_every_product_of_a_non_zero_element) {
    for (const auto& shapes : {testing::random_shapes(60, 3), testing::dilated_and_grouped_shapes(60, 3),
                               testing::shapes_padded_by_side(60, 3)})
        for (const ConvShape& shape : shapes) {
            const Workload workload = testing::random_workload(shape, 0.5, 5);
            EXPECT_EQ(flops_effective(workload), count_by_hand(workload)) << to_string(shape);
        }
}

TEST(FlopsEffective, nan_counts_and_zeros_do_not) {
    ConvShape shape;
    shape.h = shape.w = 2;
    Workload workload = testing::random_workload(shape, 1.0, 1);
    EXPECT_EQ(flops_effective(workload), 0);
    workload.x.data[1] = std::nanf("");
    EXPECT_EQ(flops_effective(workload), 2);
}

/// As count_by_hand, of the windows of each pooling window.
double count_pooled_by_hand(const Workload& workload, bool zeros_too) {
    const ConvShape& shape = workload.spec.shape;
    double products = 0;
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t row = 0; row < shape.out_h(); ++row)
            for (std::int64_t column = 0; column < shape.out_w(); ++column)
                for (std::int64_t i = 0; i < shape.pool_h * shape.pool_w; ++i)
                    for (std::int64_t at = 0; at < shape.reduction(); ++at) {
                        const std::int64_t p = row * shape.pool_stride + i / shape.pool_w;
                        const std::int64_t q = column * shape.pool_stride + i % shape.pool_w;
                        const std::int64_t h = p * shape.stride_h - shape.pad_h + at / shape.s % shape.r;
                        const std::int64_t w = q * shape.stride_w - shape.pad_w + at % shape.s;
                        const bool inside = h >= 0 && w >= 0 && h < shape.h && w < shape.w;
                        if (zeros_too || (inside && workload.x.at(n, at / shape.window(), h, w) != 0)) ++products;
                    }
    return 2 * products * static_cast<double>(shape.k / shape.groups);
}

TEST(FlopsExecuted, of_pooling_in_the_kernel_are_those_of_each_pooling_window) {
    int pooled = 0;
    for (const ConvShape& shape : testing::random_shapes(120, 4)) {
        if (!shape.pooled()) {
            EXPECT_EQ(dense_pooled_flops(testing::random_workload(shape, 0.5, 6)), shape.flops_dense());
            continue;
        }
        ++pooled;
        const Workload workload = testing::random_workload(shape, 0.5, 6);
        EXPECT_EQ(nonzero_pooled_flops(workload), count_pooled_by_hand(workload, false)) << to_string(shape);
        EXPECT_EQ(dense_pooled_flops(workload), count_pooled_by_hand(workload, true)) << to_string(shape);
    }
    EXPECT_GT(pooled, 10);
}

}  // namespace
}  // namespace convscope
