// Plans of mec5, mec6 and mec7 for layers and GPUs; their kernel runs on a GPU only (tests/kernels/gpu/mec_test.cpp).
#include "kernels/mec/mec5_plan.h"

#include <gtest/gtest.h>

#include "kernels/mec/mec5_method.h"
#include "kernels/simt/launch_plan.h"
#include "tests/kernels/mec/mec_layers.h"
#include "tests/support/device_models.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

using testing::cv1;
using testing::cv12;
using testing::cv7;
using testing::cv8;
using testing::h100;
using testing::model_of;

constexpr Mec5Kind lowered{true, true}, implicit{false, true}, tf32{false, false};

TEST(Mec5Plan, covers_layers_of_any_size) {
    for (const ConvShape& shape : testing::random_shapes(400, 7)) {
        for (const Mec5Kind kind : {lowered, implicit, tf32}) {
            SCOPED_TRACE(to_string(shape));
            const Mec5Plan plan = plan_mec5(shape, h100(), kind);
            EXPECT_EQ(plan.tiling.tiles,
                      ceil_div(shape.n * shape.p() * shape.q(), plan.outputs) * ceil_div(shape.k, plan.filters));
            EXPECT_GE(plan.tiling.k_tiles * mec5_tile_k, shape.reduction());
            EXPECT_LE(plan.split, plan.tiling.k_tiles);
            EXPECT_EQ(plan.blocks, plan.split > 1 ? plan.tiling.tiles : std::min(plan.tiling.tiles, h100().sms));
            EXPECT_LE(plan.shared_bytes, h100().shared_per_block_optin);
            EXPECT_EQ(mec5_weight_elements(shape, kind) % mec5_tile_k, 0);
        }
    }
}

TEST(Mec5Plan, few_tiles_are_shared_by_clusters) {
    EXPECT_EQ(plan_mec5(cv8, h100(), implicit).split, 1) << "there are tiles enough to fill the GPU";
    EXPECT_GT(plan_mec5(cv12, h100(), implicit).split, 1);
    EXPECT_GT(plan_mec5(cv12, h100(), tf32).split, 1);
}

TEST(Mec5Plan, rows_are_loaded_wide_where_they_all_begin_at_four_floats) {
    EXPECT_TRUE(plan_mec5(cv8, h100(), implicit).wide);
    EXPECT_FALSE(plan_mec5(cv1, h100(), lowered).wide);
    EXPECT_FALSE(plan_mec5(cv7, h100(), implicit).wide);
    ConvShape four = cv7;
    four.c = 1;
    four.s = 4;  // a strip's row in L is four floats; in x, strips begin one float apart
    EXPECT_TRUE(plan_mec5(four, h100(), lowered).wide);
    EXPECT_FALSE(plan_mec5(four, h100(), implicit).wide);
}

TEST(Mec5Plan, takes_what_is_asked_for) {
    const Mec5Plan plan = plan_mec5(cv12, h100(), tf32, {256, 64, 2, 0});
    EXPECT_EQ(plan.outputs, 256);
    EXPECT_EQ(plan.filters, 64);
    EXPECT_EQ(plan.split, 2);
    EXPECT_EQ(plan_mec5(cv12, h100(), lowered, {0, 0, 0, 16}).tiling.promotion_interval, 16);
    EXPECT_EQ(plan_mec5(cv12, h100(), lowered, {256, 128}).outputs, 0) << "there is no such tile";
}

TEST(Mec5Plan, weights_are_split_only_for_fp32) {
    EXPECT_EQ(mec5_weight_elements(cv8, implicit), 2 * cv8.w_elements());
    EXPECT_EQ(mec5_weight_elements(cv8, tf32), cv8.w_elements());
}

TEST(Mec5Plan, rejects_other_gpus_with_the_reason) {
    for (const auto& method : make_mec5_methods(nullptr, nullptr, nullptr, nullptr, {})) {
        EXPECT_EQ(method->resolve(cv8, {}, model_of("A100")).support.reason,
                  method->info().id + " needs compute capability 9.0; A100 has 8.0");
    }
    const auto elsewhere = make_mec5_methods(nullptr, nullptr, nullptr, nullptr, "a GPU of compute capability 9.0");
    EXPECT_EQ(elsewhere.front()->supports(cv8).reason, "mec5 needs a GPU of compute capability 9.0");
    const auto here = make_mec5_methods(nullptr, nullptr, nullptr, nullptr, {});
    EXPECT_EQ(here.front()->resolve(cv8, {{}, {}, {{"outputs", 256}, {"filters", 128}}}, h100()).support.reason,
              "there is no tile of 256 outputs x 128 filters; there are 128x128, 128x64, 256x64");
}

}  // namespace
}  // namespace convscope
