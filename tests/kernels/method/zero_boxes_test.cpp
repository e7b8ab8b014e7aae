// The boxes that methods skip: what they cost, and x filled with zeros by them.
#include "kernels/method/zero_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/method/flops.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

TEST(ZeroBoxes, of_elements_cost_what_the_flops_of_non_zeros_count) {
    for (const auto& shapes : {testing::random_shapes(40, 3), testing::dilated_and_grouped_shapes(40, 3),
                               testing::shapes_padded_by_side(40, 3)})
        for (const ConvShape& shape : shapes) {
            const Workload workload = testing::random_workload(shape, 0.5, 5);
            EXPECT_EQ(flops_of(nonzero_boxes(shape), workload.x), flops_effective(workload)) << to_string(shape);
            EXPECT_EQ(flops_of(nonzero_pooled_boxes(shape), workload.x), nonzero_pooled_flops(workload))
                << to_string(shape);
        }
}

TEST(ZeroBoxes, reach_over_the_edges_of_x) {
    // Boxes of 3 x 4 places, 2 and 3 apart, from one place above and left of a map of 4 x 5 on.
    const ZeroBoxes boxes{{1}, {1}, {2, 3, 2, -1}, {2, 4, 3, -1}, {10, 100}, {1, 7}, 3};
    Tensor x(1, 1, 4, 5);
    EXPECT_EQ(flops_of(boxes, x), 0);
    x.at(0, 0, 0, 0) = 1;
    EXPECT_EQ(flops_of(boxes, x), 2 * 3 * 10);
    x.at(0, 0, 0, 0) = 0;
    x.at(0, 0, 1, 2) = std::nanf("");
    EXPECT_EQ(flops_of(boxes, x), 2 * 3 * (10 + 70 + 100 + 700)) << "all four boxes share it, and NaN is not zero";
    x.at(0, 0, 1, 2) = 0;
    x.at(0, 0, 3, 4) = -1;
    EXPECT_EQ(flops_of(boxes, x), 2 * 3 * 700);
}

TEST(ZeroBoxes, are_filled_with_zeros_whole) {
    const ConvShape shape{.n = 3, .c = 4, .h = 10, .w = 10, .k = 2};
    ZeroBoxes pixels = nonzero_boxes(shape);
    pixels.c = {1, shape.c};
    for (const double share : {0.0, 0.4, 1.0}) {
        Tensor x = testing::random_workload(shape, 0, 7).x;
        zero_boxes(x, pixels, share, 1);
        double empty = 0;
        for (std::int64_t n = 0; n < shape.n; ++n)
            for (std::int64_t h = 0; h < shape.h; ++h)
                for (std::int64_t w = 0; w < shape.w; ++w) {
                    std::int64_t zeros = 0;
                    for (std::int64_t c = 0; c < shape.c; ++c) zeros += x.at(n, c, h, w) == 0 ? 1 : 0;
                    EXPECT_TRUE(zeros == 0 || zeros == shape.c);
                    empty += zeros > 0 ? 1 : 0;
                }
        EXPECT_NEAR(empty / 300, share, share == 0.4 ? 0.1 : 0);
    }
}

}  // namespace
}  // namespace convscope
