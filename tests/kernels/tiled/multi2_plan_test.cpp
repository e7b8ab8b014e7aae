// tiled-multi2: what its planner decides, and that every tile, division of the channels and way to copy is right.
#include <gtest/gtest.h>

#include "kernels/simt/gpu_method.h"
#include "kernels/tiled/multi2_plan.h"
#include "tests/kernels/tiled/models.h"
#include "tests/kernels/tiled/simulated_tiled.h"
#include "tests/support/device_models.h"

namespace convscope {
namespace {

using testing::h100;
using testing::layer;

const Method& multi2() {
    return testing::tiled_method("tiled-multi2");
}

/// Says whether the configuration could be run.
bool right_where_valid(const ConvShape& shape, const LaunchConfig& config) {
    if (!multi2().resolve(shape, config, h100()).support) return false;
    testing::expect_right("tiled-multi2", shape, config);
    return true;
}

TEST(Multi2, uses_every_sm_of_an_h100_on_every_layer_of_the_paper) {
    for (const auto& [size, channels] : {std::pair{7, 512}, {14, 512}, {28, 512}, {56, 256}, {112, 128}, {224, 64}})
        for (const std::int64_t filter : {1, 3, 5}) {
            const Multi2Plan plan = plan_multi2(layer(channels, size, channels, filter), h100());
            ASSERT_TRUE(plan.support) << plan.support.reason;
            EXPECT_GE(plan.blocks_x * plan.blocks_y * plan.splits, 120) << size << ", " << filter;
            EXPECT_LE(plan.splits, max_splits(layer(channels, size, channels, filter)));
        }
    EXPECT_EQ(plan_multi2(layer(64, 512, 64, 3), h100()).splits, 1);
}

TEST(Multi2, runs_its_own_plans_of_the_paper) {
    // With the registers of the compiled kernels, which the planner does not see.
    for (const auto& [size, channels] :
         {std::pair{7, 512}, {14, 512}, {28, 512}, {56, 256}, {112, 128}, {224, 64}, {512, 64}})
        for (const std::int64_t filter : {1, 3, 5}) {
            const auto& gpu = dynamic_cast<const GpuMethod&>(multi2());
            const ResolvedLaunch resolved = gpu.resolve_any_size(layer(channels, size, channels, filter), {}, h100());
            EXPECT_TRUE(resolved.support) << size << ", " << filter << ": " << resolved.support.reason;
        }
}

TEST(Multi2, lays_out_maps_of_point_filters_as_wide_as_a_tile) {
    const Multi2Plan plan = plan_multi2(layer(64, 28, 64, 1), h100(), {.columns = 32});
    EXPECT_EQ(plan.tiling.map.q, 32);
    EXPECT_EQ(plan.tiling.map.p, 25);  // 784 pixels
    EXPECT_EQ(plan.tiling.map.output_plane, 784);
    EXPECT_EQ(plan.load, 4);
    ConvShape padded = layer(64, 28, 64, 1);
    padded.pad_h = 1;
    EXPECT_EQ(plan_multi2(padded, h100()).tiling.map.q, 28);
}

TEST(Multi2, keeps_the_parts_of_y_in_the_cache) {
    EXPECT_EQ(max_splits(layer(512, 7, 512, 3)), 32);
    EXPECT_EQ(max_splits(layer(8, 7, 512, 3)), 2);  // four channels each
    EXPECT_EQ(max_splits(layer(64, 512, 64, 3)), 1);
}

TEST(Multi2, rejects_what_does_not_fit) {
    const ConvShape shape = layer(64, 28, 64, 3);
    EXPECT_EQ(plan_multi2(shape, h100(), {.columns = 52, .lines = 13, .filters = 128, .sums = 64}).support.reason,
              "13 x 13 threads for the outputs, 16 for the filters and 4 for the channels make 10816; with 64 sums of "
              "each a block has 512 at most");
    ConvShape large = layer(3, 40, 8, 3);
    large.r = large.s = 12;
    EXPECT_EQ(multi2().supports(large).reason, "tiled-multi2 takes filters of up to 121 elements, not 12 x 12");
    ConvShape strided = layer(3, 40, 8, 3);
    strided.stride_h = 2;
    EXPECT_EQ(multi2().supports(strided).reason, "tiled-multi2 is made for stride 1, as published, not 2,1");
}

TEST(Multi2, every_tile_is_right) {
    // 16-byte copies and not; cut tiles across and down; more filters than a block has, and some that are not there.
    for (const std::int64_t filter : {1, 2, 3, 5})
        for (const std::int64_t width : {16, 15, 14})
            for (const std::int64_t sums : {32, 64, 128}) {
                ConvShape shape = layer(9, 11, 70, filter);
                shape.w = width;
                shape.n = 2;
                EXPECT_TRUE(right_where_valid(
                    shape, {{}, {}, {{"sums", sums}, {"columns", 8}, {"lines", 2}, {"filters", 64}}}));
                shape.pad_h = 1;
                shape.pad_w = 2;
                EXPECT_TRUE(right_where_valid(shape, {{}, {}, {{"sums", sums}, {"split_k", 2}, {"slice", 4}}}));
            }
}

TEST(Multi2, every_division_of_the_channels_is_right) {
    ConvShape shape = layer(45, 7, 33, 3);
    int checked = 0;
    for (const std::int64_t splits : {1, 2, 4, 8})
        for (const std::int64_t groups : {1, 2, 4})
            for (const std::int64_t slice : {4, 8, 16})
                for (const std::int64_t stages : {2, 3})
                    checked += right_where_valid(
                        shape,
                        {{}, {}, {{"split_k", splits}, {"groups", groups}, {"slice", slice}, {"stages", stages}}});
    EXPECT_GT(checked, 40);
}

}  // namespace
}  // namespace convscope
