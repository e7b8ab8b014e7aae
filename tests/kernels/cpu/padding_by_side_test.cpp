// Methods of the CPU and of the simulated GPU against the reference on padding that differs by side, or rejected with
// the reason.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "kernels/measure/verify.h"
#include "tests/support/random_cases.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

using testing::registry;

void expect_agreement(DeviceKind kind, const char* device, std::set<std::string> taking) {
    constexpr std::size_t count = testing::tried(160);
    testing::RandomCases cases(testing::shapes_padded_by_side(count));
    for (const Method* method : registry().methods(kind)) {
        const MethodInfo& info = method->info();
        EXPECT_EQ(info.takes.sides, taking.contains(info.id) || info.id.starts_with("onednn")) << info.id;
        if (info.id == "onednn-winograd") continue;
        std::size_t checked = 0;
        for (std::size_t i = 0; i < (info.vendor ? 24 : count); ++i) {
            const auto& [workload, reference] = cases[i];
            const ConvShape& shape = workload.spec.shape;
            if (const Support support = method->supports(shape); !support) {
                EXPECT_FALSE(support.reason.empty());
                EXPECT_FALSE(info.takes.sides) << info.id << " on " << to_string(shape) << ": " << support.reason;
                continue;
            }
            const auto execution = method->instantiate(shape, {}, registry().device(device));
            testing::run_execution(*execution, workload);
            const Verification result = verify(execution->output(), reference.y, reference.scale, shape, info.dtype,
                                               summation_of(info, *execution), reference.largest_scale);
            ASSERT_TRUE(result.ok) << info.id << " on " << to_string(shape) << ": " << result.reason;
            ++checked;
        }
        EXPECT_EQ(checked > 0, info.takes.sides) << info.id;
    }
}

TEST(PaddingBySide, methods_of_the_cpu_agree_with_the_reference_or_reject_it) {
    expect_agreement(DeviceKind::cpu, "cpu", {"reference", "im2col"});
}

TEST(PaddingBySide, methods_of_the_simulated_gpu_agree_with_the_reference_or_reject_it) {
    expect_agreement(DeviceKind::sim, "sim", {"im2col"});
}

TEST(PaddingBySide, is_rejected_in_one_place_by_what_is_not_made_for_it) {
    ConvShape shape{.h = 8, .w = 8, .r = 2, .s = 2};
    pad_same(shape);
    for (const auto& [id, kind] : {std::pair{"mec2", DeviceKind::cpu}, {"ecr3", DeviceKind::sim}})
        EXPECT_EQ(registry().get(id, kind).supports(shape).reason,
                  std::string(id) + " takes as much padding below as above and right as left, not 0,1,0,1");
}

}  // namespace
}  // namespace convscope
