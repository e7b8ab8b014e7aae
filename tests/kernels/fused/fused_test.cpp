// Grisett's fused methods: an example by hand, the guard, what is rejected, and the report's own launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/simt/launch_case.h"
#include "tests/support/device_models.h"
#include "tests/support/fused_cases.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

using testing::h100;
using testing::model_of;
using testing::simulated_registry;
using testing::toy;

const std::vector<std::string> versions{"fused0", "fused1", "fused2", "fused3", "fused4"};

const Method& method(const std::string& id) {
    return simulated_registry().get(id, DeviceKind::sim);
}
Tensor run(const std::string& id, const Workload& workload, const LaunchConfig& config = {}) {
    return testing::run_method(method(id), workload, simulated_registry().device("sim"), config);
}

LaunchConfig without_tunables(LaunchConfig config) {
    config.tunables.clear();
    return config;
}

ConvShape layer(std::int64_t channels, std::int64_t filters, std::int64_t size, std::int64_t filter) {
    ConvShape shape;
    shape.c = channels;
    shape.k = filters;
    shape.h = shape.w = size;
    shape.r = shape.s = filter;
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    return shape;
}

TEST(Unfused, is_fused0_in_two_kernels) {
    for (const ConvShape& shape : {layer(2, 5, 13, 5), layer(3, 4, 12, 3), layer(2, 3, 9, 2)}) {
        const Workload workload = testing::random_workload(shape, 0.3, 4);
        EXPECT_EQ(run("unfused0", workload).data, run("fused0", workload).data) << to_string(shape);
    }
    const ResolvedLaunch resolved = method("unfused0").resolve(layer(2, 5, 13, 5), {}, default_device_model());
    ASSERT_EQ(resolved.kernels.size(), 2U);
    EXPECT_EQ(resolved.kernels[0].kernel, "unfused0");
    EXPECT_EQ(resolved.kernels[1].stage, "pool");
    EXPECT_EQ(method("unfused0").workspace_bytes(layer(2, 5, 13, 5)), 4 * 5 * 9 * 9) << "what is not stored when fused";
}

TEST(Fused, a_small_example_by_hand) {
    // x[i][j] = 6i + j, so that a 5x5 window at (i, j) sums to 25 * (6 (i + 2) + j + 2): 350, 375, 500 and 525.
    Workload workload;
    workload.spec.shape = layer(1, 3, 6, 5);
    workload.x = Tensor(1, 1, 6, 6);
    for (std::size_t i = 0; i < 36; ++i) workload.x.data[i] = static_cast<float>(i);
    workload.w = Tensor(3, 1, 5, 5);
    std::fill_n(workload.w.data.begin(), 25, 1.0f);        // the largest sum is 525
    std::fill_n(workload.w.data.begin() + 25, 25, -1.0f);  // all below zero: ReLU
    workload.w.at(2, 0, 4, 0) = 1.0f;                      // x[i + 4][j] - x[i][j + 4] = 20 everywhere
    workload.w.at(2, 0, 0, 4) = -1.0f;
    const std::vector<float> by_hand{525.0f, 0.0f, 20.0f};
    for (const std::string& id : versions) {
        EXPECT_EQ(run(id, workload).data, by_hand) << id;
        EXPECT_EQ(run(id, workload, {Dim3{3, 2, 2}, Dim3{4, 3, 5}, {}}).data, by_hand) << id;
        if (id == "fused0") continue;
        EXPECT_EQ(run(id, workload, {Dim3{16, 8, 4}, {}, {{"static_tile", 1}}}).data, by_hand) << id;
    }
}

TEST(Fused, every_version_and_tile_agrees_with_the_reference_on_layers_like_the_reports) {
    std::size_t static_tiles = 0, surplus = 0;
    for (const testing::FusedCase& each : testing::fused_cases(60)) {
        const ConvShape& shape = each.shape;
        const Workload workload = testing::random_workload(shape, 0.3, 7);
        const ReferenceResult reference = reference_result(workload);
        static_tiles += each.config.tunables.contains("static_tile") && each.config.tunables.at("static_tile") == 1;
        surplus += each.config.grid.has_value();
        for (const std::string& id : versions) {
            const LaunchConfig config = id == "fused0" ? without_tunables(each.config) : each.config;
            const Verification result =
                verify(run(id, workload, config), reference.y, reference.scale, shape, DType::f32);
            ASSERT_TRUE(result.ok) << id << ", " << to_string(shape) << ", block " << to_string(*config.block) << ": "
                                   << result.reason;
        }
    }
    EXPECT_GE(static_tiles, 10u);
    EXPECT_GE(surplus, 30u);
}

