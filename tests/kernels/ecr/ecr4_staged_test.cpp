// ecr4's staged kernel on more channels and filters than the random shapes of all methods have, with every check on.
#include <gtest/gtest.h>

#include <string>

#include "kernels/simt/on_checked/checked_device.h"
#include "tests/support/random_launch.h"
#include "tests/support/verified_run.h"

namespace convscope {
namespace {

ConvShape staged_shape(testing::Random& random, bool pools) {
    ConvShape shape;
    shape.n = random.between(1, 2);
    shape.c = 8 * random.between(1, 9);
    shape.k = random.between(1, 130);
    shape.r = shape.s = random.between(0, 1) * 2 + 1;
    shape.pad_h = random.between(0, 3);
    shape.pad_w = random.between(0, 3);
    shape.h = random.between(3, 8);
    shape.w = random.between(3, 8);
    if (pools) shape.pool_h = shape.pool_w = shape.pool_stride = random.between(1, std::min(shape.p(), shape.q()));
    return shape;
}

TEST(Ecr4Staged, runs_clean_and_right_in_any_configuration_and_thread_order) {
    static CheckedDevice watched;
    testing::Random random(16);
    int checked = 0;
    for (std::uint64_t i = 0; i < 400 && checked < 60; ++i) {
        const bool pools = i % 4 == 0;
        const ConvShape shape = staged_shape(random, pools);
        const Method& method = watched.registry().get(pools ? "pecr4" : "ecr4", DeviceKind::sim);
        LaunchConfig config = testing::random_config(random, method, shape);
        config.tunables["staged"] = 1;
        config.tunables["rows"] = 0;
        config.tunables["filters_per_lane"] = random.between(1, 2);
        if (i % 3 == 0) config.tunables.clear();
        const ResolvedLaunch resolved = method.resolve(shape, config, watched.device().info().model);
        if (!resolved.support || resolved.kernels[0].kernel != "ecr4_staged") continue;
        watched.checker().options.order_seed = i;
        const Workload workload = testing::random_workload(shape, testing::sparsity_of(i), i);
        Verification result;
        ASSERT_NO_THROW(result = testing::verified_run(method, workload, watched.device(), config)) << to_string(shape);
        ASSERT_TRUE(result.ok) << to_string(shape) << " grid " << to_string(resolved.kernels[0].grid) << ": "
                               << result.reason;
        ++checked;
    }
    EXPECT_EQ(checked, 60);
}

}  // namespace
}  // namespace convscope
