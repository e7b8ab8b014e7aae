// Every CUDA method of ours as nvcc compiled it, without a GPU: right against the reference, and nothing found.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/measure/verify.h"
#include "kernels/ocpa/layer_choice.h"
#include "tests/kernels/on_ptx/simulated.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_cases.h"
#include "tests/support/random_launch.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"
#include "tests/support/test_name.h"
#include "tests/support/weight_zeros.h"

namespace convscope {
namespace {

constexpr std::size_t shapes_per_method = 12, shape_count = 400;

class CompiledMethod : public ::testing::TestWithParam<std::string> {
protected:
    const Method& method() const { return simulated().registry.get(GetParam(), DeviceKind::cuda); }

    void expect_clean_and_right(const Workload& given, const LaunchConfig& config = {}) const {
        const Workload workload = testing::with_fitting_weights(method(), given, config);
        const ConvShape& shape = workload.spec.shape;
        SCOPED_TRACE(to_string(shape));
        simulated().gpu->launches.clear();
        const Tensor y = testing::run_method(method(), workload, simulated().device(), config);
        for (const on_ptx::PtxLaunch& launch : simulated().gpu->launches)
            for (const std::string& finding : launch.findings) ADD_FAILURE() << launch.kernel << ": " << finding;
        const ReferenceResult reference = reference_result(workload);
        const Verification result = verify(y, reference.y, reference.scale, shape, method().info().dtype,
                                           method().info().summation, reference.largest_scale);
        EXPECT_TRUE(result.ok) << result.reason << ", error " << result.max_rel_err << " against " << result.tolerance;
    }
};

TEST_P(CompiledMethod, is_right_and_clean_on_the_worked_examples) {
    for (const char* name : {"ecr_figure_4", "pecr_figures_7_8", "mec_figures_1_2"}) {
        const Workload workload = testing::example_workload(name);
        if (method().supports(workload.spec.shape)) expect_clean_and_right(workload);
    }
}

TEST_P(CompiledMethod, is_right_and_clean_on_random_shapes_and_launches) {
    const std::vector<ConvShape> shapes = testing::shapes_of_all_kinds(shape_count, 2026);
    testing::Random random(17);
    std::size_t run = 0;
    for (std::size_t i = 0; i < shapes.size() && run < shapes_per_method && !HasFailure(); ++i) {
        const ConvShape& shape = shapes[i];
        if (!method().supports(shape)) continue;
        LaunchConfig config;
        if (run % 2 == 1) config = testing::random_config(random, method(), shape);
        if (!method().resolve(shape, config, simulated().device().info().model).support) config = {};
        expect_clean_and_right(testing::random_workload(shape, testing::sparsity_of(i), i), config);
        ++run;
    }
    EXPECT_GT(run, 0u);
}

/// Channels and filters as networks have them: what tensor cores, bulk copies and clusters are planned for.
TEST_P(CompiledMethod, is_right_and_clean_on_layers) {
    const ConvShape middle{.c = 64, .h = 14, .w = 14, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    ConvShape pooled = middle, pointwise{.n = 2, .c = 128, .h = 7, .w = 7, .k = 96, .r = 1, .s = 1};
    pooled.pool_h = pooled.pool_w = pooled.pool_stride = 2;
    ConvShape halved = pointwise;
    halved.stride_h = halved.stride_w = 2;
    const ConvShape connected{.c = 4100, .k = 200}, batch{.n = 4, .c = 400, .k = 300};
    for (const ConvShape& shape : {middle, pooled, pointwise, halved, connected, batch})
        if (method().supports(shape)) expect_clean_and_right(testing::random_workload(shape, 0.8, 3));
}

struct Omission {
    const char *method, *instruction, *found;
};
class ForgottenInstruction : public ::testing::TestWithParam<Omission> {};

TEST_P(ForgottenInstruction, is_found) {
    const Method& method = simulated().registry.get(GetParam().method, DeviceKind::cuda);
    const ConvShape shape{.c = 64, .h = 14, .w = 14, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    on_ptx::PtxGpu& gpu = *simulated().gpu;
    gpu.launches.clear();
    gpu.forgotten = GetParam().instruction;
    testing::run_method(method, testing::random_workload(shape, 0.8, 3), simulated().device());
    gpu.forgotten.clear();
    std::string all;
    for (const on_ptx::PtxLaunch& launch : gpu.launches)
        for (const std::string& finding : launch.findings) all += finding + '\n';
    EXPECT_NE(all.find(GetParam().found), std::string::npos) << all;
}

INSTANTIATE_TEST_SUITE_P(
    InHopperKernels, ForgottenInstruction,
    ::testing::Values(Omission{"tensor1", "fence.proxy.async", "and no fence.proxy.async comes between"},
                      Omission{"tensor1", "wgmma.wait_group", "reads a sum, and no wgmma.wait_group comes between"},
                      Omission{"union1", "cp.async.wait", "a copy in flight has yet to bring"},
                      Omission{"ecr4", "cp.async.wait", "uninitialised"},
                      Omission{"ecr4", "bar.sync", "and no barrier comes between"},
                      Omission{"fused6", "mbarrier.init", "uninitialised"},
                      Omission{"pixel1", "bar.sync", "and no barrier comes between"},
                      Omission{"pixel1", "barrier.cluster", "race"}, Omission{"mec5", "barrier.cluster", "race"},
                      Omission{"wcsr1", "cp.async.wait", "uninitialised"}),
    [](const auto& test) {
        std::string name = std::string(test.param.method) + "_" + test.param.instruction;
        std::ranges::replace(name, '.', '_');
        return name;
    });

std::vector<std::string> ids() {
    std::vector<std::string> ids;
    for (const Method* method : simulated().registry.methods(DeviceKind::cuda)) {
        // With a scripted clock: in ocpa4_test.cpp.
        if (!times_candidates(*method)) ids.push_back(method->info().id);
    }
    return ids;
}

INSTANTIATE_TEST_SUITE_P(All, CompiledMethod, ::testing::ValuesIn(ids()),
                         [](const auto& test) { return testing::test_name(test.param); });

}  // namespace
}  // namespace convscope
