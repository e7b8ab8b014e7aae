// ocpa4 on a GPU, by the GPU's own clock: results as the reference has them, a choice that follows the zeros, and the
// count of these.
#include "kernels/ocpa/ocpa4_method.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/core/zero_patterns.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

class Ocpa4OnGpu : public testing::GpuTest, public ::testing::WithParamInterface<const char*> {
protected:
    const Method& method() { return testing::gpu_registry().get(GetParam(), DeviceKind::cuda); }

    /// Runs it, compares with the reference, and the counts on the GPU with what each candidate says that it executes.
    std::unique_ptr<Execution> expect_right(const Workload& workload) {
        const ConvShape& shape = workload.spec.shape;
        SCOPED_TRACE(to_string(shape));
        auto execution = method().instantiate(shape, {}, device());
        testing::run_execution(*execution, workload);
        const ReferenceResult reference = reference_result(workload);
        const Verification result =
            verify(execution->output(), reference.y, reference.scale, shape, method().info().dtype,
                   summation_of(method().info(), *execution), reference.largest_scale);
        EXPECT_TRUE(result.ok) << execution->choice() << ": " << result.reason;
        const auto& chosen = dynamic_cast<const ChoiceByZeros&>(*execution);
        for (const CandidateLine& line : chosen.table().lines) {
            if (!line.left_out.empty() || !line.of) continue;
            const Method& candidate = testing::gpu_registry().get(line.method, DeviceKind::cuda);
            EXPECT_EQ(chosen.flops().at(*line.of), candidate.executed(workload, "").flops) << line.method;
        }
        return execution;
    }

    /// The line of the chosen candidate.
    static const CandidateLine& line_of(const Execution& execution) {
        const auto& lines = dynamic_cast<const ChoiceByZeros&>(execution).table().lines;
        return *std::ranges::find(lines, execution.choice(), &CandidateLine::method);
    }
};

TEST_P(Ocpa4OnGpu, agrees_with_the_reference_on_random_shapes_and_patterns) {
    std::size_t i = 0;
    for (const auto& shapes : {testing::shapes_of_all_kinds(24, 4), testing::dilated_and_grouped_shapes(6, 4),
                               testing::shapes_padded_by_side(6, 4)})
        for (const ConvShape& shape : shapes) {
            if (!method().supports(shape)) continue;
            Workload workload = testing::random_workload(shape, 0, i);
            const std::int64_t zeros = zero_count(testing::sparsity_of(i), workload.x.elements());
            constexpr std::array patterns{zero_uniformly, fill_blobs, zero_channels, zero_pixels};
            patterns[i % patterns.size()](workload.x, zeros, i, {});
            expect_right(workload);
            ++i;
        }
    EXPECT_GT(i, 30U);
}

TEST_P(Ocpa4OnGpu, chooses_another_method_where_hardly_anything_is_left_to_multiply) {
    ConvShape shape{.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const auto full = expect_right(testing::random_workload(shape, 0, 1));
    const auto empty = expect_right(testing::random_workload(shape, 0.99, 1));
    std::printf("%s: without zeros %s, at 99 %% zeros %s\n", GetParam(), full->choice().c_str(),
                empty->choice().c_str());
    EXPECT_NE(full->choice(), empty->choice());
    EXPECT_TRUE(line_of(*empty).of) << "one that skips zeros";
}

TEST_P(Ocpa4OnGpu, agrees_with_the_reference_on_layers) {
    const ConvShape middle{.n = 2, .c = 64, .h = 28, .w = 28, .k = 96, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    ConvShape pooled = middle;
    pooled.pool_h = pooled.pool_w = pooled.pool_stride = 2;
    for (const ConvShape& shape : {middle, pooled})
        for (const double zeros : {0.0, 0.8}) {
            Workload workload = testing::random_workload(shape, 0, 5);
            zero_pixels(workload.x, zero_count(zeros, workload.x.elements()), 2);
            expect_right(workload);
        }
}

TEST_P(Ocpa4OnGpu, takes_fully_connected_layers) {
    const ConvShape shape{.c = 4096, .k = 4096};
    expect_right(testing::random_workload(shape, 0, 1));
    const auto sparse = expect_right(testing::random_workload(shape, 0.95, 1));
    EXPECT_TRUE(line_of(*sparse).of) << sparse->choice();
}

TEST_P(Ocpa4OnGpu, keeps_its_choice_where_other_inputs_come) {
    const ConvShape shape{.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const auto execution = expect_right(testing::random_workload(shape, 0.99, 1));
    const std::string chosen = execution->choice();
    const Workload other = testing::random_workload(shape, 0, 2);
    execution->stage_inputs(other);
    execution->upload();
    execution->prepare_weights();
    execution->poison_output();
    execution->run();
    execution->synchronize();
    execution->download();
    const ReferenceResult reference = reference_result(other);
    EXPECT_TRUE(verify(execution->output(), reference.y, reference.scale, shape, method().info().dtype,
                       summation_of(method().info(), *execution), reference.largest_scale)
                    .ok);
    EXPECT_EQ(execution->choice(), chosen);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Ocpa4OnGpu, ::testing::Values("ocpa4", "ocpa4-tf32"),
                         [](const auto& test) { return std::string(test.param) == "ocpa4" ? "fp32" : "tf32"; });

}  // namespace
}  // namespace convscope
