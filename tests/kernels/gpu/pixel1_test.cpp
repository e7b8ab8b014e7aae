// pixel1 and pixel2 on a GPU of compute capability 9.0: maps with empty pixels, small ones and the networks' own;
// values that are not finite; magnitudes beyond FP16's; always the same bits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/gpu/method_on_gpu.h"
#include "tests/support/pixel_cases.h"

namespace convscope {
namespace {

class PixelOnGpu : public testing::MethodOnGpu<testing::HopperTest> {
protected:
    using MethodOnGpu::expect_right;
    void expect_right(const Workload& workload, const LaunchConfig& config = {}) {
        expect_right(workload, reference_result(workload), config);
    }
};

TEST_P(PixelOnGpu, agrees_with_the_reference_whichever_pixels_are_empty) {
    for (const testing::PixelCase& tried : testing::pixel_cases()) {
        SCOPED_TRACE(tried.name);
        expect_right(tried.workload, tried.config);
    }
}

TEST_P(PixelOnGpu, agrees_with_the_reference_on_layers_of_networks) {
    for (const ConvShape& shape :
         {ConvShape{.c = 64, .h = 224, .w = 224, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1},
          ConvShape{.n = 2, .c = 128, .h = 112, .w = 112, .k = 128, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1},
          ConvShape{.n = 3, .c = 256, .h = 56, .w = 56, .k = 256, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1},
          ConvShape{.c = 512, .h = 28, .w = 28, .k = 512, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1},
          ConvShape{.c = 3,
          .h = 224,
          .w = 224,
          .k = 64,
          .r = 7,
          .s = 7,
          .stride_h = 2,
          .stride_w = 2,
          .pad_h = 3,
          .pad_w = 3}})
        for (const double empty : {0.0, 0.9}) expect_right(testing::with_empty_pixels(shape, empty));
}

TEST_P(PixelOnGpu, agrees_with_the_reference_in_every_launch_configuration) {
    testing::Random random(22);
    const ConvShape shape{.n = 2, .c = 160, .h = 40, .w = 33, .k = 70, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    for (const double empty : {0.3, 0.9}) {
        const Workload workload = testing::with_empty_pixels(shape, empty);
        expect_right_in_every_launch(random, workload, 40);
    }
}

TEST_P(PixelOnGpu, scales_follow_pixels_and_filters) {
    const ConvShape shape{.n = 3, .c = 96, .h = 24, .w = 24, .k = 72, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    Workload workload = testing::with_empty_pixels(shape, 0.7);
    constexpr float factor[]{1e12F, 1.0F, 1e-12F};
    for (std::int64_t n = 0; n < shape.n; ++n)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t h = 0; h < shape.h; ++h)
                for (std::int64_t w = 0; w < shape.w; ++w) workload.x.at(n, c, h, w) *= factor[(n + h + w) % 3];
    for (std::int64_t k = 0; k < shape.k; ++k)
        for (std::int64_t c = 0; c < shape.c; ++c)
            for (std::int64_t r = 0; r < shape.r; ++r)
                for (std::int64_t s = 0; s < shape.s; ++s) workload.w.at(k, c, r, s) *= factor[k % 3];
    expect_right(workload);
}

TEST_P(PixelOnGpu, a_value_that_is_not_finite_spoils_what_sees_it_only) {
    const ConvShape shape{.c = 40, .h = 18, .w = 18, .k = 64, .r = 3, .s = 3};
    for (const float value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        Workload workload = testing::with_empty_pixels(shape, 0.8);
        // The only value of its pixel.
        for (std::int64_t c = 0; c < shape.c; ++c) workload.x.at(0, c, 5, 6) = 0;
        workload.x.at(0, 7, 5, 6) = value;
        const ReferenceResult reference = reference_result(workload);
        const Tensor y = testing::run_method(method(), workload, device(), {});
        for (std::int64_t k = 0; k < shape.k; ++k)
            for (std::int64_t p = 0; p < shape.p(); ++p)
                for (std::int64_t q = 0; q < shape.q(); ++q) {
                    if (p >= 3 && p <= 5 && q >= 4 && q <= 6)
                        EXPECT_FALSE(std::isfinite(y.at(0, k, p, q)));
                    else
                        EXPECT_NEAR(y.at(0, k, p, q), reference.y.at(0, k, p, q), 0.02);
                }
    }
}

TEST_P(PixelOnGpu, gives_the_same_bits_each_time) {
    const Workload workload = testing::with_empty_pixels(
        {.n = 4, .c = 256, .h = 56, .w = 56, .k = 256, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1}, 0.9);
    expect_the_same_bits_each_time(workload);
}

INSTANTIATE_TEST_SUITE_P(Both, PixelOnGpu, ::testing::Values("pixel1", "pixel2"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace convscope
