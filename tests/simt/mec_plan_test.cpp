// What the planner of mec3 and mec4 makes of layers and GPUs.
#include "kernels/mec/mec_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/simt/launch_plan.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

const DeviceModel& model_of(const std::string& part_of_name) {
    for (const DeviceModel& model : device_models())
        if (model.name.find(part_of_name) != std::string::npos) return model;
    throw std::logic_error("no model " + part_of_name);
}

const ConvShape cv8{.n = 32, .c = 64, .h = 112, .w = 112, .k = 128, .r = 3, .s = 3};
const ConvShape cv12{.n = 32, .c = 512, .h = 7, .w = 7, .k = 512, .r = 3, .s = 3};

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

TEST(MecPlan, CoversLayersOfAnySize) {
    std::vector<ConvShape> shapes = testing::random_shapes(400, 5);
    shapes.push_back({.h = 70, .w = 70, .r = 64, .s = 64});  // filter rows in several groups
    shapes.push_back({.c = 3, .h = 300, .w = 20, .k = 200, .r = 128, .s = 3, .stride_h = 5});
    for (const ConvShape& shape : shapes)
        for (const char* gpu : {"H100", "T4"})
            expect_covers(shape, plan_mec(shape, model_of(gpu), true), model_of(gpu));
}

TEST(MecPlan, BlocksOfSeveralOutputRowsBringSharedRowsOnce) {
    const MecPlan plan = plan_mec(cv8, model_of("H100"), true);
    EXPECT_GT(plan.tiling.rows, 1);
    EXPECT_EQ(plan.tiling.strip_rows, plan.tiling.rows + 2);  // not 3 rows for each output row
    EXPECT_EQ(plan.split, 1) << "there are tiles enough to fill the GPU";
}

TEST(MecPlan, SmallMapsShareTheirSumsWhereThereAreClusters) {
    EXPECT_GT(plan_mec(cv12, model_of("H100"), true).split, 1);
    EXPECT_EQ(plan_mec(cv12, model_of("H100"), false).split, 1);
}

TEST(MecPlan, TakesWhatIsAskedFor) {
    const MecPlan plan = plan_mec(cv12, model_of("H100"), true, {128, 64, 4, 2});
    EXPECT_EQ(plan.outputs, 128);
    EXPECT_EQ(plan.filters, 64);
    EXPECT_EQ(plan.tiling.rows, 4);
    EXPECT_EQ(plan.split, 2);
    EXPECT_EQ(plan_mec(cv12, model_of("H100"), true, {64, 128}).threads, 0) << "there is no such tile";
}

}  // namespace
}  // namespace convscope
