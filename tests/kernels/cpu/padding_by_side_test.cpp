// Methods of the CPU and of the simulated GPU against the reference on padding that differs by side, or rejected with
// the reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/measure/verify.h"
#include "tests/support/random_cases.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

using testing::registry;

/// How many of the cases the method takes; each of these must agree with the reference.
std::size_t agreeing(const Method& method, const char* device, testing::RandomCases& cases) {
    const MethodInfo& info = method.info();
    const std::size_t count = info.vendor ? std::min<std::size_t>(24, cases.size()) : cases.size();
    std::size_t taken = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [workload, reference] = cases[i];
        const ConvShape& shape = workload.spec.shape;
        if (const Support support = method.supports(shape); !support) {
            EXPECT_FALSE(support.reason.empty());
            continue;
        }
        const auto execution = method.instantiate(shape, {}, registry().device(device));
        testing::run_execution(*execution, workload);
        const Verification result = verify(execution->output(), reference.y, reference.scale, shape, info.dtype,
                                           summation_of(info, *execution), reference.largest_scale);
        EXPECT_TRUE(result.ok) << info.id << " on " << to_string(shape) << ": " << result.reason;
        ++taken;
    }
    return taken;
}

void expect_all_or_none(DeviceKind kind, const char* device, const std::set<std::string>& taking) {
    testing::RandomCases cases(testing::shapes_padded_by_side(testing::tried(160)));
    // Methods that nvcc compiled have their own tests (on_ptx_test): on sim they are slow.
    const Registry& methods = kind == DeviceKind::sim ? testing::simulated_registry() : registry();
    for (const Method* method : methods.methods(kind)) {
        const MethodInfo& info = method->info();
        if (info.id == "onednn-winograd") continue;
        EXPECT_EQ(info.takes.sides, taking.contains(info.id) || info.id.starts_with("onednn")) << info.id;
        const std::size_t taken = agreeing(*method, device, cases);
        const std::size_t all = info.vendor ? 24 : cases.size();
        EXPECT_EQ(taken, info.takes.sides ? all : 0) << info.id;
    }
}

TEST(PaddingBySide, methods_of_the_cpu_agree_with_the_reference_or_reject_it) {
    expect_all_or_none(DeviceKind::cpu, "cpu", {"reference", "im2col"});
}

TEST(PaddingBySide, methods_of_the_simulated_gpu_agree_with_the_reference_or_reject_it) {
    expect_all_or_none(DeviceKind::sim, "sim", {"im2col", "csr2", "csr3", "ell1", "bitmap1", "bsr1", "coo1", "wcsr1"});
}

TEST(PaddingBySide, goes_with_dilation_and_groups) {
    std::vector<ConvShape> shapes = testing::dilated_and_grouped_shapes(60);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        shapes[i].pad_extra_h = static_cast<std::int64_t>(i % 3);
        shapes[i].pad_extra_w = static_cast<std::int64_t>((i + 1) % 3);
    }
    testing::RandomCases cases(shapes);
    for (const char* id : {"reference", "im2col"})
        EXPECT_EQ(agreeing(registry().get(id, DeviceKind::cpu), "cpu", cases), cases.size()) << id;
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
