// OCPA on both kinds of device that every machine has: what it chooses, and that it is what it chose.
#include <gtest/gtest.h>

#include "tests/support/run_method.h"

#include "tests/support/registries.h"

namespace convscope {
namespace {

using testing::registry;

WorkloadSpec layer(bool pooled) {
    WorkloadSpec spec;
    spec.shape.c = 3;
    spec.shape.h = spec.shape.w = 8;
    spec.shape.k = 5;
    spec.shape.r = spec.shape.s = 3;
    spec.shape.pad_h = spec.shape.pad_w = 1;
    if (pooled) spec.shape.pool_h = spec.shape.pool_w = spec.shape.pool_stride = 2;
    spec.sparsity = 0.6;
    return spec;
}

struct Choice {
    const char* device;
    DeviceKind kind;
    bool pooled;
    const char* chosen;
};

class OcpaChoice : public ::testing::TestWithParam<Choice> {};

TEST_P(OcpaChoice, is_the_method_that_it_chooses) {
    const auto& [id, kind, pooled, chosen] = GetParam();
    const Workload workload = make_workload(layer(pooled));
    const ConvShape& shape = workload.spec.shape;
    const Method& ocpa = registry().get("ocpa", kind);
    const Method& same = registry().get(chosen, kind);
    Device& device = registry().device(id);

    EXPECT_EQ(testing::run_method(ocpa, workload, device).data, testing::run_method(same, workload, device).data);
    EXPECT_EQ(ocpa.instantiate(shape, {}, device)->choice(), chosen);
    EXPECT_EQ(ocpa.workspace_bytes(shape), same.workspace_bytes(shape));

    const ResolvedLaunch mine = ocpa.resolve(shape, {}, device.info().model);
    const ResolvedLaunch theirs = same.resolve(shape, {}, device.info().model);
    ASSERT_EQ(mine.kernels.size(), theirs.kernels.size());
    for (std::size_t i = 0; i < mine.kernels.size(); ++i) {
        EXPECT_EQ(mine.kernels[i].kernel, theirs.kernels[i].kernel);
        EXPECT_EQ(mine.kernels[i].block, theirs.kernels[i].block);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Devices, OcpaChoice,
    ::testing::Values(Choice{"cpu", DeviceKind::cpu, false, "ecr3"}, Choice{"cpu", DeviceKind::cpu, true, "pecr3"},
                      Choice{"sim", DeviceKind::sim, false, "ecr3"}, Choice{"sim", DeviceKind::sim, true, "pecr3"}),
    [](const auto& test) { return std::string(test.param.device) + (test.param.pooled ? "Pooled" : "Plain"); });

TEST(Ocpa, rejects_what_the_chosen_method_rejects) {
    ConvShape large = layer(false).shape;
    large.c = large.k = 512;
    large.h = large.w = 224;
    const Support mine = registry().get("ocpa", DeviceKind::sim).supports(large);
    EXPECT_FALSE(mine);
    EXPECT_EQ(mine.reason, registry().get("ecr3", DeviceKind::sim).supports(large).reason);

    LaunchConfig unknown;
    unknown.tunables["tile"] = 3;
    const ResolvedLaunch rejected = registry().get("ocpa", DeviceKind::cpu).resolve(layer(true).shape, unknown, {});
    EXPECT_FALSE(rejected.support);
    EXPECT_NE(rejected.support.reason.find("has no tunable 'tile'"), std::string::npos) << rejected.support.reason;
}

}  // namespace
}  // namespace convscope
