// The fused kernels' compiled-in sizes and static tiles, with every check on.
#include <gtest/gtest.h>

#include <string>

#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "tests/support/fused_cases.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

TEST(CheckedFused, runs_clean_on_layers_like_the_reports_in_any_thread_order) {
    static CheckedDevice watched;
    std::uint64_t order = 0;
    for (const testing::FusedCase& each : testing::fused_cases(16)) {
        const Workload workload = testing::random_workload(each.shape, 0.3, 5);
        const ReferenceResult reference = reference_result(workload);
        for (const char* id : {"fused0", "fused1", "fused2", "fused3", "fused4", "fused5"}) {
            LaunchConfig config = each.config;
            if (std::string(id) == "fused0") config.tunables.clear();
            if (std::string(id) == "fused5") config = {{}, {}, {{"tile", static_cast<std::int64_t>(order % 4)}}};
            watched.checker().options.order_seed = order++;
            Tensor y;
            ASSERT_NO_THROW(y = testing::run_method(watched.registry().get(id, DeviceKind::sim), workload,
                                                    watched.device(), config))
                << id << ", " << to_string(each.shape);
            const Verification result = verify(y, reference.y, reference.scale, each.shape, DType::f32);
            ASSERT_TRUE(result.ok) << id << ", " << to_string(each.shape) << ": " << result.reason;
        }
    }
}

}  // namespace
}  // namespace convscope
