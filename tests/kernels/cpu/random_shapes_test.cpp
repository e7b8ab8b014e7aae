// Every CPU method against the reference on random shapes, its output poisoned before each run.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/measure/verify.h"
#include "tests/support/random_cases.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"
#include "tests/support/test_name.h"

namespace convscope {
namespace {

using testing::registry;

constexpr std::size_t shapes_per_method = testing::tried(500);
constexpr std::size_t shapes_per_baseline = 25;  // the library compiles its code again for each
// Enough that a method which takes pooled single maps only (a sixth of them) meets 500 of its own.
constexpr std::size_t shape_count = 3600;

const testing::RandomCase& case_of(std::size_t i) {
    static testing::RandomCases cases(testing::random_shapes(shape_count));
    return cases[i];
}

std::vector<std::string> cpu_methods() {
    std::vector<std::string> ids;
    for (const Method* method : registry().methods(DeviceKind::cpu))
        if (method->info().id != "onednn-winograd") ids.push_back(method->info().id);  // onednn_test.cpp
    return ids;
}

class CpuMethod : public ::testing::TestWithParam<std::string> {};

TEST_P(CpuMethod, agrees_with_the_reference_on_random_shapes) {
    const Method& method = registry().get(GetParam(), DeviceKind::cpu);
    Device& device = registry().device("cpu");
    const auto& info = method.info();
    const std::size_t wanted = info.vendor ? shapes_per_baseline : shapes_per_method;
    std::size_t checked = 0;
    for (std::size_t i = 0; i < shape_count && checked < wanted; ++i) {
        const auto& [workload, reference] = case_of(i);
        const ConvShape& shape = workload.spec.shape;
        if (const Support support = method.supports(shape); !support) {
            EXPECT_FALSE(support.reason.empty());
            continue;
        }
        const auto execution = method.instantiate(shape, {}, device);
        testing::run_execution(*execution, workload);
        const Verification result = verify(execution->output(), reference.y, reference.scale, shape, info.dtype,
                                           summation_of(info, *execution), reference.largest_scale);
        ASSERT_TRUE(result.ok) << "shape " << i << ": " << to_string(shape) << ": " << result.reason << ", error "
                               << result.max_rel_err << " against " << result.tolerance;
        ++checked;
    }
    EXPECT_EQ(checked, wanted);
}

INSTANTIATE_TEST_SUITE_P(All, CpuMethod, ::testing::ValuesIn(cpu_methods()),
                         [](const auto& test) { return testing::test_name(test.param); });

}  // namespace
}  // namespace convscope
