// Plans of union1 for layers and GPUs; its kernels run on a GPU only (tests/kernels/gpu/union1_test.cpp).
#include <gtest/gtest.h>

#include "kernels/layers/zero_patterns.h"
#include "kernels/union/union1_flops.h"
#include "kernels/union/union1_method.h"
#include "kernels/union/union1_tiling.h"
#include "tests/support/device_models.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

ConvShape deep_layer() {
    return {.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
}

Workload with_dead_channels(const ConvShape& shape, double zeros) {
    Workload workload = testing::random_workload(shape, 0, 3);
    zero_channels(workload.x, zero_count(zeros, workload.x.elements()), 4);
    return workload;
}

TEST(Union1Tiling, covers_every_window_and_keeps_boxes_small) {
    testing::Random random(5);
    for (int i = 0; i < 2000; ++i) {
        ConvShape shape{.c = 16, .k = 64};
        shape.r = shape.s = random.between(0, 1) == 0 ? 1 : 3;
        shape.stride_h = random.between(1, 60);
        shape.stride_w = random.between(1, 60);
        shape.h = random.between(shape.r, 130);
        shape.w = random.between(shape.s, 130);
        SCOPED_TRACE(to_string(shape));
        const Union1Tiling tiling = union1_tiling(shape);
        ASSERT_LE(tiling.tile_h * tiling.tile_w, union1_windows);
        ASSERT_LE(tiling.box_h * tiling.box_w, union1_pixels);
        ASSERT_GE(tiling.tiles_h * tiling.tile_h, shape.p());
        ASSERT_GE(tiling.tiles_w * tiling.tile_w, shape.q());
        for (int pixel = 0; pixel < union1_pixels; ++pixel)
            ASSERT_EQ(pixel * tiling.per_box_w >> 16, pixel / tiling.box_w);
        for (int window = 0; window < union1_windows; ++window)
            ASSERT_EQ(window * tiling.per_tile_w >> 16, window / tiling.tile_w);
    }
}

TEST(Union1, takes_tiles_of_four_rows_on_maps_of_14) {
    const Union1Tiling tiling = union1_tiling(deep_layer());
    EXPECT_EQ(tiling.tile_h, 4);
    EXPECT_EQ(tiling.tile_w, 14);
    EXPECT_EQ(tiling.slices, 16);
}

TEST(Union1, counts_the_channels_that_a_tile_has) {
    EXPECT_EQ(union1_flops(testing::random_workload(deep_layer(), 0, 1)), deep_layer().flops_dense());
    const Workload half = with_dead_channels(deep_layer(), 0.5);
    EXPECT_EQ(union1_flops(half), deep_layer().flops_dense() / 2);
    EXPECT_EQ(union1_flops(with_dead_channels(deep_layer(), 1)), 0);
    // One pixel of a channel: the tile of 4 x 14 windows that sees it, or two.
    Workload one = with_dead_channels(deep_layer(), 1);
    one.x.at(0, 3, 0, 0) = 1;
    EXPECT_EQ(union1_flops(one), 2.0 * 4 * 14 * 9 * 512);
    one.x.at(0, 3, 4, 0) = 1;
    EXPECT_EQ(union1_flops(one), 2.0 * 8 * 14 * 9 * 512);
}

TEST(Union1, says_what_it_rejects) {
    const auto here = make_union1(nullptr, nullptr, "");
    EXPECT_TRUE(here->supports(deep_layer()));
    ConvShape wide = deep_layer();
    wide.r = 5;
    EXPECT_NE(here->supports(wide).reason.find("1x1 and 3x3"), std::string::npos);
    ConvShape few{.c = 8, .h = 9, .w = 9, .k = 4, .r = 1, .s = 1};
    EXPECT_NE(here->supports(few).reason.find("16 products"), std::string::npos);
    EXPECT_NE(make_union1(nullptr, nullptr, "a GPU of compute capability 9.0")
                  ->supports(deep_layer())
                  .reason.find("needs a GPU"),
              std::string::npos);
    const ResolvedLaunch launch = here->resolve(deep_layer(), {}, testing::h100());
    ASSERT_TRUE(launch.support) << launch.support.reason;
    ASSERT_EQ(launch.kernels.size(), 3U);
    EXPECT_EQ(launch.kernels[1].grid, (Dim3{4, 8, 16}));
    EXPECT_EQ(launch.kernels[1].shared_bytes, 9U * 8192 + 6 * 16 * 128);
}

}  // namespace
}  // namespace convscope
