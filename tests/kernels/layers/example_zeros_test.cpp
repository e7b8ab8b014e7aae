#include "kernels/layers/example_zeros.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace convscope {
namespace {

WorkloadSpec with_sparsity(double sparsity) {
    WorkloadSpec spec = find_preset("examples/xu-fig4").spec;
    spec.name = "custom";
    spec.sparsity = sparsity;
    thin_or_fill(spec);
    return spec;
}

TEST(ExampleZeros, an_example_gets_the_share_that_is_requested_and_keeps_its_weights) {
    const WorkloadSpec own = find_preset("examples/xu-fig4").spec;
    for (const double sparsity : {0.0, 0.2, 0.64, 0.9, 1.0}) {
        const Workload made = make_workload(with_sparsity(sparsity));
        EXPECT_NEAR(made.sparsity_measured, sparsity, 0.5 / 25 + 1e-9);
        EXPECT_EQ(made.spec.sparsity, sparsity) << "the share that was requested is reported";
        EXPECT_EQ(made.w.data, own.example_w);
        for (std::size_t i = 0; i < made.x.data.size(); ++i) {
            const float value = made.x.data[i];
            EXPECT_TRUE(sparsity < 0.64 || value == 0 || value == own.example_x[i]) << i;
            EXPECT_TRUE(sparsity > 0.64 || own.example_x[i] == 0 || value == own.example_x[i]) << i;
            EXPECT_TRUE(value == 0 || std::ranges::count(own.example_x, value) > 0) << "only values that it has";
        }
    }
}

TEST(ExampleZeros, what_is_zero_stays_zero_while_the_share_grows) {
    std::vector<float> before = with_sparsity(0).example_x;
    for (int percent = 1; percent <= 100; ++percent) {
        const std::vector<float> now = with_sparsity(percent / 100.0).example_x;
        for (std::size_t i = 0; i < now.size(); ++i) EXPECT_TRUE(now[i] == before[i] || now[i] == 0) << percent;
        before = now;
    }
}

TEST(ExampleZeros, at_its_papers_share_an_example_is_the_preset_again) {
    const WorkloadSpec own = find_preset("examples/xu-fig4").spec;
    WorkloadSpec spec = with_sparsity(0.2);
    EXPECT_EQ(spec.name, "custom");
    spec.sparsity = 0.64;
    thin_or_fill(spec);
    EXPECT_EQ(spec.example_x, own.example_x);
    EXPECT_EQ(spec.name, own.name);

    spec.name = "custom";
    spec.weight_sparsity = 0.5;
    thin_or_fill(spec);
    EXPECT_EQ(spec.example_x, own.example_x);
    EXPECT_EQ(spec.name, "custom") << "its weights are not the preset's";
}

}  // namespace
}  // namespace convscope
