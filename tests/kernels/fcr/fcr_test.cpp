// fcr1 and fcr2 on the simulated GPU: their plans, what they reject, and that rows of weights are skipped.
#include "kernels/fcr/fcr_methods.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/fully_connected.h"
#include "tests/support/random_launch.h"
#include "tests/support/registries.h"
#include "tests/support/verified_run.h"

namespace convscope {
namespace {

using testing::simulated_registry;

constexpr ConvShape vgg_fc6{.c = 25088, .k = 4096};

class Fcr : public ::testing::TestWithParam<const char*> {
protected:
    const Method& method() const { return simulated_registry().get(GetParam(), DeviceKind::sim); }
    Device& device() const { return simulated_registry().device("sim"); }
    ResolvedLaunch resolve(const ConvShape& shape, const LaunchConfig& config = {}) const {
        return dynamic_cast<const GpuMethod&>(method()).resolve_any_size(shape, config, default_device_model());
    }
};

TEST_P(Fcr, agrees_with_the_reference_on_random_layers_and_launches) {
    testing::Random random(34);
    const std::vector<ConvShape> shapes = testing::fully_connected_shapes(testing::tried(500), 5);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        LaunchConfig config;
        if (i % 2 == 1) config = testing::random_config(random, method(), shapes[i]);
        if (!method().resolve(shapes[i], config, device().info().model).support) config = {};
        const Workload workload = testing::random_workload(shapes[i], testing::sparsity_of(i), i);
        const Verification result = testing::verified_run(method(), workload, device(), config);
        ASSERT_TRUE(result.ok) << to_string(shapes[i]) << ": " << result.reason;
    }
}

TEST_P(Fcr, takes_several_rounds_where_a_slice_has_more_inputs_than_a_round) {
    const ConvShape shape{.n = 2, .c = 2500, .k = 20};
    LaunchConfig config;
    config.tunables = {{"threads", 128}, {"split_k", 1}};
    ASSERT_EQ(fcr_tiling(shape, fcr_choice(shape, config, DeviceKind::sim, 4)).rounds, 3);
    for (const double sparsity : {0.0, 0.8, 1.0}) {
        const Workload workload = testing::random_workload(shape, sparsity, 3);
        const Verification result = testing::verified_run(method(), workload, device(), config);
        EXPECT_TRUE(result.ok) << sparsity << ": " << result.reason;
    }
}

TEST_P(Fcr, never_uses_the_weights_of_an_input_that_is_zero_in_every_image) {
    for (const std::int64_t images : {1, 3}) {
        const ConvShape shape{.n = images, .c = 700, .k = 150};
        const Workload workload = testing::with_nan_in_skipped_rows(shape, 0.9, 11);
        const ReferenceResult reference = reference_result(testing::without_nan(workload));
        const Tensor y = testing::run_method(method(), workload, device());
        const Verification result = verify(y, reference.y, reference.scale, shape, method().info().dtype);
        EXPECT_TRUE(result.ok) << images << " images: " << result.reason;
    }
}

TEST_P(Fcr, gives_the_same_bits_each_time) {
    const ConvShape shape{.n = 2, .c = 900, .k = 100};
    const Workload workload = testing::random_workload(shape, 0.6, 2);
    EXPECT_EQ(testing::run_method(method(), workload, device()).data,
              testing::run_method(method(), workload, device()).data);
}

TEST_P(Fcr, fills_a_gpu_of_132_sms_with_two_blocks_each_on_vgg19_fc6) {
    const ResolvedLaunch resolved = resolve(vgg_fc6);
    ASSERT_TRUE(resolved.support) << resolved.support.reason;
    ASSERT_EQ(resolved.kernels.size(), 2u);
    EXPECT_EQ(resolved.kernels[0].grid, (Dim3{4096 / 128, 8, 1}));
    EXPECT_EQ(resolved.kernels[0].block, (Dim3{512, 1, 1}));
    // 3136 inputs of a slice and their values, 16 warps' sums of 128 outputs, and 16 counts.
    EXPECT_EQ(resolved.kernels[0].shared_bytes, 4u * (2 * 3136 + 16 * 128 + 16));
    EXPECT_EQ(resolved.kernels[1].grid, (Dim3{4096 / 128, 1, 1}));
    EXPECT_EQ(fcr_tiling(vgg_fc6, fcr_choice(vgg_fc6, {}, DeviceKind::sim, 4)).rounds, 1);
    EXPECT_EQ(resolve({.c = 4096, .k = 1000}).kernels[0].grid, (Dim3{8, 8, 1})) << "up to 8 slices";
}

TEST(FcrClusters, take_the_place_of_the_second_kernel_where_the_device_has_them) {
    DeviceModel hopper = default_device_model(), ampere = hopper;
    hopper.cc_major = 9;
    ampere.cc_major = 8;
    const auto planned = [](const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) {
        return make_fcr1(DeviceKind::cuda, nullptr, nullptr)->resolve(shape, config, model);
    };
    LaunchConfig clusters;
    clusters.tunables = {{"cluster", 1}};
    EXPECT_EQ(planned(vgg_fc6, {}, hopper).kernels.size(), 2u);
    const ResolvedLaunch resolved = planned(vgg_fc6, clusters, hopper);
    ASSERT_EQ(resolved.kernels.size(), 1u);
    EXPECT_EQ(resolved.kernels[0].grid, (Dim3{4096 / 128, 1, 8}));
    // As without, and the sums of a block.
    EXPECT_EQ(resolved.kernels[0].shared_bytes, 4u * (2 * 3136 + 17 * 128 + 16));
    EXPECT_EQ(planned(vgg_fc6, clusters, ampere).support.reason,
              "cluster is 1; clusters need a GPU of compute capability 9.0 or later, which " + ampere.name + " is not");
    clusters.tunables = {{"split_k", 16}, {"cluster", 1}};
    EXPECT_EQ(planned(vgg_fc6, clusters, hopper).support.reason,
              "split_k is 16; a cluster has up to 8 blocks: cluster=0 takes more");
}

TEST_P(Fcr, launches_one_kernel_where_one_block_has_all_inputs) {
    LaunchConfig config;
    config.tunables = {{"split_k", 1}};
    EXPECT_EQ(resolve({.c = 300, .k = 40}, config).kernels.size(), 1u);
    EXPECT_EQ(method().workspace_bytes({.c = 20, .k = 40}), 0) << "a single run of 32 inputs is not divided";
}

TEST_P(Fcr, rejects_other_layers_large_batches_and_more_rows_than_registers_hold) {
    const ConvShape pointwise{.c = 64, .h = 7, .w = 7, .k = 64}, batch{.n = 5, .c = 64, .k = 64};
    EXPECT_EQ(method().supports(pointwise).reason,
              std::string(GetParam()) +
                  " computes fully connected layers: maps and filters of 1x1, stride 1, no padding, no pooling; this "
                  "shape is 1x64x7x7 * 64x64x1x1, stride 1, pad 0");
    EXPECT_EQ(method().supports(batch).reason, std::string(GetParam()) + " computes up to 4 images at once, not 5");
    EXPECT_EQ(method().supports({.c = (1 << 30) + 1}).reason,
              std::string(GetParam()) + " takes up to 1073741824 inputs, not 1073741825");
    LaunchConfig config;
    config.tunables = {{"rows", 16}, {"outputs", 8}};
    EXPECT_EQ(resolve({.c = 64, .k = 64}, config).support.reason,
              "rows is 16 and outputs is 8; a thread has registers for 64 weights in flight");
}

TEST_P(Fcr, executes_the_products_of_an_input_in_every_image_if_it_is_not_zero_in_one) {
    Workload workload = testing::random_workload({.n = 2, .c = 4, .k = 10}, 0, 1);
    workload.x.at(0, 1, 0, 0) = 0;
    workload.x.at(0, 2, 0, 0) = workload.x.at(1, 2, 0, 0) = 0;
    EXPECT_EQ(method().executed(workload, "").flops, 2.0 * 3 * 2 * 10);
}

INSTANTIATE_TEST_SUITE_P(Both, Fcr, ::testing::Values("fcr1", "fcr2"), [](const auto& test) { return test.param; });

TEST(FcrWeights, of_fp16_take_half_the_memory) {
    const auto bytes = [](const char* id) {
        const auto& method = dynamic_cast<const GpuMethod&>(simulated_registry().get(id, DeviceKind::sim));
        return method.prepared_weight_bytes(vgg_fc6);
    };
    EXPECT_EQ(bytes("fcr1"), 4 * vgg_fc6.w_elements());
    EXPECT_EQ(bytes("fcr2"), 2 * vgg_fc6.w_elements());
}

}  // namespace
}  // namespace convscope
