#include "kernels/layers/fully_connected.h"

#include <gtest/gtest.h>

#include "kernels/layers/shape_fields.h"

namespace convscope {
namespace {

TEST(FullyConnected, is_a_1x1_convolution_of_a_1x1_map_with_nothing_else) {
    const ConvShape layer{.n = 3, .c = 40, .k = 7};
    EXPECT_TRUE(is_fully_connected(layer));
    for (const ConvShape& other :
         {ConvShape{.c = 40, .h = 2, .k = 7}, ConvShape{.c = 40, .w = 2, .k = 7},
          ConvShape{.c = 40, .k = 7, .r = 3, .pad_h = 1}, ConvShape{.c = 40, .k = 7, .stride_h = 2},
          ConvShape{.c = 40, .k = 7, .pool_h = 1, .pool_w = 1, .pool_stride = 1},
          ConvShape{.c = 40, .k = 8, .groups = 2}, ConvShape{.c = 40, .k = 7, .pad_extra_w = 1}})
        EXPECT_FALSE(is_fully_connected(other)) << to_string(other);
}

TEST(FullyConnected, is_described_by_inputs_outputs_and_batch) {
    const ConvShape layer{.n = 3, .c = 25088, .k = 4096};
    EXPECT_EQ(fully_connected_text(layer), "fully connected, 25088 -> 4096");
    EXPECT_EQ(to_string(layer), "fully connected, 25088 -> 4096, batch 3");
}

}  // namespace
}  // namespace convscope
