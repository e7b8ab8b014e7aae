// winograd1 beyond the registry-wide random shapes: edges, passes, rejections, workspace, and the hardest case for its
// tolerance. On the CPU and on the simulated GPU.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/core/error.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "kernels/winograd/winograd_passes.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

using testing::registry;

class Winograd1 : public ::testing::TestWithParam<DeviceKind> {
protected:
    const Method& method() const { return registry().get("winograd1", GetParam()); }
    Device& device() const { return registry().device(to_string(GetParam())); }
};

/// Whole numbers, and weights in fours: every transform and every sum is exact.
Workload exact_workload(const ConvShape& shape) {
    Workload workload = testing::random_workload(shape, 0, 1);
    testing::Random random(3);
    for (float& value : workload.x.data) value = static_cast<float>(random.between(-9, 9));
    for (float& value : workload.w.data) value = static_cast<float>(4 * random.between(-9, 9));
    return workload;
}

TEST_P(Winograd1, is_exact_at_every_edge) {
    for (std::int64_t h = 1; h <= 6; ++h)
        for (std::int64_t w = 1; w <= 7; w += 2)
            for (std::int64_t pad_h = 0; pad_h <= 3; ++pad_h)
                for (std::int64_t pad_w = 0; pad_w <= 2; ++pad_w) {
                    ConvShape shape{.n = 2, .c = 3, .h = h, .w = w, .k = 5, .r = 3, .s = 3};
                    shape.pad_h = pad_h;
                    shape.pad_w = pad_w;
                    if (shape.padded_h() < 3 || shape.padded_w() < 3) continue;
                    const Workload workload = exact_workload(shape);
                    EXPECT_EQ(testing::run_method(method(), workload, device()).data, reference_output(workload).data)
                        << to_string(shape);
                }
}

TEST_P(Winograd1, is_exact_over_many_tiles) {
    // On the CPU more tiles than one pass takes, and a last pass that is not full.
    const ConvShape shape{.n = 3, .c = 50, .h = 41, .w = 38, .k = 70, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const Workload workload = exact_workload(shape);
    EXPECT_EQ(testing::run_method(method(), workload, device()).data, reference_output(workload).data);
}

TEST_P(Winograd1, says_what_it_does_not_take) {
    const ConvShape plain{.h = 9, .w = 9, .r = 3, .s = 3};
    EXPECT_TRUE(method().supports(plain)) << method().supports(plain).reason;
    const auto reason = [&](const ConvShape& shape) {
        EXPECT_THROW(method().instantiate(shape, {}, device()), Error);
        return method().supports(shape).reason;
    };
    EXPECT_EQ(reason({.h = 9, .w = 9, .r = 5, .s = 5}),
              "F(2x2, 3x3) takes 3x3 filters, not 5x5; im2col and mec2 take any");
    EXPECT_EQ(reason({.h = 9, .w = 9, .r = 3, .s = 1}),
              "F(2x2, 3x3) takes 3x3 filters, not 3x1; im2col and mec2 take any");
    ConvShape strided = plain;
    strided.stride_w = 2;
    EXPECT_EQ(reason(strided),
              "F(2x2, 3x3) takes stride 1, not 1,2: its tiles share what neighbouring outputs read; im2col and mec2 "
              "take any stride");
    const ConvShape padded{.c = 3000, .h = 1, .w = 1, .r = 3, .s = 3, .pad_h = 1000, .pad_w = 1000};
    EXPECT_EQ(
        reason(padded),
        "F(2x2, 3x3) cuts this shape into 1000000 tiles of 3000 channels, and takes up to 2147483647 in all; make "
        "the padding or the batch smaller");
}

// Only the map's last column meets the filter's first, at no output. The sums at all outputs are tiny, what passes
// through the transforms is not; the scale takes it in.
TEST_P(Winograd1, is_held_against_what_its_tiles_multiply) {
    const ConvShape shape{.c = 2, .h = 6, .w = 5, .k = 2, .r = 3, .s = 3};
    Workload workload = testing::random_workload(shape, 0, 8);
    for (std::int64_t c = 0; c < shape.c; ++c)
        for (std::int64_t row = 0; row < shape.h; ++row)
            for (std::int64_t column = 0; column < shape.w; ++column)
                workload.x.at(0, c, row, column) *= column == shape.w - 1 ? 1e3F : 1e-3F;
    for (std::int64_t k = 0; k < shape.k; ++k)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t row = 0; row < 3; ++row)
                for (std::int64_t column = 0; column < 3; ++column)
                    workload.w.at(k, c, row, column) *= column == 0 ? 1e3F : 1e-3F;
    const ReferenceResult reference = reference_result(workload);
    const Tensor y = testing::run_method(method(), workload, device());
    const auto error = [&](double largest_scale) {
        return verify(y, reference.y, reference.scale, shape, DType::f32, Summation::f2x2_3x3, largest_scale);
    };
    EXPECT_TRUE(error(reference.largest_scale).ok) << error(reference.largest_scale).reason;
    EXPECT_FALSE(error(0).ok) << "the outputs' own sums alone would be no scale";
}

