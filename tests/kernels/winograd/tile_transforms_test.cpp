#include "kernels/winograd/tile_transforms.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "kernels/winograd/f2x2_3x3.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

constexpr float untouched = std::numeric_limits<float>::infinity();

std::vector<float> whole_numbers(std::int64_t count, testing::Random& random) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = static_cast<float>(random.between(-50, 50));
    return values;
}

class TileTransformsOn : public ::testing::TestWithParam<Isa> {
protected:
    void SetUp() override {
        if (!supported(GetParam())) GTEST_SKIP() << "this CPU has no such instructions";
    }
};

TEST_P(TileTransformsOn, transform_the_data_of_any_number_of_channels) {
    testing::Random random(6);
    for (std::int64_t channels = 1; channels <= 70; ++channels) {
        const std::int64_t plane = channels + 3;
        const auto x = whole_numbers(16 * channels, random);
        std::vector<float> v(static_cast<std::size_t>(16 * plane), untouched);
        std::array<const float*, 16> d;
        for (std::size_t e = 0; e < 16; ++e) d[e] = x.data() + static_cast<std::int64_t>(e) * channels;
        tile_transforms(GetParam()).data(d.data(), v.data(), plane, channels);
        for (std::int64_t at = 0; at < plane; ++at) {
            float tile[4][4], expected[4][4];
            for (int e = 0; e < 16; ++e) tile[e / 4][e % 4] = at < channels ? d[static_cast<std::size_t>(e)][at] : 0;
            f2x2_3x3::transform_data(tile, expected);
            for (int e = 0; e < 16; ++e)
                ASSERT_EQ(v[static_cast<std::size_t>(e * plane + at)],
                          at < channels ? expected[e / 4][e % 4] : untouched)
                    << "channel " << at << " of " << channels << ", element " << e;
        }
    }
}

TEST_P(TileTransformsOn, transform_back_any_number_of_filters) {
    testing::Random random(7);
    for (std::int64_t filters = 1; filters <= 70; ++filters) {
        const std::int64_t plane = filters + 5;
        const auto m = whole_numbers(16 * plane, random);
        std::vector<float> y(static_cast<std::size_t>(4 * plane), untouched);
        const std::array<float*, 4> outputs{y.data(), y.data() + plane, y.data() + 2 * plane, y.data() + 3 * plane};
        tile_transforms(GetParam()).inverse(m.data(), plane, outputs.data(), filters);
        for (std::int64_t at = 0; at < plane; ++at) {
            float tile[4][4], expected[2][2];
            for (int e = 0; e < 16; ++e) tile[e / 4][e % 4] = m[static_cast<std::size_t>(e * plane + at)];
            f2x2_3x3::transform_inverse(tile, expected);
            for (int e = 0; e < 4; ++e)
                ASSERT_EQ(outputs[static_cast<std::size_t>(e)][at], at < filters ? expected[e / 2][e % 2] : untouched)
                    << "filter " << at << " of " << filters << ", output " << e;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, TileTransformsOn, ::testing::Values(Isa::avx512, Isa::avx2, Isa::baseline));

}  // namespace
}  // namespace convscope
