// Plans of tensor1 and tensor2 for layers and GPUs; their kernels run on a GPU only
// (tests/kernels/gpu/tensor1_test.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/ecr/ecr_methods.h"
#include "kernels/method/registry.h"
#include "kernels/pecr/pecr_methods.h"
#include "kernels/tensor/tensor1_flops.h"
#include "kernels/tensor/tensor1_method.h"
#include "kernels/tensor/tensor1_plan.h"
#include "kernels/tensor/tensor3_method.h"
#include "tests/support/device_models.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

using testing::h100;

ConvShape conv5_1() {
    return {.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
}

std::int64_t by(const Divisor& divisor) {
    return divisor.by;
}

/// Every window, filter and channel belongs to an item, and a block's shared memory holds what it needs.
void expect_whole(const ConvShape& shape, const Tensor1Plan& plan, bool pools) {
    SCOPED_TRACE(to_string(shape));
    const Tensor1Tiling& tiling = plan.tiling;
    EXPECT_EQ(tiling.pool, pools);
    EXPECT_GE(by(tiling.by_tiles_down) * tensor1_side, pools ? 2 * shape.out_h() : shape.p());
    EXPECT_GE(by(tiling.by_tiles_across) * tensor1_side, pools ? 2 * shape.out_w() : shape.q());
    EXPECT_GE(by(tiling.by_filter_groups) * plan.filters, shape.k);
    EXPECT_GE(tiling.leading, by(tiling.by_filter_groups) * plan.filters);
    EXPECT_GE(tiling.k_tiles * tensor1_tile_k, tiling.gathers ? shape.reduction() : shape.c);
    EXPECT_GE(tiling.split_k * tiling.k_tiles_of_part, tiling.k_tiles);
    EXPECT_LT((tiling.split_k - 1) * tiling.k_tiles_of_part, tiling.k_tiles) << "a part has nothing to do";
    EXPECT_LE(tiling.split_k, tensor1_max_split_k);
    EXPECT_EQ(tiling.items, shape.n * by(tiling.by_tiles_down) * by(tiling.by_tiles_across) *
                                by(tiling.by_filter_groups) * tiling.split_k);
    EXPECT_EQ(by(tiling.by_split_k), tiling.split_k);
    EXPECT_GE(tensor1_prepared_elements(shape) - tensor1_scale_elements(shape),
              std::int64_t{1} * tiling.k_tiles * tensor1_tile_k * tiling.taps_h * tiling.taps_w * tiling.leading);
    EXPECT_GE(tensor1_scale_elements(shape), tiling.leading);
    EXPECT_GE(tiling.stages, 2);
    EXPECT_LE((plan.shared_bytes + 1024) * tensor1_blocks_per_sm, h100().shared_per_sm);
    EXPECT_GE(tiling.input_bytes, tiling.box_rows * tiling.box_columns * tensor1_row_bytes);
    EXPECT_EQ(tiling.input_bytes % tensor1_alignment, 0);
    if (tiling.split_k > 1) {
        EXPECT_GE(tiling.stages * plan.filters * tensor1_row_bytes,
                  tensor1_windows * tensor1_sums_pitch(plan.filters) * 4)
            << "the sums do not fit where the weights were";
    }
    EXPECT_GT(plan.nanoseconds, 0);
}

TEST(Tensor1Plan, covers_every_layer) {
    for (const ConvShape& shape : testing::random_shapes(600))
        for (const bool pools : {false, true})
            if (!pools || pools_in_squares(shape)) expect_whole(shape, plan_tensor1(shape, {}, pools, h100()), pools);
}

TEST(Tensor1Plan, takes_what_is_asked_for) {
    for (const int filters : {64, 128})
        for (const int split_k : {1, 4, 8}) {
            const Tensor1Plan plan = plan_tensor1(conv5_1(), {filters, split_k, 4}, false, h100());
            EXPECT_EQ(plan.filters, filters);
            EXPECT_EQ(plan.tiling.split_k, split_k);
            EXPECT_EQ(plan.tiling.promotion_interval, 4);
            expect_whole(conv5_1(), plan, false);
        }
    EXPECT_EQ(plan_tensor1(conv5_1(), {.split_k = 64}, false, h100()).tiling.split_k, tensor1_max_split_k);
    ConvShape narrow = conv5_1();
    narrow.c = 64;
    EXPECT_EQ(plan_tensor1(narrow, {.split_k = 8}, false, h100()).tiling.split_k, 2);  // as many as there are K tiles
}

TEST(Tensor1Plan, a_small_layer_is_shared_and_a_large_one_is_not) {
    const Tensor1Plan small = plan_tensor1(conv5_1(), {}, false, h100());
    EXPECT_GT(small.tiling.split_k, 1);
    EXPECT_EQ(small.grid(h100()).z, small.tiling.split_k);  // a cluster, whose blocks take one item each
    EXPECT_EQ(small.grid(h100()).x * small.grid(h100()).z, small.tiling.items);
    const ConvShape large{.c = 64,
                          .h = 224,
                          .w = 224,
                          .k = 64,
                          .r = 3,
                          .s = 3,
                          .pad_h = 1,
                          .pad_w = 1,
                          .pool_h = 2,
                          .pool_w = 2,
                          .pool_stride = 2};
    const Tensor1Plan pooled = plan_tensor1(large, {}, true, h100());
    EXPECT_EQ(pooled.tiling.split_k, 1);
    EXPECT_EQ(pooled.tiling.pool, 1);
    EXPECT_EQ(pooled.grid(h100()).x, h100().sms * tensor1_blocks_per_sm);
}

TEST(Tensor1Plan, gathers_what_the_copy_engine_does_not_take) {
    ConvShape shape = conv5_1();
    EXPECT_EQ(plan_tensor1(shape, {}, false, h100()).tiling.gathers, 0);
    shape.c = 3;
    const Tensor1Tiling image = plan_tensor1(shape, {}, false, h100()).tiling;
    EXPECT_EQ(image.gathers, 1);
    EXPECT_EQ(image.k_tiles, 1);  // of the window's 27 elements
    EXPECT_EQ(image.taps_h * image.taps_w, 1);
    EXPECT_EQ(tensor1_prepared_elements(shape), 512 + 32 * 512);
    EXPECT_EQ(plan_tensor1(shape, {.filters = 128}, false, h100()).filters,
              64);  // the kernel that gathers has one tile
    shape = conv5_1();
    shape.stride_h = 9;
    EXPECT_EQ(plan_tensor1(shape, {}, false, h100()).tiling.gathers, 1);
    shape = conv5_1();
    shape.s = 11;
    EXPECT_EQ(plan_tensor1(shape, {}, false, h100()).tiling.gathers, 1);
}

TEST(Tensor1Method, takes_every_layer_on_the_gpu_that_it_needs) {
    const auto here = make_tensor1(nullptr, nullptr, {});
    const auto pooled = make_tensor2(nullptr, {});
    for (const ConvShape& shape : testing::random_shapes(60)) {
        if (shape.reduction() < 16) continue;
        EXPECT_TRUE(here->supports(shape)) << to_string(shape);
        EXPECT_TRUE(here->resolve(shape, {}, h100()).support) << to_string(shape);
        EXPECT_EQ(bool(pooled->supports(shape)), shape.pooled());
    }
    EXPECT_EQ(here->supports({.c = 3, .h = 9, .w = 9, .k = 4, .r = 1, .s = 5}).reason,
              "tensor1 keeps to FP32's bound in sums of 16 products or more; this shape's have 15");
    EXPECT_EQ(pooled->supports(conv5_1()).reason,
              "tensor2 computes convolution and pooling together; this shape has no pooling");
}

TEST(Tensor1Method, pools_other_windows_than_squares_in_a_kernel_of_their_own) {
    const auto pooled = make_tensor2(nullptr, {});
    ConvShape shape = conv5_1();
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    EXPECT_EQ(pooled->resolve(shape, {}, h100()).kernels.size(), 1U);
    EXPECT_EQ(pooled->workspace_bytes(shape), make_tensor1(nullptr, nullptr, {})->workspace_bytes(conv5_1()));
    shape.pool_h = shape.pool_w = 3;
    const ResolvedLaunch launch = pooled->resolve(shape, {}, h100());
    ASSERT_EQ(launch.kernels.size(), 2U);
    EXPECT_EQ(launch.kernels[1].kernel, "relu_max_pool");
    EXPECT_EQ(pooled->workspace_bytes(shape), make_tensor1(nullptr, nullptr, {})->workspace_bytes(conv5_1()) +
                                                  shape.conv_elements() * std::int64_t{sizeof(float)});
}

TEST(Tensor1Method, says_what_it_needs) {
    const auto here = make_tensor1(nullptr, nullptr, {});
    const auto a100 = std::ranges::find(device_models(), "A100", &DeviceModel::name);
    ASSERT_NE(a100, device_models().end());
    EXPECT_EQ(here->resolve(conv5_1(), {}, *a100).support.reason, "tensor1 needs compute capability 9.0; A100 has 8.0");
    const auto elsewhere = make_tensor1(nullptr, nullptr, "a GPU of compute capability 9.0; here is 8.6");
    EXPECT_EQ(elsewhere->supports(conv5_1()).reason, "tensor1 needs a GPU of compute capability 9.0; here is 8.6");
    DeviceModel small = h100();
    small.shared_per_sm = 64 * 1024;
    EXPECT_EQ(
        here->resolve(conv5_1(), {}, small).support.reason,
        "a tile of 8x8 windows and 128 filters needs 2 boxes of 10x10 pixels and the weights of 2 taps; that is more "
        "than the shared memory that H100 leaves to a block");
}

TEST(Tensor1Flops, are_dense_unless_a_step_of_channels_is_zero_in_a_tile) {
    const ConvShape shape{.c = 32, .h = 20, .w = 20, .k = 8, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    Workload workload = testing::random_workload(shape, 0.9, 1);
    EXPECT_EQ(tensor1_flops(workload), shape.flops_dense()) << "single zeros skip nothing";
    for (std::int64_t c = 16; c < 32; ++c)
        for (std::int64_t h = 0; h < shape.h; ++h)
            for (std::int64_t w = 0; w < shape.w; ++w) workload.x.at(0, c, h, w) = 0;
    EXPECT_FALSE(tensor1_flops(workload)) << "what is skipped is not counted";
}

TEST(Tensor1Flops, of_tensor2_leave_out_what_no_pooling_window_needs) {
    ConvShape shape{.c = 16, .h = 13, .w = 13, .k = 8, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    const Workload workload = testing::random_workload(shape, 0, 1);
    EXPECT_EQ(tensor1_flops(workload), 2.0 * 8 * 13 * 13 * 144);
    EXPECT_EQ(tensor2_flops(workload), 2.0 * 8 * 12 * 12 * 144);
}

TEST(Tensor1Method, says_which_units_multiply) {
    const Workload workload = testing::random_workload(conv5_1(), 0, 1);
    const ExecutedWork work = make_tensor1(nullptr, nullptr, {})->executed(workload, "");
    EXPECT_EQ(work.arithmetic, Arithmetic::fp32_by_3xfp16);
    EXPECT_EQ(work.flops, conv5_1().flops_dense());
}

/// The first kernel that tensor3 launches for a layer.
std::string chosen_for(const ConvShape& shape, const std::string& missing_gpu = {}) {
    Registry registry;
    registry.add(make_ecr4(DeviceKind::cuda, nullptr, nullptr));
    registry.add(make_pecr4(DeviceKind::cuda, nullptr));
    registry.add(make_tensor1(nullptr, nullptr, missing_gpu));
    registry.add(make_tensor2(nullptr, missing_gpu));
    return make_tensor3(registry, DeviceKind::cuda)->resolve(shape, {}, h100()).kernels.at(0).kernel;
}

TEST(Tensor3, chooses_by_the_shape) {
    EXPECT_EQ(chosen_for(conv5_1()), "tensor1");
    ConvShape shape = conv5_1();
    shape.c = 128;
    shape.k = 32;
    EXPECT_EQ(chosen_for(shape), "ecr4_staged");
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    EXPECT_EQ(chosen_for(shape), "ecr4_staged");
    shape.n = 32;
    EXPECT_EQ(chosen_for(shape), "tensor1");
    EXPECT_EQ(chosen_for({.c = 3, .h = 224, .w = 224, .k = 64, .r = 3, .s = 3}), "tensor1");
}

TEST(Tensor3, takes_what_runs_where_the_other_does_not) {
    EXPECT_EQ(chosen_for({.c = 1, .h = 224, .w = 224, .k = 64, .r = 3, .s = 3}), "ecr4_rows");
    EXPECT_EQ(chosen_for(conv5_1(), "a GPU of compute capability 9.0; here is 8.6"), "ecr4_staged");
}

}  // namespace
}  // namespace convscope
