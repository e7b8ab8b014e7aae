// A network's layers in a process of their own are the layers that this process measures.
#include <gtest/gtest.h>

#include "kernels/measure/isolated/isolated_measurer.h"
#include "kernels/measure/isolated/layer_measurer.h"
#include "kernels/records/record_key.h"
#include "tests/kernels/measure/isolated/fault_injection.h"

namespace convscope {
namespace {

Preset layer(const char* name, std::int64_t c, std::int64_t k) {
    Preset preset;
    preset.spec.name = std::string("net/") + name;
    ConvShape& shape = preset.spec.shape;
    shape.c = c;
    shape.h = shape.w = 8;
    shape.k = k;
    shape.r = shape.s = 3;
    shape.pad_h = shape.pad_w = 1;
    preset.spec.sparsity = 0.25;
    return preset;
}

NetworkPlan plan(bool chain, std::vector<std::string> methods) {
    NetworkPlan plan;
    plan.network = {"net", {"Net", "Chosen.", true}, {layer("a", 2, 4), layer("b", 4, 3)}};
    plan.methods = std::move(methods);
    plan.options.min_samples = plan.options.max_samples = 5;
    plan.options.recheck_share = 0;
    plan.chain = chain;
    return plan;
}

class IsolatedNetwork : public ::testing::TestWithParam<bool> {
protected:
    testing::FakeLab lab_ = testing::fault_injection(false);
    IsolatedMeasurer measurer_{*lab_.registry, {FAULTY_PROCESS}};
};

TEST_P(IsolatedNetwork, measures_the_same_rows) {
    const NetworkPlan both = plan(GetParam(), {"good", "baseline"});
    NetworkRun here(*lab_.registry, *lab_.device, both);
    NetworkRun there(*lab_.registry, *lab_.device, both, layer_measurer(measurer_, "fake"));
    for (std::size_t i = 0; i < 2; ++i) {
        const auto expected = here.measure(i, {}, {}, {}), rows = there.measure(i, {}, {}, {});
        ASSERT_EQ(rows.size(), 2U);
        EXPECT_EQ(rows[0].status, Status::passed) << rows[0].status_reason;
        EXPECT_EQ(measurement_key(rows[0]), measurement_key(expected[0]));
        EXPECT_EQ(rows[0].workload, expected[0].workload);
        EXPECT_EQ(rows[0].source, expected[0].source);
        EXPECT_EQ(rows[0].sparsity_measured, expected[0].sparsity_measured);
        EXPECT_EQ(rows[0].max_rel_err, expected[0].max_rel_err) << "the same weights";
        EXPECT_EQ(rows[0].speedup_vs_vendor, 2.0);
        EXPECT_EQ(measurement_key(there.planned(i)[0]), measurement_key(rows[0]));
    }
}

TEST_P(IsolatedNetwork, a_crash_costs_a_row_of_a_layer) {
    NetworkRun run(*lab_.registry, *lab_.device, plan(GetParam(), {"crashes", "good"}),
                   layer_measurer(measurer_, "fake"));
    for (std::size_t i = 0; i < 2; ++i) {
        const auto rows = run.measure(i, {}, {}, {});
        ASSERT_EQ(rows.size(), 2U);
        EXPECT_EQ(rows[1].status, Status::passed) << rows[1].status_reason;
    }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutAChain, IsolatedNetwork, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "Chain" : "NoChain"; });

}  // namespace
}  // namespace convscope