TEST(Fused, surplus_blocks_change_nothing) {
    ConvShape shape = layer(2, 6, 20, 5);
    shape.n = 2;
    const Workload workload = testing::random_workload(shape, 0, 3);
    for (const std::string& id : versions) {
        const Dim3 block{4, 4, 4};
        const Tensor exact = run(id, workload, {block, Dim3{2, 2, 4}, {}});  // 8x8 outputs; 6 filters are two groups
        for (const Dim3& grid : {Dim3{2, 2, 6}, Dim3{2, 2, 64}, Dim3{3, 2, 4}, Dim3{2, 5, 4}, Dim3{32, 32, 7}})
            EXPECT_EQ(run(id, workload, {block, grid, {}}).data, exact.data) << id << " " << to_string(grid);
    }
}

TEST(Fused, the_reports_launches_fit_the_t4_and_the_h100) {
    struct Launch {
        Dim3 grid, block;
    };
    // Table 1, then Table 3.
    const std::vector<Launch> launches{
        {{7, 14, 96}, {16, 8, 4}},  {{7, 7, 96}, {16, 16, 4}},  {{7, 7, 128}, {16, 16, 4}}, {{7, 7, 64}, {16, 16, 4}},
        {{7, 7, 256}, {16, 16, 2}}, {{7, 7, 128}, {16, 16, 2}}, {{7, 7, 192}, {16, 16, 2}}, {{7, 7, 384}, {16, 16, 1}},
        {{7, 7, 256}, {16, 16, 1}}, {{7, 7, 512}, {16, 16, 1}}};
    for (const DeviceModel* model : {&model_of("T4"), &h100()})
        for (const Launch& launch : launches)
            for (const std::string& id : versions)
                for (std::int64_t tile : {0, 1}) {
                    LaunchConfig config{launch.block, launch.grid, {}};
                    if (id != "fused0") config.tunables["static_tile"] = tile;
                    // The toy is beyond the simulated GPU; the launch does not depend on the number of channels.
                    ConvShape shape = toy;
                    shape.c = 1;
                    const ResolvedLaunch resolved = method(id).resolve(shape, config, *model);
                    ASSERT_TRUE(resolved.support) << model->name << ", " << id << ": " << resolved.support.reason;
                    const KernelLaunch& kernel = resolved.kernels.at(0);
                    EXPECT_EQ(kernel.grid, launch.grid);
                    const std::size_t height = (static_cast<std::size_t>(launch.block.y) - 1) * 2 + 2 + 4;  // Fig. 1
                    EXPECT_EQ(kernel.shared_bytes, id == "fused0" ? 0 : 4 * height * 36);
                }
}

TEST(Fused, standard_launch_is_the_reports_best_block) {
    ConvShape shape = toy;
    shape.c = 1;
    for (const std::string& id : versions)
        for (const DeviceModel* model : {&model_of("T4"), &h100()}) {
            const ResolvedLaunch resolved = method(id).resolve(shape, {}, *model);
            ASSERT_TRUE(resolved.support) << resolved.support.reason;
            EXPECT_EQ(resolved.kernels[0].block, (Dim3{16, 8, 4}));
            EXPECT_EQ(resolved.kernels[0].grid, (Dim3{7, 14, 64})) << "as large as the output, no larger";
        }
}

TEST(Fused, a_t4_holds_two_of_the_reports_best_blocks) {
    // The report counts four (2048 threads for each SM); compute capability 7.5 has 1024.
    ConvShape shape = toy;
    shape.c = 1;
    const DeviceModel& t4 = model_of("T4");
    const ResolvedLaunch resolved = method("fused4").resolve(shape, {}, t4);
    ASSERT_TRUE(resolved.support);
    const Occupancy t4_occupancy = occupancy(t4, resolved.kernels[0]);
    EXPECT_EQ(t4_occupancy.blocks_per_sm, 2);
    EXPECT_EQ(t4_occupancy.limiter, "threads");
    EXPECT_EQ(t4_occupancy.percent, 100.0);
}

