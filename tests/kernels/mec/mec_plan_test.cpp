// Plans of mec3 and mec4 for layers and GPUs.
#include "kernels/mec/mec_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/simt/launch_plan.h"
#include "tests/kernels/mec/mec_layers.h"
#include "tests/support/device_models.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

using testing::cv12;
using testing::cv8;
using testing::h100;
using testing::model_of;

/// The tile's outputs and filters cover the layer, and the stages all of the sum.
void expect_covers(const ConvShape& shape, const MecPlan& plan, const DeviceModel& model) {
    const MecTiling& tiling = plan.tiling;
    SCOPED_TRACE(to_string(shape));
    EXPECT_LE(std::int64_t{tiling.strips} * tiling.rows, plan.outputs);
    EXPECT_GE(plan.blocks * tiling.strips * tiling.rows * plan.filters, shape.conv_elements());
    EXPECT_EQ(plan.blocks, ceil_div(shape.n * shape.q(), tiling.strips) * tiling.row_groups * tiling.filter_groups);
    EXPECT_EQ(tiling.stages, ceil_div(shape.s * shape.c, tiling.depth) * ceil_div(shape.r, tiling.filter_rows));
    EXPECT_EQ(1 << tiling.depth_bits, tiling.depth);
    EXPECT_EQ(tiling.pitch / 4 % 2, 1) << "neighbouring strips would meet in one bank";
    EXPECT_GE(tiling.pitch, tiling.strip_rows * tiling.depth);
    EXPECT_LE(plan.split, tiling.stages);
    EXPECT_LE(plan.shared_bytes, model.shared_per_block_optin);
}

TEST(MecPlan, covers_layers_of_any_size) {
    std::vector<ConvShape> shapes = testing::random_shapes(400, 5);
    shapes.push_back({.h = 70, .w = 70, .r = 64, .s = 64});  // filter rows in several groups
    shapes.push_back({.c = 3, .h = 300, .w = 20, .k = 200, .r = 128, .s = 3, .stride_h = 5});
    for (const ConvShape& shape : shapes)
        for (const char* gpu : {"H100", "T4"})
            expect_covers(shape, plan_mec(shape, model_of(gpu), true), model_of(gpu));
}

TEST(MecPlan, blocks_of_several_output_rows_bring_shared_rows_once) {
    const MecPlan plan = plan_mec(cv8, h100(), true);
    EXPECT_GT(plan.tiling.rows, 1);
    EXPECT_EQ(plan.tiling.strip_rows, plan.tiling.rows + 2);  // not 3 rows for each output row
    EXPECT_EQ(plan.split, 1) << "there are tiles enough to fill the GPU";
}

TEST(MecPlan, small_maps_share_their_sums_where_there_are_clusters) {
    EXPECT_GT(plan_mec(cv12, h100(), true).split, 1);
    EXPECT_EQ(plan_mec(cv12, h100(), false).split, 1);
}

TEST(MecPlan, takes_what_is_asked_for) {
    const MecPlan plan = plan_mec(cv12, h100(), true, {128, 64, 4, 2});
    EXPECT_EQ(plan.outputs, 128);
    EXPECT_EQ(plan.filters, 64);
    EXPECT_EQ(plan.tiling.rows, 4);
    EXPECT_EQ(plan.split, 2);
    EXPECT_EQ(plan_mec(cv12, h100(), true, {64, 128}).threads, 0) << "there is no such tile";
}

}  // namespace
}  // namespace convscope
