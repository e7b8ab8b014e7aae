#include "kernels/layers/nonzero_multiply_adds.h"

#include <gtest/gtest.h>

#include "kernels/method/flops.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

TEST(NonzeroMultiplyAdds, neither_factor_is_zero) {
    for (const auto& shapes : {testing::random_shapes(30, 7), testing::dilated_and_grouped_shapes(30, 7),
                               testing::shapes_padded_by_side(30, 7)})
        for (const ConvShape& shape : shapes) {
            Workload workload = testing::random_workload(shape, 0.5, 5);
            EXPECT_EQ(2 * static_cast<double>(nonzero_multiply_adds(workload)), flops_effective(workload))
                << to_string(shape) << ": no weight is zero";
            for (std::size_t i = 0; i < workload.w.data.size(); i += 3) workload.w.data[i] = 0;
            std::int64_t expected = 0;
            for (std::int64_t at = 0; at < shape.conv_elements(); ++at) {
                const std::int64_t q = at % shape.q(), p = at / shape.q() % shape.p();
                const std::int64_t k = at / (shape.q() * shape.p()) % shape.k,
                                   n = at / (shape.q() * shape.p() * shape.k);
                for (std::int64_t c = 0; c < shape.group_channels(); ++c)
                    for (std::int64_t i = 0; i < shape.r; ++i)
                        for (std::int64_t j = 0; j < shape.s; ++j) {
                            const std::int64_t h = shape.x_row(p, i), w = shape.x_col(q, j);
                            const std::int64_t channel = k / shape.group_filters() * shape.group_channels() + c;
                            const bool inside = h >= 0 && w >= 0 && h < shape.h && w < shape.w;
                            expected +=
                                inside && workload.x.at(n, channel, h, w) != 0 && workload.w.at(k, c, i, j) != 0;
                        }
            }
            EXPECT_EQ(nonzero_multiply_adds(workload), expected) << to_string(shape);
        }
}

}  // namespace
}  // namespace convscope
