// Every method with every check on: all run clean, except what is as printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/measure/rival.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/judge.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_launch.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"
#include "tests/support/source_line.h"
#include "tests/support/test_name.h"

namespace convscope {
namespace {

constexpr std::size_t shapes_per_method = 40;

CheckedDevice& checked() {
    static CheckedDevice device;
    return device;
}

class CheckedMethod : public ::testing::TestWithParam<std::string> {
protected:
    const Method& method() const { return checked().registry().get(GetParam(), DeviceKind::sim); }

    void expect_clean_and_right(const Workload& workload, const LaunchConfig& config, std::uint64_t order_seed) const {
        checked().checker().options.order_seed = order_seed;
        const ConvShape& shape = workload.spec.shape;
        Tensor y;
        ASSERT_NO_THROW(y = testing::run_method(method(), workload, checked().device(), config)) << to_string(shape);
        const Judgement judgement = judge(workload);
        const Verification result = verify(y, judgement.y, judgement.scale, shape, DType::f32,
                                           summation_of(method().info(), ""), judgement.largest_scale);
        ASSERT_TRUE(result.ok) << to_string(shape) << ": " << result.reason;
    }
};

TEST_P(CheckedMethod, RunsCleanOnThePapersExamples) {
    int run = 0;
    for (const char* name : {"ecr_figure_4", "pecr_figures_7_8", "mec_figures_1_2"}) {
        const Workload workload = testing::example_workload(name);
        if (!method().supports(workload.spec.shape)) continue;
        expect_clean_and_right(workload, {}, 0);
        ++run;
    }
    EXPECT_GE(run, 1);
}

TEST_P(CheckedMethod, RunsCleanOnRandomShapesInAnyThreadOrder) {
    const std::vector<ConvShape> shapes = testing::random_shapes(2000, 2019);
    testing::Random random(11);
    std::size_t run = 0;
    for (std::size_t i = 0; i < shapes.size() && run < shapes_per_method; ++i) {
        const ConvShape& shape = shapes[i];
        if (!method().supports(shape) || shape.x_elements() > 4000) continue;
        // Every second shape in a launch configuration of its own.
        LaunchConfig config;
        if (run % 2 == 1) config = testing::random_config(random, method(), shape);
        if (!method().resolve(shape, config, checked().device().info().model).support) config = {};
        expect_clean_and_right(testing::random_workload(shape, testing::sparsity_of(i), i), config, run);
        if (HasFatalFailure()) return;
        ++run;
    }
    EXPECT_EQ(run, shapes_per_method);
}

std::vector<std::string> clean_ids() {
    std::vector<std::string> ids;
    for (const Method* method : checked().registry().methods(DeviceKind::sim))
        if (method->info().id != "pecr0") ids.push_back(method->info().id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(All, CheckedMethod, ::testing::ValuesIn(clean_ids()),
                         [](const auto& test) { return testing::test_name(test.param); });

simt::Finding finding_in_pecr0(const std::string& example) {
    checked().checker().options.order_seed = 0;
    const Method& pecr0 = checked().registry().get("pecr0", DeviceKind::sim);
    try {
        testing::run_method(pecr0, testing::example_workload(example), checked().device());
    } catch (const simt::Finding& finding) {
        return finding;
    }
    throw std::runtime_error("pecr0 ran clean");
}

TEST(Pecr0, IsCaughtRacingForData) {
    const simt::Finding finding = finding_in_pecr0("pecr_figures_7_8");
    const unsigned write = testing::line_of("kernels/pecr/pecr0_kernel.h", "Data[cnt] = Input[offset]");
    EXPECT_EQ(finding.kind(), simt::FindingKind::race) << finding.what();
    EXPECT_EQ(finding.found().at.line(), write) << finding.what();
    EXPECT_EQ(finding.found().thread.x, 1u);
    ASSERT_TRUE(finding.other());
    EXPECT_EQ(finding.other()->thread.x, 0u);
    const unsigned read = testing::line_of("kernels/pecr/pecr0_kernel.h", "Output[i] = fmaf(");
    EXPECT_TRUE(finding.other()->at.line() == write || finding.other()->at.line() == read) << finding.what();
}

TEST(Pecr0, IsNoResult) {
    EXPECT_NE(checked().registry().get("pecr0", DeviceKind::sim).info().title.find("as printed: not a result"),
              std::string::npos);
    const auto offered = make_registry();
    for (DeviceKind kind : {DeviceKind::cpu, DeviceKind::sim, DeviceKind::cuda}) {
        EXPECT_EQ(offered->find("pecr0", kind), nullptr);
        const std::vector<std::string> standard = standard_methods(*offered, kind);
        EXPECT_EQ(std::find(standard.begin(), standard.end(), "pecr0"), standard.end());
    }
}

}  // namespace
}  // namespace convscope
