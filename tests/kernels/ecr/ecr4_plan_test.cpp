// The planner of ecr4 and pecr4: what it chooses, and that what it chooses can be launched.
#include "kernels/ecr/ecr4_plan.h"

#include <gtest/gtest.h>

#include "kernels/core/device_model.h"

namespace convscope {
namespace {

ConvShape layer(std::int64_t c, std::int64_t size, std::int64_t k, std::int64_t filter) {
    ConvShape shape;
    shape.c = c;
    shape.h = shape.w = size;
    shape.k = k;
    shape.r = shape.s = filter;
    shape.pad_h = shape.pad_w = filter / 2;
    return shape;
}

DeviceModel with_shared_memory(std::int64_t bytes) {
    DeviceModel model = default_device_model();
    model.shared_per_block_optin = bytes;
    return model;
}

TEST(Ecr4Plan, stages_the_weights_of_a_layer_of_middle_size_with_two_blocks_to_an_sm) {
    const ConvShape shape = layer(256, 14, 256, 3);
    const Ecr4Choice choice = ecr4_default(shape);
    EXPECT_TRUE(choice.staged);
    const ResolvedLaunch resolved = ecr4_launches(shape, choice, false);
    ASSERT_TRUE(resolved.support) << resolved.support.reason;
    // 4 tiles of 4 rows, 4 groups of 64 filters, 16 slices of 16 channels; a warp to each half of a row.
    EXPECT_EQ(resolved.kernels[0].kernel, "ecr4_staged");
    EXPECT_EQ(resolved.kernels[0].grid, (Dim3{4, 4, 16}));
    EXPECT_EQ(resolved.kernels[0].block, (Dim3{32 * 8, 1, 1}));
    // Weights, and for each of 4 x 14 columns a count and 3 x 16 pairs, two more against conflicts.
    EXPECT_EQ(resolved.kernels[0].shared_bytes, 4u * (16 * 9 * 64 + 56 * (2 * 50 + 1)));
    EXPECT_EQ(resolved.kernels[1].kernel, "ecr4_sum");
}

TEST(Ecr4Plan, gives_a_staged_block_all_rows_where_an_sm_has_room_for_one_only) {
    const Ecr4Choice choice = ecr4_default(layer(512, 14, 512, 3));
    EXPECT_TRUE(choice.staged);
    EXPECT_EQ(choice.tile_h, 14);
    EXPECT_EQ(choice.tile_w, 14);
    EXPECT_EQ(choice.split_k, 16);
}

TEST(Ecr4Plan, stages_neither_large_maps_nor_many_images_nor_other_filters) {
    ConvShape shape = layer(128, 14, 128, 3);
    EXPECT_TRUE(ecr4_default(shape).staged);
    shape.n = 2;
    EXPECT_FALSE(ecr4_default(shape).staged);
    EXPECT_FALSE(ecr4_default(layer(128, 28, 128, 3)).staged);
    EXPECT_FALSE(ecr4_default(layer(128, 14, 128, 5)).staged);
    EXPECT_FALSE(ecr4_default(layer(3, 14, 128, 3)).staged);
}

TEST(Ecr4Plan, says_why_a_layer_or_a_choice_cannot_be_staged) {
    Ecr4Choice choice{.staged = true};
    choice.filters_per_lane = 1;
    EXPECT_EQ(ecr4_launches(layer(6, 14, 64, 3), choice, false).support.reason,
              "staged is 1, which takes filters of 1x1 with 8, 16, 24 ... channels and of 3x3 with 4, 8, 12 ..., with "
              "stride 1; this one is 3x3 with 6 channels and stride 1,1");
    EXPECT_EQ(ecr4_launches(layer(512, 14, 64, 3), choice, false).support.reason,
              "split_k=1 gives a block 512 channels; the 32 lanes of a warp list up to 128");
    choice.tile_h = 32;
    EXPECT_EQ(ecr4_launches(layer(8, 14, 64, 3), choice, false).support.reason,
              "32 rows of 14 windows, 1 to a warp, make 448 warps; a block takes 28");
    choice.filters_per_lane = 4;
    EXPECT_EQ(ecr4_launches(layer(8, 14, 64, 3), choice, false).support.reason,
              "staged is 1, which takes up to 2 filters per lane for this layer, not 4");
}

// Each alone is taken; together the grid of one would be launched with the kernel of the other.
TEST(Ecr4Plan, takes_rows_or_staged_but_not_both) {
    const ConvShape shape = layer(16, 8, 34, 1);
    for (const bool pools : {false, true}) {
        Ecr4Choice choice{.rows = true, .filters_per_lane = 1, .split_k = 2};
        EXPECT_TRUE(ecr4_launches(shape, choice, pools).support);
        choice.staged = true;
        EXPECT_EQ(ecr4_launches(shape, choice, pools).support.reason,
                  "rows and staged are both 1; a launch takes one of them");
        choice.rows = false;
        EXPECT_TRUE(ecr4_launches(shape, choice, pools).support);
    }
}

TEST(Ecr4Plan, shares_the_weights_of_a_large_layer_in_large_tiles_where_shared_memory_is_short) {
    const ConvShape shape = layer(512, 14, 512, 3);
    const Ecr4Choice choice = ecr4_choice(shape, {}, with_shared_memory(64 * 1024));
    EXPECT_FALSE(choice.staged);
    LaunchConfig requested;
    requested.tunables["staged"] = 1;
    EXPECT_TRUE(ecr4_choice(shape, requested, with_shared_memory(64 * 1024)).staged)
        << "as requested, and rejected by the device";
    EXPECT_EQ(choice.tile_h, 7);
    EXPECT_EQ(choice.tile_w, 7);
    EXPECT_EQ(choice.filters_per_lane, 8);
    // 4 tiles x 2 groups of 256 filters x 16 slices of 32 channels: 128 blocks.
    EXPECT_EQ(choice.split_k, 16);
    const ResolvedLaunch resolved = ecr4_launches(shape, choice, false);
    ASSERT_TRUE(resolved.support) << resolved.support.reason;
    ASSERT_EQ(resolved.kernels.size(), 2u) << "the slices are added up by a second kernel";
    EXPECT_EQ(resolved.kernels[0].grid, (Dim3{4, 2, 16}));
    EXPECT_EQ(resolved.kernels[0].block, (Dim3{32 * 25, 1, 1}));
    EXPECT_EQ(resolved.kernels[1].kernel, "ecr4_sum");
    EXPECT_EQ(ecr4_partial_bytes(shape, 16), 16 * 196 * 512 * 4);
}

TEST(Ecr4Plan, gives_a_window_of_a_small_layer_several_warps_and_one_kernel) {
    const ConvShape shape = layer(20, 11, 50, 5);
    const Ecr4Choice choice = ecr4_default(shape);
    EXPECT_EQ(choice.channel_warps, 16);
    EXPECT_EQ(choice.split_k, 1);
    const ResolvedLaunch resolved = ecr4_launches(shape, choice, false);
    ASSERT_TRUE(resolved.support) << resolved.support.reason;
    EXPECT_EQ(resolved.kernels.size(), 1u);
    EXPECT_EQ(ecr4_launches(shape, choice, true).kernels.size(), 2u) << "pooling is the second kernel's";
}

TEST(Ecr4Plan, takes_a_large_map_by_rows) {
    const ConvShape shape = layer(64, 112, 128, 3);
    const Ecr4Choice choice = ecr4_default(shape);
    EXPECT_TRUE(choice.rows);
    const ResolvedLaunch resolved = ecr4_launches(shape, choice, false);
    ASSERT_TRUE(resolved.support) << resolved.support.reason;
    // 14 x 8 tiles of 8 rows of 14 windows, 2 slices of 32 channels.
    EXPECT_EQ(resolved.kernels[0].kernel, "ecr4_rows");
    EXPECT_EQ(resolved.kernels[0].grid, (Dim3{112, 1, 2}));
    // 8 channels: 10 rows of 16 inputs, 9 x 128 weights.
    EXPECT_EQ(resolved.kernels[0].shared_bytes, 4u * 8 * (10 * 16 + 9 * 128));
}

TEST(Ecr4Plan, rejects_rows_for_filters_that_its_kernel_does_not_take) {
    Ecr4Choice choice;
    choice.rows = true;
    const ResolvedLaunch resolved = ecr4_launches(layer(8, 14, 64, 5), choice, false);
    EXPECT_EQ(resolved.support.reason,
              "rows is 1, which takes filters of 1x1 and 3x3 with stride 1; this one is 5x5 with stride 1,1");
}

TEST(Ecr4Plan, rounds_rows_of_weights_up_to_what_a_warp_loads) {
    EXPECT_EQ(ecr4_leading(layer(1, 5, 1, 3)), 32);
    EXPECT_EQ(ecr4_leading(layer(1, 5, 50, 3)), 64);
    EXPECT_EQ(ecr4_leading(layer(1, 5, 65, 3)), 128);
    EXPECT_EQ(ecr4_leading(layer(1, 5, 320, 3)), 384);
}

TEST(Ecr4Plan, rejects_more_warps_than_a_block_takes) {
    Ecr4Choice choice;
    choice.tile_h = choice.tile_w = 7;
    const ResolvedLaunch resolved = ecr4_launches(layer(8, 14, 64, 3), choice, false);
    EXPECT_FALSE(resolved.support);
    EXPECT_EQ(resolved.support.reason, "7x7 windows, 1 to a warp, with 1 warps each make 49 warps; a block takes 25");
}

TEST(Ecr4Plan, fits_the_device_whatever_the_filter) {
    const std::vector<DeviceModel>& models = device_models();
    for (const std::int64_t filter : {1, 2, 3, 5, 7, 11, 31, 64}) {
        for (const std::int64_t size : {1, 7, 28, 112}) {
            for (const std::int64_t k : {1, 33, 512}) {
                const ConvShape shape = layer(64, std::max(size, filter), k, filter);
                const ResolvedLaunch resolved = ecr4_launches(shape, ecr4_choice(shape, {}, models.back()), true);
                ASSERT_TRUE(resolved.support) << to_string(shape) << ": " << resolved.support.reason;
                for (const KernelLaunch& kernel : resolved.kernels) {
                    const Support fit = fits(models.back(), kernel);
                    EXPECT_TRUE(fit) << to_string(shape) << ": " << fit.reason;
                }
            }
        }
    }
}

}  // namespace
}  // namespace convscope
