// Every method of the simulated GPU against the reference, with the standard and with random launch configurations.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/measure/verify.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_cases.h"
#include "tests/support/random_launch.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"
#include "tests/support/test_name.h"
#include "tests/support/whole_numbers.h"

namespace convscope {
namespace {

using testing::simulated_registry;

constexpr std::size_t shapes_per_method = testing::tried(200);
constexpr std::size_t random_count = 2000;  // enough for methods that take a sixth of them

/// Random shapes, with some batches of single maps for the methods that take no more than that.
std::vector<ConvShape> make_shapes() {
    std::vector<ConvShape> shapes = testing::shapes_of_all_kinds(random_count);
    for (std::size_t i = 0; i < random_count; ++i)
        if (shapes[i].c == 1 && shapes[i].k == 1 && i % 4 == 0) shapes[i].n = 3;
    return shapes;
}

testing::RandomCases& cases() {
    static testing::RandomCases cases(make_shapes());
    return cases;
}

std::string describe(const ResolvedLaunch& resolved) {
    std::string text;
    for (const KernelLaunch& kernel : resolved.kernels)
        text += " " + kernel.kernel + " grid " + to_string(kernel.grid) + " block " + to_string(kernel.block);
    return text;
}

class SimMethod : public ::testing::TestWithParam<std::string> {
protected:
    const Method& method() const { return simulated_registry().get(GetParam(), DeviceKind::sim); }
    Device& device() const { return simulated_registry().device("sim"); }

    void expect_right(std::size_t i, const LaunchConfig& config) const {
        const auto& [workload, reference] = cases()[i];
        const ConvShape& shape = workload.spec.shape;
        const Tensor y = testing::run_method(method(), workload, device(), config);
        const Verification result = verify(y, reference.y, reference.scale, shape, method().info().dtype,
                                           method().info().summation, reference.largest_scale);
        ASSERT_TRUE(result.ok) << "shape " << i << ": " << to_string(shape) << ","
                               << describe(method().resolve(shape, config, device().info().model)) << ": "
                               << result.reason;
    }
};

TEST_P(SimMethod, agrees_with_the_reference_on_random_shapes) {
    std::size_t checked = 0;
    for (std::size_t i = 0; i < cases().size() && checked < shapes_per_method; ++i) {
        const ConvShape& shape = cases()[i].workload.spec.shape;
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

TEST_P(SimMethod, agrees_with_the_reference_in_every_launch_configuration_that_it_accepts) {
    testing::Random random(7);
    std::size_t checked = 0;
    for (std::size_t i = 0; i < cases().size() && checked < shapes_per_method; ++i) {
        const ConvShape& shape = cases()[i].workload.spec.shape;
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

TEST_P(SimMethod, reproduces_the_papers_examples_to_the_digit) {
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
    // Those are of 3x3 filters.
    EXPECT_EQ(reproduced > 0, method().info().family != "fcr");
}

std::vector<std::string> ids() {
    std::vector<std::string> ids;
    for (const Method* method : simulated_registry().methods(DeviceKind::sim)) ids.push_back(method->info().id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(All, SimMethod, ::testing::ValuesIn(ids()),
                         [](const auto& test) { return testing::test_name(test.param); });

}  // namespace
}  // namespace convscope