INSTANTIATE_TEST_SUITE_P(Devices, Winograd1, ::testing::Values(DeviceKind::cpu, DeviceKind::sim),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(Winograd1OnTheGpu, rejects_blocks_that_are_not_flat) {
    const Method& method = registry().get("winograd1", DeviceKind::sim);
    const ConvShape shape{.c = 8, .h = 9, .w = 9, .k = 8, .r = 3, .s = 3};
    const auto reason = [&](const LaunchConfig& config) {
        return method.resolve(shape, config, registry().device("sim").info().model).support.reason;
    };
    EXPECT_EQ(reason({Dim3{32, 4, 1}, {}, {}}),
              "block is 32x4x1; winograd1's threads lie along the planes of V: Nx1x1");
    EXPECT_NE(reason({{}, Dim3{4, 1, 1}, {}}).find("winograd1's grid follows from"), std::string::npos);
    EXPECT_NE(reason({{}, {}, {{"output_threads", 48}}}).find("output_threads is 48; it can be 32"), std::string::npos);
    EXPECT_EQ(reason({Dim3{256, 1, 1}, {}, {{"output_threads", 64}}}), "");
}

TEST(Winograd1OnTheGpu, holds_u_and_v_and_m_with_planes_of_256_bytes) {
    const Method& method = registry().get("winograd1", DeviceKind::sim);
    // 2 images of 4x3 tiles; 24 * 5 floats are padded to 128, 24 * 8 are 3 * 64 as they are.
    ConvShape shape{.n = 2, .c = 5, .h = 10, .w = 7, .k = 8, .r = 3, .s = 3};
    const std::int64_t beyond_w = (16 - 9) * 5 * 8;
    EXPECT_EQ(method.workspace_bytes(shape), 4 * (16 * 128 + 16 * 192 + beyond_w));
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    EXPECT_EQ(method.workspace_bytes(shape), 4 * (16 * 128 + 16 * 192 + beyond_w + shape.conv_elements()));
}

TEST(Winograd1OnTheCpu, shares_out_its_tiles_in_passes_of_equal_size) {
    ConvShape shape{.c = 64, .h = 58, .w = 58, .k = 64, .r = 3, .s = 3};  // 28x28 tiles, 128 of them in 1 MiB
    EXPECT_EQ(winograd_passes(shape, 1).tiles, 112) << "7 passes";
    EXPECT_EQ(winograd_passes(shape, 1).at_once, 1);
    EXPECT_EQ(winograd_passes(shape, 4).tiles, 98) << "8 passes";
    EXPECT_EQ(winograd_passes(shape, 4).at_once, 4);
    EXPECT_EQ(winograd_passes(shape, 16).tiles, 112) << "7 passes, one after the other";
    EXPECT_EQ(winograd_passes(shape, 16).at_once, 1);
    shape.c = shape.k = 512;
    EXPECT_EQ(winograd_passes(shape, 4).tiles, 66) << "9 passes of 96 tiles, the fewest, made 12";
}

TEST(Winograd1OnTheCpu, holds_v_and_m_of_the_passes_under_way) {
    const Method& method = registry().get("winograd1", DeviceKind::cpu);
    const ConvShape shape{.c = 4, .h = 6, .w = 6, .k = 8, .r = 3, .s = 3};  // 2x2 tiles, one pass
    const std::int64_t beyond_w = (16 - 9) * 4 * 8;
    EXPECT_EQ(method.workspace_bytes(shape), 4 * (16 * (4 * 4 + 16) + 16 * (4 * 8 + 16) + beyond_w));
}

TEST(Winograd1OnTheCpu, multiplies_with_open_blas_too) {
    LaunchConfig blas;
    blas.tunables["openblas"] = 1;
    const ConvShape shape{.n = 2, .c = 7, .h = 9, .w = 12, .k = 33, .r = 3, .s = 3, .pad_h = 1};
    const Workload workload = exact_workload(shape);
    const Method& method = registry().get("winograd1", DeviceKind::cpu);
    EXPECT_EQ(testing::run_method(method, workload, registry().device("cpu"), blas).data,
              reference_output(workload).data);
}

}  // namespace
}  // namespace convscope
