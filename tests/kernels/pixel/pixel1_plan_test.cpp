// Plans of pixel1 and pixel2 for layers and GPUs; their kernels run on a GPU (tests/kernels/gpu/pixel1_test.cpp) and on
// the executor of PTX (tests/kernels/on_ptx/pixel1_test.cpp).
#include "kernels/pixel/pixel1_plan.h"

#include <gtest/gtest.h>

#include "kernels/method/flops.h"
#include "kernels/pixel/pixel1_method.h"
#include "tests/support/device_models.h"
#include "tests/support/pixel_cases.h"

namespace convscope {
namespace {

ConvShape layer_of(std::int64_t side, std::int64_t channels, std::int64_t images = 1) {
    return {.n = images, .c = channels, .h = side, .w = side, .k = channels, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
}

TEST(Pixel1Plan, covers_every_window_and_every_pixel_under_it) {
    testing::Random random(5);
    for (int i = 0; i < 2000; ++i) {
        ConvShape shape;
        shape.c = random.between(16, 300);
        shape.k = random.between(1, 600);
        shape.r = random.between(1, 7);
        shape.s = random.between(1, 7);
        shape.stride_h = random.between(1, 20);
        shape.stride_w = random.between(1, 20);
        shape.dilation_h = random.between(1, 3);
        shape.dilation_w = random.between(1, 3);
        shape.h = random.between(shape.span_h(), 130);
        shape.w = random.between(shape.span_w(), 130);
        SCOPED_TRACE(to_string(shape));
        const Pixel1Plan plan = plan_pixel1(shape, {}, Pixel1Products::three, testing::h100());
        const Pixel1Tiling& tiling = plan.tiling;
        ASSERT_GE(tiling.tiles_h * tiling.tile_h, shape.p());
        ASSERT_GE(tiling.tiles_w * tiling.tile_w, shape.q());
        ASSERT_LT((tiling.tiles_h - 1) * tiling.tile_h, shape.p());
        ASSERT_LT((tiling.tiles_w - 1) * tiling.tile_w, shape.q());
        ASSERT_EQ(tiling.box_h, (tiling.tile_h - 1) * shape.stride_h + shape.span_h());
        ASSERT_EQ(tiling.box_w, (tiling.tile_w - 1) * shape.stride_w + shape.span_w());
        ASSERT_LE(plan.shared_bytes, testing::h100().shared_per_block_optin);
        ASSERT_LE(plan.grid.z, pixel1_max_cluster);
        ASSERT_GE(plan.grid.y * plan.grid.z * pixel1_filters, tiling.padded_k);
        ASSERT_LT((plan.grid.y - 1) * plan.grid.z * pixel1_filters, tiling.padded_k);
    }
}

TEST(Pixel1Plan, takes_the_largest_tiles_that_fill_the_gpu) {
    const auto grid = [](const ConvShape& shape) {
        return plan_pixel1(shape, {}, Pixel1Products::three, testing::h100()).grid;
    };
    const auto tile = [](const ConvShape& shape) {
        const Pixel1Tiling tiling = plan_pixel1(shape, {}, Pixel1Products::three, testing::h100()).tiling;
        return std::pair(tiling.tile_h, tiling.tile_w);
    };
    EXPECT_EQ(tile(layer_of(56, 256, 32)), (std::pair{14, 28})) << "two blocks with 28 x 28 windows do not fit an SM";
    EXPECT_EQ(grid(layer_of(56, 256, 32)), (Dim3{8 * 32, 1, 8}));
    EXPECT_EQ(tile(layer_of(56, 256)), (std::pair{14, 14}));
    EXPECT_EQ(grid(layer_of(56, 256)), (Dim3{16, 1, 8}));
    EXPECT_EQ(tile(layer_of(224, 64)), (std::pair{16, 32}));
    EXPECT_EQ(grid(layer_of(28, 512)).y, 2) << "16 groups of filters, a cluster has up to 8";
    EXPECT_EQ(tile(layer_of(7, 32)), (std::pair{7, 7}));
}

TEST(Pixel1Plan, gives_shared_memory_what_a_tile_needs) {
    // 4 stages of 64 channels, the sums of 28 x 28 windows, 30 x 30 pixels twice, 3 + 3 rows of 30, 8 counts, 4
    // barriers.
    const Pixel1Plan plan = plan_pixel1(layer_of(56, 64), {1024, 64}, Pixel1Products::three, testing::h100());
    const int rest = 4 * (28 * 28 * 32 + 2 * 900 + 6 * 30 + 8 + 2 * 4);
    EXPECT_EQ(plan.shared_bytes, 4 * 8192 + rest);
    // One FP16 for each weight in place of two.
    const Pixel1Plan one = plan_pixel1(layer_of(56, 64), {1024, 64}, Pixel1Products::one, testing::h100());
    EXPECT_EQ(one.shared_bytes, 4 * 4096 + rest);
}

TEST(Pixel1, counts_the_pixels_that_are_not_empty_once_for_each_window) {
    const auto method = make_pixel1(nullptr, nullptr, "");
    const auto flops = [&](const Workload& workload) { return method->executed(workload, "").flops; };
    const ConvShape shape = layer_of(20, 32);
    EXPECT_EQ(flops(testing::with_empty_pixels(shape, 1)), 0);
    EXPECT_EQ(flops(testing::with_one_value(shape, 9, 5, 5)), 2.0 * 9 * 32 * 32);
    EXPECT_EQ(flops(testing::with_one_value(shape, 9, 0, 19)), 2.0 * 4 * 32 * 32);
    const Workload none = testing::with_empty_pixels(shape, 0);
    EXPECT_EQ(flops(none), flops_effective(none));
}

TEST(Pixel1, says_what_it_rejects) {
    const auto here = make_pixel1(nullptr, nullptr, "");
    EXPECT_TRUE(here->supports(layer_of(56, 64)));
    const ConvShape short_sums{.c = 8, .h = 9, .w = 9, .k = 4};
    EXPECT_NE(here->supports(short_sums).reason.find("16 products"), std::string::npos);
    EXPECT_TRUE(make_pixel2(nullptr, nullptr, "")->supports(short_sums));
    ConvShape grouped = layer_of(56, 64);
    grouped.groups = 2;
    EXPECT_NE(here->supports(grouped).reason.find("group"), std::string::npos);
    EXPECT_NE(make_pixel1(nullptr, nullptr, "a GPU of compute capability 9.0")
                  ->supports(layer_of(56, 64))
                  .reason.find("needs a GPU"),
              std::string::npos);
    EXPECT_NE(here->resolve(layer_of(56, 64), {}, testing::model_of("A100")).support.reason.find("9.0"),
              std::string::npos);
    // One window's pixels are more than a block's shared memory holds.
    const ConvShape wide{.c = 1, .h = 224, .w = 224, .k = 1, .r = 224, .s = 224};
    EXPECT_NE(here->resolve(wide, {}, testing::h100()).support.reason.find("shared memory"), std::string::npos);
}

}  // namespace
}  // namespace convscope
