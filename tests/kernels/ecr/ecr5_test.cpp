// ecr5's two steps in every instruction set that this CPU has, not only in the widest, which the method takes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/ecr/ecr5_compress.h"
#include "kernels/ecr/ecr5_cpu.h"
#include "kernels/ecr/ecr5_row.h"

namespace convscope {
namespace {

std::vector<Isa> instruction_sets() {
    std::vector<Isa> all;
    for (const Isa isa : {Isa::avx512, Isa::avx2, Isa::baseline})
        if (supported(isa)) all.push_back(isa);
    return all;
}

std::vector<std::pair<std::int64_t, std::int64_t>> columns_and_vectors() {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    for (std::int64_t s = 1; s <= ecr5_max_columns; ++s)
        for (std::int64_t vectors = 1; vectors <= ecr5_max_vectors(s); ++vectors) all.emplace_back(s, vectors);
    return all;
}

TEST(Ecr5, compresses_alike_in_every_instruction_set) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr std::int64_t next = ecr5_channels + 3;  // 16 channels, then something else
    const float channels[next + ecr5_channels] = {0, 1, -0.0f, 2, 0, 0, nan, 3, 4, 0, 0, 0, 0, 0, 0, 5, 9, 9, 9, 0, 6};
    for (const Isa isa : instruction_sets()) {
        float values[3 * ecr5_channels];
        std::int32_t offsets[3 * ecr5_channels];
        ASSERT_EQ(ecr5_compress(isa)({channels, next, 2, 7, 10}, values, offsets), 7);
        EXPECT_EQ(std::vector(values, values + 2), (std::vector<float>{1, 2}));
        EXPECT_TRUE(std::isnan(values[2]));
        EXPECT_EQ(std::vector(values + 3, values + 7), (std::vector<float>{3, 4, 5, 6}));
        EXPECT_EQ(std::vector(offsets, offsets + 7), (std::vector<std::int32_t>{17, 37, 67, 77, 87, 157, 177}));
    }
}

TEST(Ecr5, brings_channels_together_in_every_instruction_set) {
    for (const Isa isa : instruction_sets())
        for (const std::int64_t channels : {0, 1, 15, 16})
            for (const std::int64_t plane : {1, 15, 16, 49}) {
                std::vector<float> from(static_cast<std::size_t>(channels * plane));
                for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i + 1);
                std::vector<float> to(static_cast<std::size_t>(plane * ecr5_channels), -1.0f), wanted(to.size(), 0.0f);
                for (std::int64_t c = 0; c < channels; ++c)
                    for (std::int64_t at = 0; at < plane; ++at)
                        wanted[static_cast<std::size_t>(at * ecr5_channels + c)] =
                            from[static_cast<std::size_t>(c * plane + at)];
                ecr5_interleave(isa)(from.data(), channels, plane, to.data());
                EXPECT_EQ(to, wanted) << channels << " channels of " << plane;
            }
}

TEST(Ecr5, multiplies_a_row_in_every_instruction_set) {
    constexpr std::int64_t columns = 6, rows = 3;
    // Columns with none, one and several elements; whole numbers, so that every sum is exact.
    const std::vector<std::int32_t> begin{0, 2, 2, 3, 6, 6, 7};
    const std::vector<float> values{1, 2, -3, 4, 5, -6, 7};
    for (const Isa isa : instruction_sets())
        for (const auto& [s, vectors] : columns_and_vectors()) {
            const std::int64_t width = vectors * ecr5_lanes(isa);
            std::vector<float> weights(static_cast<std::size_t>(rows * s * width));
            for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i % 13) - 6;
            std::vector<std::int32_t> offsets;
            for (std::size_t i = 0; i < values.size(); ++i)
                offsets.push_back(static_cast<std::int32_t>(static_cast<std::int64_t>(i) % rows * s * width));
            std::vector<float> sums(static_cast<std::size_t>((columns + s - 1) * width), 100.0f), wanted = sums;
            for (std::int64_t column = 0; column < columns; ++column)
                for (auto i = static_cast<std::size_t>(begin[static_cast<std::size_t>(column)]);
                     i < static_cast<std::size_t>(begin[static_cast<std::size_t>(column) + 1]); ++i)
                    for (std::int64_t t = 0; t < s; ++t)
                        for (std::int64_t f = 0; f < width; ++f)
                            wanted[static_cast<std::size_t>((column + s - 1 - t) * width + f)] +=
                                values[i] * weights[static_cast<std::size_t>(offsets[i] + t * width + f)];
            ecr5_multiply(isa, s, vectors)({begin.data(), values.data(), offsets.data(), columns}, weights.data(),
                                           sums.data());
            EXPECT_EQ(sums, wanted) << "s = " << s << ", " << width << " filters";
        }
}

TEST(Ecr5, rejects_what_it_is_not_made_for) {
    const std::unique_ptr<Method> method = make_ecr5();
    ConvShape shape;
    shape.h = shape.w = 20;
    shape.r = shape.s = 3;
    EXPECT_TRUE(method->supports(shape));
    shape.stride_w = 2;
    EXPECT_EQ(method->supports(shape).reason, "ecr5 takes stride 1, not 1,2; ecr3 takes any");
    shape.stride_w = 1;
    shape.s = 7;
    EXPECT_EQ(method->supports(shape).reason,
              "ecr5 takes filters of up to 5 columns, whose sums fit the registers, not s = 7; ecr3 takes any");
}

}  // namespace
}  // namespace convscope