TEST(Fused, small_layers_get_blocks_for_more_multiprocessors) {
    const ConvShape shape = layer(4, 32, 16, 3);  // 7x7 outputs of 32 filters
    const ResolvedLaunch resolved = method("fused4").resolve(shape, {}, h100());
    ASSERT_TRUE(resolved.support);
    EXPECT_EQ(resolved.kernels[0].block, (Dim3{7, 7, 2}));
    EXPECT_EQ(resolved.kernels[0].grid, (Dim3{1, 1, 16}));
}

TEST(Fused, rejects_in_a_sentence) {
    ConvShape no_pooling = layer(2, 4, 20, 5);
    no_pooling.pool_h = no_pooling.pool_w = no_pooling.pool_stride = 0;
    ConvShape strided = layer(2, 4, 40, 5);
    strided.stride_h = 2;
    const ConvShape shape = layer(2, 40, 68, 5);  // 32x32 outputs
    const ConvShape huge_filter = layer(1, 1, 300, 299);
    ConvShape far_apart = layer(1, 1, 40, 5);  // beyond 2^63 bytes for a block that has no use for its threads
    far_apart.stride_h = far_apart.stride_w = far_apart.pool_stride = 2'000'000'000;
    far_apart.pool_h = far_apart.pool_w = 1;
    const LaunchConfig static_tile{Dim3{16, 8, 1}, {}, {{"static_tile", 1}}};
    const testing::LaunchCase cases[] = {
        {"fused0", no_pooling, {}, "fused0 pools in the kernel that convolves; this shape has no pooling"},
        {"fused4", shape, {Dim3{32, 32, 2}, {}, {}}, "has 2048 threads"},
        {"fused2", shape, {Dim3{4, 1, 65}, {}, {}}, "block z is 65"},
        {"fused0", shape, {{}, {}, {{"static_tile", 0}}}, "fused0 has no tunable 'static_tile'"},
        {"fused3",
         shape,
         {Dim3{16, 8, 4}, Dim3{2, 4, 9}, {}},
         "grid is 2x4x9 and block 16x8x4; fused3 needs a grid of at least 2x4x10 for 32x32 outputs, k = 40 and "
         "n = 1"},
        {"fused0", shape, {Dim3{16, 8, 4}, Dim3{1, 4, 10}, {}}, "needs a grid of at least 2x4x10"},
        {"fused1", shape, {Dim3{16, 8, 4}, Dim3{2, 3, 10}, {}}, "needs a grid of at least 2x4x10"},
        {"fused1",
         shape,
         {Dim3{16, 8, 4}, Dim3{2, 4, 170}, {}},
         "needs a grid of 2x4x10, and takes at most 16 times that along each axis"},
        {"fused1", shape, {Dim3{1024, 1, 1}, {}, {}}, ""},
        {"fused1", strided, {Dim3{16, 64, 1}, {}, {}}, ""},
        {"fused1",
         huge_filter,
         {},
         "a block of 1x1x1 needs a tile of 300x300 input elements, 360000 bytes of shared memory; H100 has at most "
         "232448 per block"},
        {"fused0", huge_filter, {}, ""},
        {"fused2", layer(1, 1, 220, 200), {Dim3{10, 40, 1}, {}, {}}, "needs a tile of 279x219 input elements"},
        {"fused2", far_apart, {Dim3{16, 16, 1}, {}, {}}, "bytes of shared memory"},
        {"fused2", far_apart, {}, ""},
        {"fused2",
         shape,
         {Dim3{8, 16, 1}, {}, {{"static_tile", 1}}},
         "static_tile is 1 with block 8x16x1; the static tile is compiled for blocks of 16x16xZ and 16x8xZ"},
        {"fused2", strided, static_tile, "static_tile=0 takes any"},
        {"fused2", layer(2, 4, 40, 4), static_tile, "5x5 and 3x3 filters at stride 1 and 2x2 pooling with stride 2"},
        {"fused2", layer(2, 4, 40, 3), static_tile, ""},
    };
    for (const testing::LaunchCase& each : cases) testing::expect_resolved_as_said(each);
}

TEST(Fused, meets_many_pooled_shapes_among_the_random_ones) {
    // The tests of all methods run these on random shapes as well, besides the cases above.
    std::size_t five = 0, three = 0;
    for (const ConvShape& shape : testing::random_shapes(2000)) {
        if (!method("fused2").supports(shape)) continue;
        five += shape.r == 5 && shape.s == 5;
        three += shape.r == 3 && shape.s == 3;
    }
    EXPECT_GE(five, 24u);
    EXPECT_GE(three, 24u);
}

}  // namespace
}  // namespace convscope
