// mec3 to mec7 on a GPU: every tile on random layers larger than the tests of all methods have, clusters that share a
// tile, rows that begin anywhere and at multiples of 16 bytes.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

using Tunables = std::map<std::string, std::int64_t>;

class MecOnGpu : public testing::GpuTest {
protected:
    void expect_right(const ConvShape& shape, const std::vector<std::string>& methods,
                      const std::vector<Tunables>& choices) {
        const Workload workload = testing::random_workload(shape, 0.3, 13);
        const ReferenceResult reference = reference_result(workload);
        for (const std::string& id : methods) {
            const Method& method = testing::gpu_registry().get(id, DeviceKind::cuda);
            for (const Tunables& choice : choices) {
                const LaunchConfig config{{}, {}, choice};
                if (!method.resolve(shape, config, device().info().model).support) continue;
                const Tensor y = testing::run_method(method, workload, device(), config);
                const Verification result = verify(y, reference.y, reference.scale, shape, method.info().dtype);
                ASSERT_TRUE(result.ok) << id << ", " << to_string(shape) << ": " << result.reason;
            }
        }
    }

    static ConvShape random_layer(testing::Random& random) {
        ConvShape shape;
        shape.n = random.between(1, 4);
        shape.c = random.between(1, 24) * (random.between(0, 1) == 0 ? 1 : 4);
        shape.k = random.between(1, 200);
        shape.r = random.between(1, 6);
        shape.s = random.between(1, 6);
        shape.stride_h = random.between(1, 3);
        shape.stride_w = random.between(1, 3);
        shape.pad_h = random.between(0, shape.r - 1);
        shape.pad_w = random.between(0, shape.s - 1);
        shape.h = random.between(shape.r + 1, 40);
        shape.w = random.between(shape.s + 1, 40);
        return shape;
    }
};

TEST_F(MecOnGpu, every_tile_of_the_cores_agrees_with_the_reference) {
    const std::vector<Tunables> choices{{},
                                        {{"outputs", 64}, {"filters", 64}},
                                        {{"outputs", 128}, {"filters", 64}, {"rows", 2}},
                                        {{"outputs", 128}, {"filters", 96}},
                                        {{"outputs", 128}, {"filters", 128}},
                                        {{"split_k", 2}},
                                        {{"split_k", 3}}};
    testing::Random random(31);
    for (int i = 0; i < 16 && !HasFatalFailure(); ++i) expect_right(random_layer(random), {"mec3", "mec4"}, choices);
}

TEST_F(MecOnGpu, every_tile_of_the_tensor_cores_agrees_with_the_reference) {
    if (!hopper()) GTEST_SKIP() << "needs compute capability 9.0";
    std::vector<Tunables> choices{{}, {{"promotion_interval", 1}}, {{"promotion_interval", 16}}};
    for (const std::int64_t outputs : {128, 256})
        for (const std::int64_t filters : {64, 128})
            for (const std::int64_t split : {1, 2, 3})
                choices.push_back({{"outputs", outputs}, {"filters", filters}, {"split_k", split}});
    testing::Random random(37);
    for (int i = 0; i < 16 && !HasFatalFailure(); ++i)
        expect_right(random_layer(random), {"mec5", "mec6", "mec7"}, choices);
}

TEST_F(MecOnGpu, a_block_takes_tile_after_tile) {
    if (!hopper()) GTEST_SKIP() << "needs compute capability 9.0";
    const std::vector<Tunables> choices{{{"outputs", 128}, {"filters", 64}, {"split_k", 1}}, {{"split_k", 8}}};
    expect_right({.n = 2, .c = 12, .h = 150, .w = 170, .k = 130, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1},
                 {"mec5", "mec6", "mec7"}, choices);
    expect_right({.n = 2, .c = 3, .h = 150, .w = 170, .k = 70, .r = 3, .s = 3, .pad_h = 1}, {"mec5", "mec6", "mec7"},
                 choices);
}

TEST_F(MecOnGpu, the_workspace_is_l) {
    if (!hopper()) GTEST_SKIP() << "needs compute capability 9.0";
    const ConvShape shape{.n = 2, .c = 64, .h = 20, .w = 20, .k = 128, .r = 3, .s = 3};
    const auto bytes = [&](const char* id) {
        return testing::gpu_registry().get(id, DeviceKind::cuda).workspace_bytes(shape);
    };
    EXPECT_EQ(bytes("mec3"), shape.mec_elements() * 4);
    EXPECT_EQ(bytes("mec4"), 0);
    EXPECT_EQ(bytes("mec5") - bytes("mec6"), shape.mec_elements() * 4);
    EXPECT_EQ(bytes("mec6"), shape.w_elements() * 4) << "the weights' residuals";
}

}  // namespace
}  // namespace convscope
