// Launch configurations that cannot work are rejected with the reason, on any device model, and never launched.
#include <gtest/gtest.h>

#include <string>

#include "kernels/core/error.h"

#include "tests/kernels/simt/launch_case.h"
#include "tests/support/registries.h"

namespace convscope {
namespace {

using testing::simulated_registry;

ConvShape map_14x14() {
    ConvShape shape;
    shape.h = shape.w = 14;
    shape.r = shape.s = 3;
    return shape;
}

ConvShape pooled_14x14() {
    ConvShape shape = map_14x14();
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    return shape;
}

ConvShape layer() {
    ConvShape shape = map_14x14();
    shape.n = 2;
    shape.c = 8;
    shape.k = 40;
    shape.pad_h = shape.pad_w = 1;
    return shape;
}

ResolvedLaunch resolve(const char* id, const ConvShape& shape, const LaunchConfig& config) {
    return simulated_registry().get(id, DeviceKind::sim).resolve(shape, config, default_device_model());
}

LaunchConfig block(std::int64_t x, std::int64_t y, std::int64_t z) {
    return {Dim3{x, y, z}, {}, {}};
}
LaunchConfig grid(std::int64_t x, std::int64_t y, std::int64_t z) {
    return {{}, Dim3{x, y, z}, {}};
}
LaunchConfig tuned(const char* name, std::int64_t value) {
    return {{}, {}, {{name, value}}};
}

TEST(Rejections, say_why_a_configuration_cannot_work) {
    ConvShape tall = map_14x14();
    tall.n = 70000;
    ConvShape large_filter = map_14x14();
    large_filter.h = large_filter.w = 200;
    large_filter.r = large_filter.s = 180;
    const testing::LaunchCase cases[] = {
        {"ecr1", map_14x14(), block(2048, 1, 1), "ecr1: block x is 2048"},
        {"ecr1", map_14x14(), block(12, 2, 1), "block is 12x2x1; ecr1's threads lie along one block row"},
        {"ecr1", map_14x14(), block(0, 1, 1), "block is 0x1x1; every part must be at least 1"},
        {"ecr1", map_14x14(), grid(3, 1, 1), "ecr1's grid follows from the shape and the block"},
        {"ecr1", map_14x14(), tuned("T", 3), "ecr1 has no tunable 'T'"},
        {"ecr1", large_filter, {}, "bytes of shared memory"},
        {"ecr2", map_14x14(), block(1024, 1, 2), "block is 1024x1x2; ecr2's blocks are flat"},
        {"ecr2", map_14x14(), block(64, 32, 1), "has 2048 threads"},
        {"ecr2", tall, {}, "ecr2: grid z is 70000"},
        {"ecr3", layer(), block(32, 64, 1), "has 2048 threads"},
        {"ecr3", layer(), block(8, 4, 1), ""},
        {"ecr3", layer(), block(8, 4, 2), "uses up to 1 along z"},
        {"ecr3", layer(), grid(4, 0, 1), "grid is 4x0x1"},
        {"ecr3", layer(), {Dim3{8, 4, 1}, Dim3{10, 2, 1}, {}}, "needs a thread for each of 40 filters"},
        {"ecr3", layer(), tuned("convert_warps", 5), "convert_warps is 5; it can be 1, 2, 4, 8, 16, 32"},
        {"pecr1", pooled_14x14(), block(6, 6, 1), "pecr1's threads lie along one pooling-pack row"},
        {"pecr2", pooled_14x14(), block(3, 8, 1),
         "pecr2 needs one thread per window of a pooling window along x: 4xNx1"},
        {"pecr2", pooled_14x14(), block(4, 512, 1), "threads"},
        {"pecr3", pooled_14x14(), block(1, 8, 5), "uses up to 4 along z in a block"},
        {"im2col", layer(), block(32, 4, 2), "NxMx1"},
        {"im2col", layer(), grid(4, 2, 1), "Nx1x1"},
        {"csr1", layer(), tuned("tile", 100), "tile is 100; it can be 256, 512, 1024, 2048, 4096, 8192"},
        {"csr1", layer(), block(32, 4, 2), "NxMx1"},
        {"fft1", layer(), block(32, 4, 2), "x goes along the frequencies and y over groups of filters: NxMx1"},
        {"fft1", layer(), grid(4, 1, 1), "fft1's grid follows from the shape and the block"},
        {"fft1", layer(), tuned("filters", 3), "filters is 3; it can be 1, 2, 4"},
        {"mec2", layer(), tuned("T", 99), "T is 99; it can be 0, 25, 50, 100, 200, 400"},
        {"mec2b", layer(), tuned("T", 100), "mec2b has no tunable 'T'"},
        {"mec3", layer(), block(32, 4, 1), "mec3 takes no block"},
        {"mec4",
         layer(),
         {{}, {}, {{"outputs", 64}, {"filters", 128}}},
         "there is no tile of 64 outputs x 128 filters; there are 128x128, 128x96, 128x64, 64x64"},
    };
    for (const testing::LaunchCase& each : cases) testing::expect_resolved_as_said(each);
}

TEST(Rejections, name_the_shapes_that_a_method_is_not_for) {
    const auto reason = [](const char* id, const ConvShape& shape) {
        return simulated_registry().get(id, DeviceKind::sim).supports(shape).reason;
    };
    EXPECT_NE(reason("ecr1", layer()).find("ecr1 takes one image, not n = 2; ecr2 takes any"), std::string::npos);
    EXPECT_NE(reason("ecr2", layer()).find("not c = 8, k = 40; ecr3 takes any"), std::string::npos);
    EXPECT_NE(reason("pecr3", layer()).find("this shape has no pooling"), std::string::npos);
    EXPECT_NE(reason("mec1", layer()).find("mec2 takes any"), std::string::npos);
    ConvShape many_filters = map_14x14();
    many_filters.k = 500;
    EXPECT_NE(reason("mec2a", many_filters).find("larger than L"), std::string::npos);
    EXPECT_EQ(reason("mec2", many_filters), "");
    const ConvShape uncountable{.n = 128, .c = 64, .h = 224, .w = 224, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    EXPECT_NE(reason("csr1", uncountable).find("has 3699376128 elements, and csr1's 32-bit row offsets count up to"),
              std::string::npos)
        << reason("csr1", uncountable);
}

TEST(Rejections, tell_how_long_too_large_a_simulation_would_take) {
    ConvShape large = layer();
    large.n = 32;
    large.c = large.k = 512;
    const Support support = simulated_registry().get("ecr3", DeviceKind::sim).supports(large);
    EXPECT_FALSE(support.ok);
    EXPECT_NE(support.reason.find("simulating this shape would take about"), std::string::npos) << support.reason;
    EXPECT_NE(support.reason.find("minutes"), std::string::npos) << support.reason;
    EXPECT_NE(support.reason.find("convscope trace"), std::string::npos) << support.reason;
}

TEST(StandardLaunch, is_the_papers) {
    // Xu 2019: a block per block row, a thread per window; segments of r s values and weights, and Ptr.
    const ResolvedLaunch ecr1 = resolve("ecr1", map_14x14(), {});
    ASSERT_TRUE(ecr1.support) << ecr1.support.reason;
    ASSERT_EQ(ecr1.kernels.size(), 1u);
    EXPECT_EQ(ecr1.kernels[0].grid, (Dim3{12, 1, 1}));
    EXPECT_EQ(ecr1.kernels[0].block, (Dim3{12, 1, 1}));
    EXPECT_EQ(ecr1.kernels[0].shared_bytes, 12u * (9 * 4 * 2 + 4));
    EXPECT_GT(ecr1.kernels[0].registers, 0);
    // Xu 2022, Fig. 7: the windows of a pooling window side by side.
    EXPECT_EQ(resolve("pecr2", pooled_14x14(), {}).kernels[0].block.x, 4);
    // A separate pooling stage follows where the method does not fuse it.
    const ResolvedLaunch pooled = resolve("ecr1", pooled_14x14(), {});
    ASSERT_EQ(pooled.kernels.size(), 2u);
    EXPECT_EQ(pooled.kernels[1].kernel, "relu_max_pool");
    EXPECT_EQ(pooled.kernels[1].stage, "pool");
}

TEST(StandardLaunch, cuts_rows_that_are_wider_than_a_block) {
    ConvShape wide = map_14x14();
    wide.w = 3000;
    const ResolvedLaunch resolved = resolve("ecr1", wide, {});
    ASSERT_TRUE(resolved.support) << resolved.support.reason;
    EXPECT_EQ(resolved.kernels[0].grid, (Dim3{12, 3, 1}));
    EXPECT_EQ(resolved.kernels[0].block, (Dim3{1000, 1, 1}));
}

TEST(StandardLaunch, fits_every_device_model) {
    for (const DeviceModel& model : device_models())
        for (const Method* method : simulated_registry().methods(DeviceKind::sim))
            for (const ConvShape& shape : {map_14x14(), pooled_14x14(), layer()}) {
                if (!method->supports(shape)) continue;
                const ResolvedLaunch resolved = method->resolve(shape, {}, model);
                EXPECT_TRUE(resolved.support)
                    << model.name << ", " << method->info().id << ": " << resolved.support.reason;
                for (const KernelLaunch& kernel : resolved.kernels) EXPECT_GT(kernel.registers, 0) << kernel.kernel;
            }
}

TEST(SimulatedGpu, has_no_clock) {
    Device& device = simulated_registry().device("sim");
    auto execution = simulated_registry().get("ecr1", DeviceKind::sim).instantiate(map_14x14(), {}, device);
    try {
        device.make_sampler(*execution, TimingScope::kernel, CacheMode::hot);
        FAIL() << "no exception";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find("has no clock"), std::string::npos);
    }
}

}  // namespace
}  // namespace convscope
