// wcsr1 on the simulated GPU: weights with zeros in any place, every configuration, what it counts, what it rejects.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "kernels/weights/wcsr_method.h"
#include "tests/support/random_launch.h"
#include "tests/support/registries.h"
#include "tests/support/verified_run.h"
#include "tests/support/weight_zeros.h"

namespace convscope {
namespace {

using testing::simulated_registry;

class Wcsr : public ::testing::Test {
protected:
    static constexpr ConvShape layer{.n = 2, .c = 20, .h = 9, .w = 11, .k = 21, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    static constexpr double shares[] = {0.0, 0.5, 0.9, 1.0};

    const Method& method() const { return simulated_registry().get("wcsr1", DeviceKind::sim); }
    Device& device() const { return simulated_registry().device("sim"); }
    void expect_right(const Workload& workload, const LaunchConfig& config = {}) const {
        const Verification result = testing::verified_run(method(), workload, device(), config);
        EXPECT_TRUE(result.ok) << to_string(workload.spec.shape) << ": " << result.reason;
    }
};

TEST_F(Wcsr, agrees_with_the_reference_on_random_shapes_at_every_share_of_zeros) {
    testing::Random random(8);
    std::size_t i = 0;
    for (const ConvShape& shape : testing::random_shapes(testing::tried(60), 38)) {
        const Workload workload = testing::with_weight_zeros(shape, 0.3, shares[i % 4], i);
        LaunchConfig config = i % 2 == 0 ? LaunchConfig{} : testing::random_config(random, method(), shape);
        if (!method().resolve(shape, config, device().info().model).support) config = {};
        expect_right(workload, config);
        ++i;
    }
}

TEST_F(Wcsr, takes_dilation_and_padding_by_side) {
    std::size_t i = 0;
    for (const ConvShape& shape : testing::dilated_and_grouped_shapes(30, 3))
        if (shape.groups == 1) {
            expect_right(testing::with_weight_zeros(shape, 0, shares[i % 4], i));
            ++i;
        }
    EXPECT_GE(i, 8U);
    for (const ConvShape& shape : testing::shapes_padded_by_side(20, 3)) {
        expect_right(testing::with_weight_zeros(shape, 0, shares[i % 4], i));
        ++i;
    }
}

TEST_F(Wcsr, agrees_with_the_reference_in_every_configuration) {
    testing::Random random(9);
    const Workload workload = testing::with_weight_zeros(layer, 0.2, 0.8, 5);
    int run = 0;
    for (int i = 0; i < 60; ++i) {
        const LaunchConfig config = testing::random_config(random, method(), layer);
        if (!method().resolve(layer, config, device().info().model).support) continue;
        expect_right(workload, config);
        ++run;
    }
    EXPECT_GE(run, 20);
}

TEST_F(Wcsr, is_right_where_filters_or_channels_have_no_weights) {
    Workload rows = testing::with_weight_zeros(layer, 0, 0.4, 6), channels = rows, alone = rows;
    std::ranges::fill(alone.w.data, 0.0F);
    alone.w.at(20, 19, 2, 2) = 3;
    for (std::int64_t k = 0; k < layer.k; ++k)
        for (std::int64_t c = 0; c < layer.c; ++c)
            for (std::int64_t tap = 0; tap < 9; ++tap) {
                if (k % 3 != 0) rows.w.at(k, c, tap / 3, tap % 3) = 0;
                if (c < 17) channels.w.at(k, c, tap / 3, tap % 3) = 0;
            }
    for (const Workload& workload : {rows, channels, alone}) expect_right(workload);
}

TEST_F(Wcsr, never_uses_the_inputs_of_a_channel_without_weights) {
    Workload workload = testing::with_weight_zeros(layer, 0, 0.5, 7);
    for (std::int64_t k = 0; k < layer.k; ++k)
        for (std::int64_t tap = 0; tap < 9; ++tap) workload.w.at(k, 3, tap / 3, tap % 3) = 0;
    const ReferenceResult reference = reference_result(workload);
    for (std::int64_t n = 0; n < layer.n; ++n) workload.x.at(n, 3, 4, 4) = std::numeric_limits<float>::quiet_NaN();
    const Tensor y = testing::run_method(method(), workload, device());
    EXPECT_TRUE(verify(y, reference.y, reference.scale, layer, DType::f32).ok);
}

TEST_F(Wcsr, counts_the_products_of_weights_that_are_not_zero) {
    const Workload workload = testing::with_weight_zeros(layer, 0.9, 0.75, 3);
    const double weights = 20 * 21 * 9 / 4;
    EXPECT_EQ(method().executed(workload, {}).flops, 2 * weights * 2 * 9 * 11);
    Workload none = workload;
    std::ranges::fill(none.w.data, 0.0F);
    EXPECT_EQ(method().executed(none, {}).flops, 0);
}

TEST_F(Wcsr, plans_blocks_for_a_large_gpu_and_adds_what_they_share) {
    const ConvShape conv5{.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const auto* gpu_method = dynamic_cast<const GpuMethod*>(&method());
    const ResolvedLaunch resolved = gpu_method->resolve_any_size(conv5, {}, default_device_model());
    ASSERT_TRUE(resolved.support) << resolved.support.reason;
    ASSERT_EQ(resolved.kernels.size(), 2U);
    EXPECT_EQ(resolved.kernels[0].grid, (Dim3{1, 16, 16})) << "222 positions, 16 groups of 32 filters, 16 chunks";
    EXPECT_EQ(resolved.kernels[1].kernel, "share_sum");
    LaunchConfig one;
    one.tunables = {{"split_k", 1}};
    EXPECT_EQ(gpu_method->resolve_any_size(conv5, one, default_device_model()).kernels.size(), 1U);
}

TEST_F(Wcsr, rejects_groups_and_more_shares_than_chunks) {
    ConvShape grouped = layer;
    grouped.groups = 2;
    grouped.k = 22;
    EXPECT_EQ(method().supports(grouped).reason, "wcsr1 takes one group, not 2");
    LaunchConfig config;
    config.tunables = {{"split_k", 4}, {"channels", 8}};
    EXPECT_EQ(method().resolve(layer, config, default_device_model()).support.reason,
              "split is 4; 20 channels in chunks of 8 can be shared by up to 3 blocks");
}

TEST_F(Wcsr, has_room_for_weights_without_zeros) {
    for (const ConvShape& shape : testing::random_shapes(40, 2)) {
        const WcsrTiling tiling = wcsr_tiling(shape, wcsr_choice(shape, {}));
        const WcsrArrays at(shape, tiling);
        EXPECT_GE(at.columns, shape.w_elements());
        EXPECT_GE(at.row_offsets, at.columns + shape.w_elements());
        EXPECT_EQ(at.columns % 4, 0) << "which are loaded four at a time";
        EXPECT_EQ(at.elements, at.row_offsets + shape.k * tiling.chunks + 1);
    }
}

}  // namespace
}  // namespace convscope
