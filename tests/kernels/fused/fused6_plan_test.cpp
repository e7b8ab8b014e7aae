// fused6's plans for layers and GPUs; its kernel runs on a GPU only (tests/kernels/gpu/fused6_test.cpp).
#include <gtest/gtest.h>

#include <string>

#include "kernels/fused/fused6_plan.h"
#include "kernels/fused/fused_methods.h"
#include "tests/support/device_models.h"
#include "tests/support/fused_cases.h"

namespace convscope {
namespace {

using testing::h100;
using testing::model_of;
using testing::toy;

TEST(Fused6Plan, the_toy_is_three_rounds_of_large_tiles) {
    const Fused6Plan plan = plan_fused6(toy, {}, h100());
    EXPECT_EQ(plan.filters, 128);
    EXPECT_EQ(plan.columns, 16);
    EXPECT_EQ(plan.tiling.k_tiles, 8);
    EXPECT_EQ(plan.tiling.tiles, 14 * 14 * 2);
    EXPECT_EQ(plan.tiling.box_rows, 20);
    EXPECT_EQ(plan.tiling.box_columns, 20);
    EXPECT_EQ(plan.tiling.stages, 6);
    EXPECT_EQ(plan.shared_bytes, 1024 + 2 * (51200 + 24) + 6 * (16384 + 16));
}

TEST(Fused6Plan, a_small_layer_has_small_tiles) {
    ConvShape shape = toy;
    shape.h = shape.w = 18;
    const Fused6Plan plan = plan_fused6(shape, {}, h100());
    EXPECT_EQ(plan.filters, 64);
    EXPECT_EQ(plan.columns, 8);
    EXPECT_EQ(plan.tiling.tiles, 2 * 4);
    EXPECT_EQ(plan_fused6(shape, {{}, {}, {{"filters", 128}}}, h100()).filters, 128);
}

TEST(Fused6Plan, a_large_filter_has_the_tile_that_fits) {
    ConvShape shape = toy;
    shape.r = shape.s = 16;
    const Fused6Plan plan = plan_fused6(shape, {}, h100());
    EXPECT_EQ(plan.columns, 8);
    EXPECT_GE(plan.tiling.stages, 2);
    EXPECT_LE(plan.shared_bytes, h100().shared_per_block_optin);
}

TEST(Fused6Plan, weights_are_padded_to_k_tiles_and_tiles) {
    ConvShape shape = toy;
    EXPECT_EQ(fused6_weight_elements(shape), shape.w_elements());
    shape.c = 33;
    shape.k = 129;
    EXPECT_EQ(fused6_weight_elements(shape), 64 * 25 * 256);
}

TEST(Fused6Plan, says_which_gpu_it_needs) {
    const auto here = make_fused6(nullptr, {});
    EXPECT_TRUE(here->resolve(toy, {}, h100()).support);
    EXPECT_EQ(here->resolve(toy, {}, model_of("A100")).support.reason,
              "fused6 needs compute capability 9.0; A100 has 8.0");
    const auto elsewhere = make_fused6(nullptr, "a GPU of compute capability 9.0; here is 8.6");
    EXPECT_EQ(elsewhere->supports(toy).reason, "fused6 needs a GPU of compute capability 9.0; here is 8.6");
}

}  // namespace
}  // namespace convscope
