// Every method with every check on: all run clean, except what is as printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "kernels/simt/as_printed.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_launch.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"
#include "tests/support/source_line.h"
#include "tests/support/test_name.h"

namespace convscope {
namespace {

constexpr std::size_t shapes_per_method = testing::tried(40);

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
        const ReferenceResult reference = reference_result(workload);
        const Verification result = verify(y, reference.y, reference.scale, shape, method().info().dtype,
                                           method().info().summation, reference.largest_scale);
        ASSERT_TRUE(result.ok) << to_string(shape) << ": " << result.reason;
    }
};

TEST_P(CheckedMethod, runs_clean_on_the_papers_examples) {
    int run = 0;
    for (const char* name : {"ecr_figure_4", "pecr_figures_7_8", "mec_figures_1_2"}) {
        const Workload workload = testing::example_workload(name);
        if (!method().supports(workload.spec.shape)) continue;
        expect_clean_and_right(workload, {}, 0);
        ++run;
    }
    // Those are of 3x3 filters.
    EXPECT_EQ(run > 0, method().info().family != "fcr");
}

TEST_P(CheckedMethod, runs_clean_on_random_shapes_in_any_thread_order) {
    const std::vector<ConvShape> shapes = testing::shapes_of_all_kinds(2000, 2019);
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
        if (!method->info().as_printed) ids.push_back(method->info().id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(All, CheckedMethod, ::testing::ValuesIn(clean_ids()),
                         [](const auto& test) { return testing::test_name(test.param); });

std::optional<simt::Finding> finding_in(const std::string& id, const Workload& workload, Tensor* y = nullptr) {
    checked().checker().options.order_seed = 0;
    const Method& method = checked().registry().get(id, DeviceKind::sim);
    try {
        const Tensor result = testing::run_method(method, workload, checked().device());
        if (y) *y = result;
    } catch (const simt::Finding& finding) {
        return finding;
    }
    return std::nullopt;
}

Workload figure(const char* example) {
    return testing::example_workload(example);
}

/// Fig. 4's map with a filter that is not symmetric.
Workload with_other_filter() {
    Workload workload = figure("ecr_figure_4");
    for (std::size_t i = 0; i < workload.w.data.size(); ++i) workload.w.data[i] = static_cast<float>(i);
    return workload;
}

void expect_clean_and_wrong(const std::string& id, const Workload& workload) {
    Tensor y;
    const auto finding = finding_in(id, workload, &y);
    ASSERT_FALSE(finding) << finding->what();
    EXPECT_NE(y.data, reference_output(workload).data) << id << " is right";
}

TEST(AsPrinted, ecr0_adds_to_an_output_that_nobody_has_written) {
    const auto finding = finding_in("ecr0", figure("ecr_figure_4"));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->kind(), simt::FindingKind::uninitialised) << finding->what();
    EXPECT_EQ(finding->found().at.line(), testing::line_of("kernels/ecr/ecr0_kernel.h", "+= F_data[i] * K_data[i]"));
}

TEST(AsPrinted, ecr0_b_is_right_on_the_symmetric_filter_of_fig_4_and_wrong_on_others) {
    Tensor y;
    const Workload fig4 = figure("ecr_figure_4");
    ASSERT_FALSE(finding_in("ecr0b", fig4, &y));
    EXPECT_EQ(y.data, reference_output(fig4).data) << "ptr's + 1 is taken away again";
    expect_clean_and_wrong("ecr0b", with_other_filter());
}

TEST(AsPrinted, pecr0_is_caught_racing_for_data) {
    const auto finding = finding_in("pecr0", figure("pecr_figures_7_8"));
    ASSERT_TRUE(finding) << "pecr0 ran clean";
    const unsigned write = testing::line_of("kernels/pecr/pecr0_kernel.h", "Data[cnt] = Input[offset]");
    EXPECT_EQ(finding->kind(), simt::FindingKind::race) << finding->what();
    EXPECT_EQ(finding->found().at.line(), write) << finding->what();
    EXPECT_EQ(finding->found().thread.x, 1u);
    ASSERT_TRUE(finding->other());
    EXPECT_EQ(finding->other()->thread.x, 0u);
    const unsigned read = testing::line_of("kernels/pecr/pecr0_kernel.h", "Output[i] = fmaf(");
    EXPECT_TRUE(finding->other()->at.line() == write || finding->other()->at.line() == read) << finding->what();
}

TEST(AsPrinted, pecr0_b_runs_clean_and_the_reference_sees_its_indices) {
    expect_clean_and_wrong("pecr0b", figure("pecr_figures_7_8"));
}

TEST(AsPrinted, gives_the_results_that_the_lesson_on_slips_asks_for) {
    Workload unpooled = figure("pecr_figures_7_8");
    unpooled.spec.shape.pool_h = unpooled.spec.shape.pool_w = unpooled.spec.shape.pool_stride = 0;
    Tensor y;
    ASSERT_FALSE(finding_in("ecr0b", unpooled, &y));
    EXPECT_EQ(y.data[0], 30);
    ASSERT_FALSE(finding_in("pecr0b", figure("pecr_figures_7_8"), &y));
    EXPECT_EQ(y.data[0], 31);
}

TEST(AsPrinted, pecr2_p_races_between_its_steps) {
    const auto finding = finding_in("pecr2p", figure("pecr_figures_7_8"));
    ASSERT_TRUE(finding) << "pecr2p ran clean";
    EXPECT_EQ(finding->kind(), simt::FindingKind::race) << finding->what();
    EXPECT_EQ(finding->found().at.line(),
              testing::line_of("kernels/pecr/pecr2p_kernel.h", "conv[tid] = max_or_nan(mine, other)"));
}

TEST(AsPrinted, fused1_p_loads_its_tile_to_one_place) {
    const auto finding = finding_in("fused1p", figure("pecr_figures_7_8"));
    ASSERT_TRUE(finding) << "fused1p ran clean";
    EXPECT_EQ(finding->kind(), simt::FindingKind::race) << finding->what();
    EXPECT_EQ(finding->found().at.line(),
              testing::line_of("kernels/fused/fused1p_kernel.h", "s_input[flat_s_mem_idx] ="));
}

TEST(AsPrinted, is_no_result) {
    std::vector<std::string> ids;
    for (const Method* method : checked().registry().methods(DeviceKind::sim)) {
        if (!method->info().as_printed) continue;
        ids.push_back(method->info().id);
        EXPECT_NE(method->info().title.find("not a result"), std::string::npos) << ids.back();
    }
    std::vector<std::string> listed(as_printed_ids.begin(), as_printed_ids.end());
    std::ranges::sort(ids);
    std::ranges::sort(listed);
    EXPECT_EQ(ids, listed);
    const auto offered = make_registry();
    for (const auto& method : offered->methods()) EXPECT_FALSE(method->info().as_printed) << method->info().id;
}

}  // namespace
}  // namespace convscope
