// ocpa4 and its kernels as nvcc compiled them, without a GPU and with a scripted clock: right whichever method is
// chosen, and nothing found.
#include "kernels/ocpa/ocpa4_method.h"

#include <gtest/gtest.h>

#include "kernels/ocpa/candidates.h"
#include "tests/kernels/on_ptx/simulated.h"
#include "tests/support/clocked_device.h"
#include "tests/support/random_shapes.h"
#include "tests/support/verified_run.h"

namespace convscope {
namespace {

void expect_nothing_found() {
    for (const on_ptx::PtxLaunch& launch : simulated().gpu->launches)
        for (const std::string& finding : launch.findings) ADD_FAILURE() << launch.kernel << ": " << finding;
    simulated().gpu->launches.clear();
}

TEST(Ocpa4OnPtx, is_right_and_clean_with_methods_of_each_layout) {
    const ConvShape shape{.n = 2, .c = 40, .h = 9, .w = 7, .k = 36, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const auto able = candidates(simulated().registry, DeviceKind::cuda, DType::f32, shape);
    for (const auto& [wanted, layout] : {std::pair{"tensor1", Layout::nchw},
                                         {"ecr4", Layout::nchw},
                                         {"union1", Layout::nhwc},
                                         {"pixel1", Layout::nhwc}}) {
        const std::string name = wanted;
        testing::ClockedDevice device(simulated().device(), [&](std::size_t sampler, std::size_t) {
            return able.at(sampler)->info().id == name ? 1.0 : 9.0;
        });
        const auto method =
            make_ocpa4(simulated().registry, DeviceKind::cuda, DType::f32, layout, on_cuda::map_launchers());
        simulated().gpu->launches.clear();
        const auto execution = method->instantiate(shape, {}, device);
        const Workload workload = testing::random_workload(shape, 0.7, 4);
        testing::run_execution(*execution, workload);
        EXPECT_EQ(execution->choice(), wanted);
        const ReferenceResult reference = reference_result(workload);
        const Verification result = verify(execution->output(), reference.y, reference.scale, shape, DType::f32);
        EXPECT_TRUE(result.ok) << wanted << ": " << result.reason;
        const auto& chosen = dynamic_cast<const ChoiceByZeros&>(*execution);
        for (const CandidateLine& line : chosen.table().lines) {
            if (!line.of) continue;
            const Method& candidate = simulated().registry.get(line.method, DeviceKind::cuda);
            EXPECT_EQ(chosen.flops().at(*line.of), candidate.executed(workload, "").flops) << line.method;
        }
        expect_nothing_found();
    }
}

}  // namespace
}  // namespace convscope
