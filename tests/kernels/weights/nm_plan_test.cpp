// nm1 without its kernels: which weights it takes, plans, what it counts, what it rejects.
#include <gtest/gtest.h>

#include <string>

#include "kernels/simt/gpu_execution.h"
#include "kernels/weights/nm_method.h"
#include "tests/support/device_models.h"
#include "tests/support/weight_zeros.h"

namespace convscope {
namespace {

class NmPlan : public ::testing::Test {
protected:
    static constexpr ConvShape conv5{.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};

    static DeviceModel gpu(int major) {
        DeviceModel model = default_device_model();
        model.name = "GPU";
        model.cc_major = major;
        model.cc_minor = 0;
        return model;
    }
    static LaunchConfig with(const std::string& name, std::int64_t value) {
        LaunchConfig config;
        config.tunables = {{name, value}};
        return config;
    }
    const std::unique_ptr<Method> method = make_nm1(nullptr, nullptr);
};

TEST_F(NmPlan, takes_two_of_four_weights_alone_unless_it_is_dense) {
    const ConvShape shape{.c = 10, .h = 5, .w = 5, .k = 3, .r = 2, .s = 2};
    Workload workload = testing::random_workload(shape, 0, 1);
    EXPECT_EQ(takes_weights(*method, workload.w, {}).reason,
              "nm1 takes weights of which each four along c hold at most two that are not zero; those of filter 0, "
              "tap (0, 0), channels 0 to 3 hold 4 (sparse=0 takes any)");
    EXPECT_TRUE(takes_weights(*method, workload.w, with("sparse", 0)));
    testing::prune_to_two_of_four(workload.w);
    EXPECT_TRUE(takes_weights(*method, workload.w, {}));
    // The last two channels are a group of their own, which may keep both.
    EXPECT_NE(workload.w.at(2, 8, 1, 1), 0);
    EXPECT_NE(workload.w.at(2, 9, 1, 1), 0);
    for (std::int64_t c = 4; c < 7; ++c) workload.w.at(2, c, 1, 0) = 1;
    EXPECT_EQ(takes_weights(*method, workload.w, {}).reason,
              "nm1 takes weights of which each four along c hold at most two that are not zero; those of filter 2, "
              "tap (1, 0), channels 4 to 7 hold 3 (sparse=0 takes any)");
}

TEST_F(NmPlan, counts_half_of_the_dense_products) {
    Workload workload;
    workload.spec.shape = conv5;
    const double dense = conv5.flops_dense();
    EXPECT_EQ(method->executed(workload, {}).flops, dense / 2);
    const auto* gpu_method = dynamic_cast<const GpuMethod*>(method.get());
    EXPECT_EQ(method->executed(workload, gpu_method->choice(conv5, {})).flops, dense / 2);
    EXPECT_EQ(method->executed(workload, gpu_method->choice(conv5, with("sparse", 0))).flops, dense);
}

TEST_F(NmPlan, gives_the_dense_twin_the_same_blocks) {
    for (const ConvShape& shape : testing::random_shapes(60, 7)) {
        const ResolvedLaunch sparse = method->resolve(shape, {}, gpu(9));
        const ResolvedLaunch dense = method->resolve(shape, with("sparse", 0), gpu(9));
        ASSERT_TRUE(sparse.support) << sparse.support.reason;
        ASSERT_EQ(sparse.kernels.size(), dense.kernels.size());
        for (std::size_t i = 0; i < sparse.kernels.size(); ++i) {
            EXPECT_EQ(sparse.kernels[i].grid, dense.kernels[i].grid);
            EXPECT_EQ(sparse.kernels[i].block, dense.kernels[i].block);
        }
        EXPECT_LT(sparse.kernels[1].shared_bytes, dense.kernels[1].shared_bytes);
    }
}

TEST_F(NmPlan, fills_a_large_gpu) {
    const ResolvedLaunch small = method->resolve(conv5, {}, gpu(9));
    ASSERT_EQ(small.kernels.size(), 3U) << "blocks share the channels, and their sums are added";
    EXPECT_EQ(small.kernels[1].grid, (Dim3{4, 4, 8}));
    EXPECT_EQ(small.main, 1U);
    ConvShape batch = conv5;
    batch.n = 32;
    const ResolvedLaunch large = method->resolve(batch, {}, gpu(9));
    ASSERT_EQ(large.kernels.size(), 2U);
    EXPECT_EQ(large.kernels[1].grid, (Dim3{98, 4, 1})) << "64 pixels, 128 filters";
}

// The splits that were the fastest, or within 4 % of it, on an NVIDIA H200.
TEST_F(NmPlan, shares_k_tiles_by_what_adding_them_costs) {
    const auto split = [&](std::int64_t c, std::int64_t size, std::int64_t k, std::int64_t filter) {
        const ConvShape shape{
            .c = c, .h = size, .w = size, .k = k, .r = filter, .s = filter, .pad_h = filter / 2, .pad_w = filter / 2};
        return method->resolve(shape, {}, gpu(9)).kernels[1].grid.z;
    };
    EXPECT_EQ(split(512, 28, 512, 3), 4);
    EXPECT_EQ(split(256, 56, 256, 3), 4);
    EXPECT_EQ(split(64, 112, 128, 3), 1);
    EXPECT_EQ(split(1024, 14, 512, 1), 8);
}

TEST_F(NmPlan, has_room_for_every_weight) {
    const ConvShape shape{.c = 65, .h = 5, .w = 5, .k = 129, .r = 3, .s = 1};
    // 3 taps of 2 K tiles, 16 tiles of 16 filters: 16 x 32 halves and 16 x 16 pairs of 2 bits, or 16 x 64 halves.
    EXPECT_EQ(nm_weight_bytes(shape, true), 6 * 16 * (16 * 32 * 2 + 16 * 16 / 2));
    EXPECT_EQ(nm_weight_bytes(shape, false), 6 * 16 * 16 * 64 * 2);
    const NmWorkspace one(shape, 1), four(shape, 4);
    EXPECT_GE(one.partial, 25 * 128 * 2);
    EXPECT_EQ(four.bytes - four.partial, 4 * 4 * 129 * 3 * 5);
}

TEST_F(NmPlan, tells_from_the_layer_whether_its_weights_may_be_taken) {
    WorkloadSpec layer;
    layer.shape = conv5;
    const auto may = [&](const LaunchConfig& config = {}) {
        return static_cast<bool>(may_take_weights(*method, layer, config));
    };
    EXPECT_FALSE(may());
    EXPECT_TRUE(may(with("sparse", 0)));
    EXPECT_FALSE(takes_weights(*method, make_workload(layer).w, {}));
    layer.weight_pattern = WeightPattern::two_of_four;
    layer.weight_sparsity = two_of_four_sparsity;
    EXPECT_TRUE(may());
    EXPECT_TRUE(takes_weights(*method, make_workload(layer).w, {}));
    layer.weight_pattern = WeightPattern::uniform;
    layer.weight_sparsity = 0;
    layer.source = Source::file;
    layer.weights_path = "w.npy";
    EXPECT_TRUE(may()) << "nobody has read them";
    layer.source = Source::uniform;
    EXPECT_FALSE(may());
    layer.shape.c = 2;
    EXPECT_TRUE(may());
    EXPECT_TRUE(takes_weights(*method, make_workload(layer).w, {}));
}

TEST_F(NmPlan, rejects_what_it_cannot_run) {
    EXPECT_EQ(method->resolve(conv5, {}, gpu(7)).support.reason,
              "nm1 needs compute capability 8.0 or later; GPU has 7.0");
    EXPECT_TRUE(method->resolve(conv5, {}, gpu(8)).support);
    ConvShape grouped = conv5;
    grouped.groups = 2;
    EXPECT_EQ(method->supports(grouped).reason, "nm1 takes one group, not 2");
    const ConvShape one_k_tile{.c = 64, .h = 7, .w = 7, .k = 64};
    EXPECT_EQ(method->resolve(one_k_tile, with("split_k", 2), gpu(9)).support.reason,
              "split_k is 2; there is 1 K tile of 64 channels in all taps");
}

}  // namespace
}  // namespace convscope
