// Every CPU method against the reference on dilated and grouped layers, or rejected with the reason.
#include <gtest/gtest.h>

#include "kernels/measure/verify.h"
#include "tests/support/random_cases.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

using testing::registry;

TEST(DilationAndGroups, agree_with_the_reference_or_are_rejected) {
    constexpr std::size_t count = 90;
    testing::RandomCases cases(testing::dilated_and_grouped_shapes(count));
    for (const Method* method : registry().methods(DeviceKind::cpu)) {
        const MethodInfo& info = method->info();
        if (info.id == "onednn-winograd") continue;
        int dilated = 0, grouped = 0;
        for (std::size_t i = 0; i < (info.vendor ? 18 : count); ++i) {
            const auto& [workload, reference] = cases[i];
            const ConvShape& shape = workload.spec.shape;
            if (const Support support = method->supports(shape); !support) {
                EXPECT_FALSE(support.reason.empty());
                continue;
            }
            const auto execution = method->instantiate(shape, {}, registry().device("cpu"));
            testing::run_execution(*execution, workload);
            const Verification result = verify(execution->output(), reference.y, reference.scale, shape, info.dtype,
                                               summation_of(info, *execution), reference.largest_scale);
            ASSERT_TRUE(result.ok) << info.id << " on " << to_string(shape) << ": " << result.reason;
            dilated += shape.dilated();
            grouped += shape.groups > 1;
        }
        EXPECT_EQ(dilated > 0, info.takes.dilation) << info.id;
        EXPECT_GT(grouped, 0) << info.id;
    }
}

TEST(DilationAndGroups, are_rejected_in_one_place_by_what_is_not_made_for_them) {
    const ConvShape dilated{.h = 8, .w = 8, .r = 3, .s = 3, .dilation_h = 2, .dilation_w = 1};
    const ConvShape grouped{.c = 4, .h = 8, .w = 8, .k = 8, .r = 3, .s = 3, .groups = 4};
    EXPECT_EQ(registry().get("mec2", DeviceKind::cpu).supports(dilated).reason, "mec2 takes dilation 1, not 2,1");
    EXPECT_EQ(registry().get("ecr3", DeviceKind::sim).supports(dilated).reason, "ecr3 takes dilation 1, not 2,1");
    EXPECT_EQ(registry().get("ecr3", DeviceKind::sim).supports(grouped).reason, "ecr3 takes one group, not 4");
}

TEST(DilationAndGroups, the_work_of_a_layer_is_that_of_its_groups) {
    for (const ConvShape& shape : testing::dilated_and_grouped_shapes(40, 7)) {
        const Workload workload = testing::random_workload(shape, 0.5, 1);
        for (const Method* method : registry().methods(DeviceKind::cpu)) {
            if (method->info().vendor || !method->supports(shape)) continue;
            double of_groups = 0;
            for (std::int64_t group = 0; group < shape.groups; ++group)
                of_groups += method->executed(group_of(workload, group), "").flops.value_or(0);
            EXPECT_EQ(method->executed(workload, "").flops.value_or(0), of_groups)
                << method->info().id << " on " << to_string(shape);
        }
    }
}

TEST(DilationAndGroups, a_workspace_is_that_of_all_groups) {
    const ConvShape grouped{.c = 4, .h = 8, .w = 8, .k = 8, .r = 3, .s = 3, .groups = 4};
    const Method& im2col = registry().get("im2col", DeviceKind::cpu);
    EXPECT_EQ(im2col.workspace_bytes(grouped), 4 * grouped.im2col_elements());
    EXPECT_EQ(im2col.workspace_bytes(grouped), 4 * im2col.workspace_bytes(one_group(grouped)));
}

}  // namespace
}  // namespace convscope
