#include "kernels/measure/flops.h"

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
                            const std::int64_t h = p * shape.stride_h - shape.pad_h + r;
                            const std::int64_t w = q * shape.stride_w - shape.pad_w + s;
                            const bool inside = h >= 0 && w >= 0 && h < shape.h && w < shape.w;
                            if (inside && workload.x.at(n, c, h, w) != 0) ++products;
                        }
    return 2 * products * static_cast<double>(shape.k);
}

TEST(FlopsEffective, CountsEveryProductOfANonZeroElement) {
    for (const ConvShape& shape : testing::random_shapes(60, 3)) {
        const Workload workload = testing::random_workload(shape, 0.5, 5);
        EXPECT_EQ(flops_effective(workload), count_by_hand(workload)) << to_string(shape);
    }
}

TEST(FlopsEffective, NanCountsAndZerosDoNot) {
    ConvShape shape;
    shape.h = shape.w = 2;
    Workload workload = testing::random_workload(shape, 1.0, 1);
    EXPECT_EQ(flops_effective(workload), 0);
    workload.x.data[1] = std::nanf("");
    EXPECT_EQ(flops_effective(workload), 2);
}

}  // namespace
}  // namespace convscope
