// fcr1 and fcr2 with every access watched, in shuffled thread orders: layers larger than the random shapes of all
// methods, in any launch configuration.
#include <gtest/gtest.h>

#include "kernels/simt/on_checked/checked_device.h"
#include "tests/support/fully_connected.h"
#include "tests/support/random_launch.h"
#include "tests/support/verified_run.h"

namespace convscope {
namespace {

TEST(FcrChecked, runs_clean_and_right_in_any_configuration_and_thread_order) {
    static CheckedDevice watched;
    testing::Random random(19);
    int launched = 0, partial = 0;
    for (std::uint64_t i = 0; i < 60; ++i) {
        const ConvShape shape{.n = random.between(1, 4), .c = random.between(1, 3000), .k = random.between(1, 60)};
        const Method& method = watched.registry().get(i % 2 == 0 ? "fcr1" : "fcr2", DeviceKind::sim);
        const LaunchConfig config = testing::random_config(random, method, shape);
        const ResolvedLaunch resolved = method.resolve(shape, config, watched.device().info().model);
        if (!resolved.support) continue;
        watched.checker().options.order_seed = i;
        const Workload workload = testing::random_workload(shape, testing::sparsity_of(i), i);
        Verification result;
        ASSERT_NO_THROW(result = testing::verified_run(method, workload, watched.device(), config)) << to_string(shape);
        ASSERT_TRUE(result.ok) << to_string(shape) << ": " << result.reason;
        ++launched;
        partial += resolved.kernels.size() == 2;
    }
    EXPECT_GE(launched, 30);
    EXPECT_GE(partial, 20);
}

}  // namespace
}  // namespace convscope
