// fft1's sizes, and a map of 3x3 and a filter of 2x2 through the spectrum by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/cpu/map_transform.h"
#include "kernels/fft/fft_size.h"
#include "kernels/fft/fft_spectra.h"

namespace convscope {
namespace {

TEST(FftSize, lengths_have_no_prime_above_seven) {
    const std::vector<std::pair<std::int64_t, std::int64_t>> lengths{
        {1, 1}, {7, 7}, {11, 12}, {13, 14}, {16, 16}, {17, 18}, {58, 60}, {211, 216}, {226, 240}, {1026, 1029}};
    for (const auto& [length, expected] : lengths) EXPECT_EQ(fft_length(length), expected) << length;
}

TEST(FftSize, is_the_padded_maps_with_an_even_width) {
    const ConvShape vgg{.n = 2, .c = 3, .h = 224, .w = 14, .k = 5, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const FftSizes sizes = fft_sizes(vgg);
    EXPECT_EQ(sizes.x.rows, 240);
    EXPECT_EQ(sizes.x.columns, 16);
    EXPECT_EQ(sizes.x.bins(), 9);
    EXPECT_EQ(sizes.x.maps, 6);
    EXPECT_EQ(sizes.w.maps, 15);
    EXPECT_EQ(sizes.y.maps, 10);
    EXPECT_EQ(sizes.y.bytes(), 10 * 240 * 9 * 8);
    EXPECT_EQ(fft_shape({.w = 9, .s = 3}, 1).columns, 10);
    EXPECT_EQ(fft_shape({.w = 1}, 1).columns, 2);
}

// The transform of a 3x3 map has 3 rows of 4 columns, so 3 bins: over each row a factor of -i per column, from row to
// row one of (-1 - i sqrt 3) / 2.
class Spectrum : public ::testing::Test {
protected:
    const ConvShape shape_{.h = 3, .w = 3, .r = 2, .s = 2};
    const std::vector<float> x_{1, 2, 0, 0, 1, 3, 2, 0, 1};
    const std::vector<float> w_{1, 0, 2, 1};

    std::vector<float> spectrum(const std::vector<float>& map, std::int64_t size) const {
        const FftShape one = fft_shape(shape_, 1);
        std::vector<float> floats(static_cast<std::size_t>(one.map_floats()), std::nanf(""));
        pad_maps(one, map.data(), size, size, 0, 0, floats.data());
        MapTransform(one, FftDirection::forward, FftEffort::estimate).run(floats.data());
        return floats;
    }
    static void expect_near(const std::vector<float>& got, const std::vector<double>& expected) {
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 2e-6) << i;
    }
    const double root_ = std::sqrt(3.0);
};

TEST_F(Spectrum, of_the_map) {
    // Rows transformed: (3, 1 - 2i, -1), (4, -3 - i, 2), (3, 1, 3).
    expect_near(spectrum(x_, 3), {10, 0, -1, -3, 4, 0,  //
                                  -0.5, -root_ / 2, 2 - root_ / 2, -1.5 + 2 * root_, -3.5, root_ / 2, -0.5, root_ / 2,
                                  2 + root_ / 2, -1.5 - 2 * root_, -3.5, -root_ / 2});
}

TEST_F(Spectrum, of_the_filter_padded_to_the_map) {
    // Rows transformed: (1, 1, 1), (3, 2 - i, 1).
    expect_near(spectrum(w_, 2), {4, 0, 3, -1, 2, 0,  //
                                  -0.5, -1.5 * root_, -root_ / 2, 0.5 - root_, 0.5, -root_ / 2, -0.5, 1.5 * root_,
                                  root_ / 2, 0.5 + root_, 0.5, root_ / 2});
}

TEST_F(Spectrum, of_the_result_is_theirs_with_the_filters_conjugate) {
    const std::vector<float> X = spectrum(x_, 3), W = spectrum(w_, 2);
    std::vector<float> Y(X.size(), std::nanf(""));
    multiply_spectra(shape_, X.data(), W.data(), Y.data());
    // 10 * 4; (-1 - 3i)(3 + i); 4 * 2.
    expect_near({Y.begin(), Y.begin() + 6}, {40, 0, 0, -10, 8, 0});
    MapTransform(fft_shape(shape_, 1), FftDirection::inverse, FftEffort::estimate).run(Y.data());
    std::vector<float> y(4);
    crop_maps(shape_, Y.data(), y.data());
    expect_near(y, {2, 7, 4, 2});
}

TEST_F(Spectrum, cropping_keeps_every_stride_th_output) {
    const ConvShape strided{.h = 5, .w = 6, .r = 2, .s = 1, .stride_h = 2, .stride_w = 3};
    const FftShape size = fft_shape(strided, 1);
    std::vector<float> map(static_cast<std::size_t>(size.map_floats()));
    for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<float>(i * size.rows * size.columns);
    std::vector<float> y(static_cast<std::size_t>(strided.conv_elements()));
    crop_maps(strided, map.data(), y.data());
    expect_near(y, {0, 3, 16, 19});
}

}  // namespace
}  // namespace convscope
