// Every method of the simulated GPU against the judge, with the standard and with random launch configurations.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/core/registry.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/judge.h"
#include "kernels/simt/gpu_registration.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_launch.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"
#include "tests/support/test_name.h"
#include "tests/support/whole_numbers.h"

namespace convscope {
namespace {

constexpr std::size_t shapes_per_method = 200;
constexpr std::size_t shape_count = 2000;  // enough for methods that take a sixth of them

Registry& registry() {
    static Registry simulated;
    static const bool registered = (register_simulated_gpu(simulated), true);
    EXPECT_TRUE(registered);
    return simulated;
}

struct Case {
    Workload workload;
    Judgement judgement;
};

/// Random shapes, with some batches of single maps for the methods that take no more than that.
std::vector<ConvShape> make_shapes() {
    std::vector<ConvShape> shapes = testing::random_shapes(shape_count);
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (shapes[i].c == 1 && shapes[i].k == 1 && i % 4 == 0) shapes[i].n = 3;
    return shapes;
}

/// The i-th workload with its judgement, made when it is first asked for.
const Case& case_of(std::size_t i) {
    static const std::vector<ConvShape> shapes = make_shapes();
    static std::vector<std::optional<Case>> cases(shapes.size());
    if (!cases[i]) {
        Workload workload = testing::random_workload(shapes[i], testing::sparsity_of(i), i);
        Judgement judgement = judge(workload);
        cases[i] = Case{std::move(workload), std::move(judgement)};
    }
    return *cases[i];
}

std::string describe(const ResolvedLaunch& resolved) {
    std::string text;
    for (const KernelLaunch& kernel : resolved.kernels)
        text += " " + kernel.kernel + " grid " + to_string(kernel.grid) + " block " + to_string(kernel.block);
    return text;
}

class SimMethod : public ::testing::TestWithParam<std::string> {
protected:
    const Method& method() const { return registry().get(GetParam(), DeviceKind::sim); }
    Device& device() const { return registry().device("sim"); }

    void expect_right(std::size_t i, const LaunchConfig& config) const {
        const auto& [workload, judgement] = case_of(i);
        const ConvShape& shape = workload.spec.shape;
        const Tensor y = testing::run_method(method(), workload, device(), config);
        const Verification result = verify(y, judgement.y, judgement.scale, shape, DType::f32,
                                           summation_of(method().info(), ""), judgement.largest_scale);
        ASSERT_TRUE(result.ok) << "shape " << i << ": " << to_string(shape) << ","
                               << describe(method().resolve(shape, config, device().info().model)) << ": "
                               << result.reason;
    }
};

TEST_P(SimMethod, AgreesWithTheJudgeOnRandomShapes) {
    std::size_t checked = 0;
    for (std::size_t i = 0; i < shape_count && checked < shapes_per_method; ++i) {
        const ConvShape& shape = case_of(i).workload.spec.shape;
        if (const Support support = method().supports(shape); !support) {
            ASSERT_FALSE(support.reason.empty());
            continue;
        }
        expect_right(i, {});
        if (HasFatalFailure()) return;
        ++checked;
    }
    EXPECT_EQ(checked, shapes_per_method);
}

TEST_P(SimMethod, AgreesWithTheJudgeInEveryLaunchConfigurationThatItAccepts) {
    testing::Random random(7);
    std::size_t checked = 0;
    for (std::size_t i = 0; i < shape_count && checked < shapes_per_method; ++i) {
        const ConvShape& shape = case_of(i).workload.spec.shape;
        if (!method().supports(shape)) continue;
        const LaunchConfig config = testing::random_config(random, method(), shape);
        const ResolvedLaunch resolved = method().resolve(shape, config, device().info().model);
        if (!resolved.support) {
            ASSERT_FALSE(resolved.support.reason.empty());
            ASSERT_THROW(method().instantiate(shape, config, device()), Error);
            continue;
        }
        expect_right(i, config);
        if (HasFatalFailure()) return;
        ++checked;
    }
    EXPECT_GE(checked, shapes_per_method / 4);
}

TEST_P(SimMethod, ReproducesThePapersExamplesToTheDigit) {
    struct Example {
        const char *name, *output;
    };
    int reproduced = 0;
    for (const Example& example : {Example{"ecr_figure_4", "output"}, Example{"pecr_figures_7_8", "relu_max_pooled"},
                                   Example{"mec_figures_1_2", "output"}}) {
        const Workload workload = testing::example_workload(example.name);
        if (!method().supports(workload.spec.shape)) continue;
        SCOPED_TRACE(example.name);
        testing::expect_whole_numbers(method().info(), testing::run_method(method(), workload, device()).data,
                                      testing::numbers(testing::paper_examples()[example.name][example.output]));
        ++reproduced;
    }
    EXPECT_GE(reproduced, 1);
}

std::vector<std::string> ids() {
    std::vector<std::string> ids;
    for (const Method* method : registry().methods(DeviceKind::sim)) ids.push_back(method->info().id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(All, SimMethod, ::testing::ValuesIn(ids()),
                         [](const auto& test) { return testing::test_name(test.param); });

}  // namespace
}  // namespace convscope
