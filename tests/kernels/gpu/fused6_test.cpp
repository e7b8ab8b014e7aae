// fused6 on a GPU of compute capability 9.0: every tile on random layers larger than the tests of all methods have,
// with few and with many tiles for a block; what it rejects.
#include <gtest/gtest.h>

#include <string>

#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

class Fused6OnGpu : public testing::HopperTest {
protected:
    const Method& fused6() { return testing::gpu_registry().get("fused6", DeviceKind::cuda); }

    void expect_right(const ConvShape& shape, const LaunchConfig& config) {
        const Workload workload = testing::random_workload(shape, 0.3, 13);
        const ReferenceResult reference = reference_result(workload);
        const Tensor y = testing::run_method(fused6(), workload, device(), config);
        const Verification result = verify(y, reference.y, reference.scale, shape, DType::tf32);
        ASSERT_TRUE(result.ok) << to_string(shape) << ": " << result.reason;
    }

    static ConvShape random_layer(testing::Random& random) {
        ConvShape shape;
        shape.n = random.between(1, 3);
        shape.c = random.between(1, 30) * (random.between(0, 2) == 0 ? 1 : 4);
        shape.k = random.between(1, 200);
        shape.r = random.between(1, 7);
        shape.s = random.between(1, 7);
        shape.pad_h = random.between(0, shape.r - 1);
        shape.pad_w = random.between(0, shape.s - 1);
        shape.h = random.between(shape.r + 1, 60);
        shape.w = random.between(shape.s + 1, 60);
        if (random.between(0, 1) == 1) shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        return shape;
    }
};

TEST_F(Fused6OnGpu, every_tile_agrees_with_the_reference) {
    testing::Random random(31);
    for (int i = 0; i < 24; ++i) {
        const ConvShape shape = random_layer(random);
        for (const std::int64_t filters : {0, 64, 128}) {
            for (const std::int64_t columns : {0, 8, 16}) {
                expect_right(shape, {{}, {}, {{"filters", filters}, {"columns", columns}}});
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST_F(Fused6OnGpu, a_block_takes_tile_after_tile) {
    ConvShape shape{.n = 2, .c = 40, .h = 150, .w = 170, .k = 130, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    for (const std::int64_t pool : {0, 2}) {
        shape.pool_h = shape.pool_w = shape.pool_stride = pool;
        expect_right(shape, {{}, {}, {{"filters", 64}, {"columns", 8}}});
    }
}

TEST_F(Fused6OnGpu, rejects_with_the_reason) {
    ConvShape shape{.c = 8, .h = 40, .w = 40, .k = 8, .r = 3, .s = 3, .stride_h = 2};
    EXPECT_EQ(fused6().supports(shape).reason, "fused6 takes stride 1; this shape's is 2x1");
    shape.stride_h = 1;
    shape.pool_h = shape.pool_w = 3;
    shape.pool_stride = 2;
    EXPECT_EQ(fused6().supports(shape).reason,
              "fused6 pools 2x2 windows with stride 2, or not at all; this shape's are 3x3 with stride 2");
    shape.pool_h = shape.pool_w = 2;
    shape.r = 17;
    EXPECT_EQ(fused6().supports(shape).reason, "fused6 takes filters of up to 16x16; this shape's are 17x3");
    shape.r = shape.s = 16;  // the largest tile does not fit the shared memory, the smallest does
    expect_right(shape, {});
}

}  // namespace
}  // namespace convscope
