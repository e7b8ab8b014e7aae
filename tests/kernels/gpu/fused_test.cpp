// The fused kernels' compiled-in sizes, static tiles and the guard for surplus blocks, on a GPU.
#include <gtest/gtest.h>

#include <string>

#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/fused_cases.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

class FusedOnGpu : public testing::GpuTest {
protected:
    const Method& method(const std::string& id) { return testing::gpu_registry().get(id, DeviceKind::cuda); }

    void expect_right(const std::string& id, const Workload& workload, const ReferenceResult& reference,
                      const LaunchConfig& config) {
        const ConvShape& shape = workload.spec.shape;
        const Tensor y = testing::run_method(method(id), workload, device(), config);
        const Verification result = verify(y, reference.y, reference.scale, shape, DType::f32);
        ASSERT_TRUE(result.ok) << id << ", " << to_string(shape) << ", "
                               << (config.block ? "block " + to_string(*config.block) : "no block") << ": "
                               << result.reason;
    }
};

TEST_F(FusedOnGpu, agrees_with_the_reference_on_layers_like_the_reports) {
    for (const testing::FusedCase& each : testing::fused_cases(60)) {
        const Workload workload = testing::random_workload(each.shape, 0.3, 7);
        const ReferenceResult reference = reference_result(workload);
        for (const char* id : {"fused0", "fused1", "fused2", "fused3", "fused4"}) {
            LaunchConfig config = each.config;
            if (std::string(id) == "fused0") config.tunables.clear();
            expect_right(id, workload, reference, config);
            if (HasFatalFailure()) return;
        }
        for (const std::int64_t tile : {0, 1, 2, 3}) {
            expect_right("fused5", workload, reference, {{}, {}, {{"tile", tile}}});
            if (HasFatalFailure()) return;
        }
    }
}

TEST_F(FusedOnGpu, launches_blocks_of_1024_threads) {
    // Compiled-in and run-time sizes: the registers must leave room for the largest block there is.
    ConvShape compiled{.c = 2, .h = 36, .w = 36, .k = 4, .r = 5, .s = 5, .pool_h = 2, .pool_w = 2, .pool_stride = 2};
    ConvShape any = compiled;
    any.stride_h = any.stride_w = 2;
    any.pool_h = 3;
    for (const ConvShape& shape : {compiled, any}) {
        const Workload workload = testing::random_workload(shape, 0, 7);
        const ReferenceResult reference = reference_result(workload);
        for (const char* id : {"fused0", "fused1", "fused2", "fused3", "fused4"})
            expect_right(id, workload, reference, {Dim3{16, 16, 4}, {}, {}});
    }
}

}  // namespace
}  // namespace convscope
