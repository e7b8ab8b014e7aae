#include "kernels/core/tensor.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace convscope {
namespace {

/// 2x3x2x2, element (n, c, h, w) = 1000 n + 100 c + 10 h + w.
Tensor digits() {
    Tensor tensor(2, 3, 2, 2);
    for (std::int64_t n = 0; n < 2; ++n)
        for (std::int64_t c = 0; c < 3; ++c)
            for (std::int64_t h = 0; h < 2; ++h)
                for (std::int64_t w = 0; w < 2; ++w)
                    tensor.at(n, c, h, w) = static_cast<float>(1000 * n + 100 * c + 10 * h + w);
    return tensor;
}

TEST(Tensor, starts_with_zeros) {
    const Tensor tensor(2, 3, 4, 5);
    EXPECT_EQ(tensor.elements(), 120);
    EXPECT_EQ(std::accumulate(tensor.data.begin(), tensor.data.end(), 0.0f), 0.0f);
}

TEST(Tensor, nchw_has_the_width_innermost) {
    const Tensor tensor = digits();
    EXPECT_EQ(tensor.data[1], 1.0f);
    EXPECT_EQ(tensor.data[4], 100.0f);
    EXPECT_EQ(tensor.data[12], 1000.0f);
}

TEST(Tensor, nhwc_has_the_channels_innermost) {
    const Tensor tensor = to_layout(digits(), Layout::nhwc);
    EXPECT_EQ(tensor.data[1], 100.0f);
    EXPECT_EQ(tensor.data[3], 1.0f);
    EXPECT_EQ(tensor.data[6], 10.0f);
    EXPECT_EQ(tensor.at(1, 2, 0, 1), 1201.0f);
    EXPECT_EQ(to_layout(tensor, Layout::nchw).data, digits().data);
}

TEST(Tensor, blocked_belongs_to_vendors) {
    EXPECT_THROW(to_layout(digits(), Layout::blocked), std::logic_error);
}

}  // namespace
}  // namespace convscope
