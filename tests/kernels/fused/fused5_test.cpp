// fused5: every tile on layers with compiled sizes, any other layer, and what the planner chooses.
#include <gtest/gtest.h>

#include <string>

#include "kernels/fused/fused5_plan.h"
#include "kernels/measure/verify.h"
#include "kernels/simt/gpu_method.h"
#include "tests/support/device_models.h"
#include "tests/support/fused_cases.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/verified_run.h"

namespace convscope {
namespace {

using testing::h100;
using testing::toy;

class Fused5Simulated : public ::testing::Test {
protected:
    Registry& registry = testing::simulated_registry();
    const Method& fused5() { return registry.get("fused5", DeviceKind::sim); }

    void expect_right(const ConvShape& shape, const LaunchConfig& config) {
        const Workload workload = testing::random_workload(shape, 0.3, 11);
        const Verification result = testing::verified_run(fused5(), workload, registry.device("sim"), config);
        ASSERT_TRUE(result.ok) << to_string(shape) << ": " << result.reason;
    }
};

TEST_F(Fused5Simulated, every_tile_agrees_with_the_reference_on_layers_like_the_reports) {
    std::int64_t tile = 0;
    for (const testing::FusedCase& each : testing::fused_cases(16)) {
        expect_right(each.shape, {{}, {}, {{"tile", tile++ % 4}}});
        if (HasFatalFailure()) return;
    }
}

TEST_F(Fused5Simulated, more_filters_than_a_block_has) {
    ConvShape shape{.c = 2, .h = 14, .w = 14, .k = 140, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    for (const std::int64_t tile : {1, 2, 3}) expect_right(shape, {{}, {}, {{"tile", tile}}});
}

TEST_F(Fused5Simulated, takes_any_filter_stride_and_pooling) {
    ConvShape large_window{
        .c = 2, .h = 23, .w = 31, .k = 9, .r = 3, .s = 2, .pool_h = 5, .pool_w = 3, .pool_stride = 2};
    ConvShape strided{.n = 2, .c = 3, .h = 40, .w = 37, .k = 5, .r = 7, .s = 7, .pad_h = 3, .pad_w = 3};
    strided.stride_h = 3;
    strided.stride_w = 2;
    strided.pool_h = strided.pool_w = 3;
    strided.pool_stride = 3;
    ConvShape one_output{.c = 1, .h = 4, .w = 4, .k = 1, .r = 4, .s = 4, .pool_h = 1, .pool_w = 1, .pool_stride = 1};
    ConvShape skipping{.c = 2, .h = 30, .w = 30, .k = 3, .r = 1, .s = 1, .pool_h = 1, .pool_w = 2, .pool_stride = 4};
    for (const ConvShape& shape : {large_window, strided, one_output, skipping}) {
        EXPECT_TRUE(fused5().launch_space(shape).tunables.empty());
        expect_right(shape, {});
    }
}

TEST_F(Fused5Simulated, the_layer_decides_the_tile) {
    EXPECT_EQ(fused5_tile(toy, {}, h100()), 2);  // 784 blocks for 264 places: 2.97 rounds
    ConvShape small = toy;
    small.h = small.w = 18;
    EXPECT_EQ(fused5_tile(small, {}, h100()), 3);
    EXPECT_EQ(fused5_tile(small, {{}, {}, {{"tile", 1}}}, h100()), 1);
}

TEST_F(Fused5Simulated, weights_are_padded_to_what_a_block_takes) {
    ConvShape shape = toy;
    EXPECT_EQ(fused5().workspace_bytes(shape), 0);
    shape.k = 65;
    EXPECT_EQ(fused5().workspace_bytes(shape), 256 * 25 * (128 - 65) * 4);
}

TEST_F(Fused5Simulated, rejects_with_the_reason) {
    ConvShape unpooled = toy;
    unpooled.pool_h = unpooled.pool_w = unpooled.pool_stride = 0;
    EXPECT_EQ(fused5().supports(unpooled).reason,
              "fused5 pools in the kernel that convolves; this shape has no pooling");
    ConvShape huge{.c = 1, .h = 400, .w = 400, .k = 1, .r = 300, .s = 300, .pool_h = 2, .pool_w = 2, .pool_stride = 2};
    EXPECT_EQ(dynamic_cast<const GpuMethod&>(fused5()).resolve_any_size(huge, {}, h100()).support.reason,
              "two pooled outputs need 301x303 input elements, and with 32 weights of 64 filters 373004 bytes of "
              "shared memory; H100 has at most 232448 per block");
}

}  // namespace
}  // namespace convscope
