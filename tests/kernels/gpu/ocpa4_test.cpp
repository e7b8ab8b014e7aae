// ocpa4 on a GPU, by the GPU's own clock: results as the reference has them, a choice that follows the zeros, and the
// count of these.
#include "kernels/ocpa/ocpa4_method.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/layers/zero_patterns.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"
#include "tests/support/test_name.h"

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
        const auto& lines = chosen.table().lines;
        const auto taken = std::ranges::find(lines, execution->choice(), &CandidateLine::method);
        if (taken == lines.end()) {
            ADD_FAILURE() << execution->choice() << " is no candidate";
            return execution;
        }
        for (const CandidateLine& other : lines)
            EXPECT_TRUE(!other.left_out.empty() || taken->us(chosen.flops()) <= other.us(chosen.flops()))
                << other.method << " is faster by the law than " << execution->choice();
        for (const CandidateLine& line : chosen.table().lines) {
            if (!line.left_out.empty() || !line.of) continue;
            const Method& candidate = testing::gpu_registry().get(line.method, DeviceKind::cuda);
            EXPECT_EQ(chosen.flops().at(*line.of), candidate.executed(workload, "").flops) << line.method;
        }
        return execution;
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

// Which method that is depends on the GPU; that it is the law's fastest is held in expect_right.
TEST_P(Ocpa4OnGpu, counts_less_where_hardly_anything_is_left_to_multiply) {
    const ConvShape shape{.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    Workload workload = testing::random_workload(shape, 0, 1);
    const auto full = expect_right(workload);
    // In NHWC the sparse ones convert, and single zeros gain no more than that costs.
    const auto place = method().info().layout == Layout::nhwc ? zero_channels : zero_uniformly;
    place(workload.x, zero_count(0.99, workload.x.elements()), 1, {});
    const auto empty = expect_right(workload);
    std::printf("%s: without zeros %s, at 99 %% zeros %s\n", GetParam(), full->choice().c_str(),
                empty->choice().c_str());
    const auto flops = [](const Execution& of) { return dynamic_cast<const ChoiceByZeros&>(of).flops(); };
    const std::vector<double> less = flops(*empty), more = flops(*full);
    ASSERT_EQ(less.size(), more.size());
    ASSERT_FALSE(less.empty());
    for (std::size_t i = 0; i < less.size(); ++i) EXPECT_LE(less[i], more[i]) << i;
    EXPECT_NE(less, more);
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
    expect_right(testing::random_workload(shape, 0.95, 1));
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

INSTANTIATE_TEST_SUITE_P(All, Ocpa4OnGpu, ::testing::Values("ocpa4", "ocpa4-tf32", "ocpa4-nhwc", "ocpa4-nhwc-tf32"),
                         [](const auto& test) { return testing::test_name(test.param); });

/// Its kernels alone, as the sanitizers are to see them.
class Ocpa4Kernels : public testing::GpuTest {
protected:
    const MapLaunchers& launchers() {
        const Method& method = testing::gpu_registry().get("ocpa4", DeviceKind::cuda);
        return dynamic_cast<const HasMapLaunchers&>(method).launchers();
    }
};

TEST_F(Ocpa4Kernels, count_what_the_host_counts) {
    std::size_t i = 0;
    for (const ConvShape& shape :
         {ConvShape{.h = 1, .w = 1}, ConvShape{.n = 3, .c = 5, .h = 7, .w = 9, .k = 2, .r = 3, .s = 2},
          ConvShape{.n = 2, .c = 33, .h = 31, .w = 17, .k = 8, .r = 3, .s = 3, .stride_h = 2, .pad_h = 1, .pad_w = 1},
          ConvShape{.c = 64, .h = 56, .w = 56, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1},
          ConvShape{.n = 4, .c = 4097, .k = 10}}) {
        ZeroBoxes pixels = nonzero_boxes(shape), rows = pixels, tiles = pixels;
        pixels.c = {1, shape.c};
        rows.n = {1, shape.n};
        // 5 x 4 places, 3 and 4 apart, from one above and left of the map on.
        tiles.h = {shape.h / 3 + 1, 5, 3, -1};
        tiles.w = {shape.w / 4 + 1, 4, 4, -1};
        tiles.row_weights.assign(static_cast<std::size_t>(tiles.h.count), 7);
        tiles.column_weights.assign(static_cast<std::size_t>(tiles.w.count), 3);
        const std::vector<ZeroBoxes> kinds{nonzero_boxes(shape), pixels, rows, tiles};
        for (const ZeroBoxes& zeros : kinds) {
            Tensor x = testing::random_workload(shape, 0, i).x;
            zero_boxes(x, zeros, testing::sparsity_of(i), i);
            std::vector<double> expected;
            for (const ZeroBoxes& boxes : kinds) expected.push_back(flops_of(boxes, x));
            EXPECT_EQ(count_flops(*device().gpu(), launchers(), kinds, x), expected) << to_string(shape);
            ++i;
        }
    }
}

TEST_F(Ocpa4Kernels, turn_maps_over_and_back) {
    Gpu& gpu = *device().gpu();
    for (const ConvShape& shape : {ConvShape{.h = 1, .w = 1}, ConvShape{.n = 3, .c = 5, .h = 7, .w = 9},
                                   ConvShape{.n = 2, .c = 32, .h = 8, .w = 8}, ConvShape{.c = 33, .h = 31, .w = 1},
                                   ConvShape{.n = 2, .c = 130, .h = 57, .w = 55}}) {
        const Tensor x = testing::random_workload(shape, 0, 1).x, turned = to_layout(x, Layout::nhwc);
        const std::size_t bytes = x.data.size() * sizeof(float);
        void *from = gpu.allocate(bytes), *to = gpu.allocate(bytes);
        const auto turn = [&](const Tensor& tensor, const TurnedMaps& maps) {
            std::vector<float> result(tensor.data.size());
            gpu.upload(from, tensor.data.data(), bytes);
            gpu.fill_bytes(to, 0xff, bytes);
            launchers().turn(gpu, maps, static_cast<const float*>(from), static_cast<float*>(to));
            gpu.synchronize();
            gpu.download(result.data(), to, bytes);
            return result;
        };
        EXPECT_EQ(turn(x, {shape.n, shape.c, shape.h * shape.w}), turned.data) << to_string(shape);
        EXPECT_EQ(turn(turned, {shape.n, shape.h * shape.w, shape.c}), x.data) << to_string(shape);
        gpu.release(from);
        gpu.release(to);
    }
}

}  // namespace
}  // namespace convscope
