// nm1's weights and metadata, decoded by slow code that goes by the PTX ISA.
#include "kernels/weights/nm_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "tests/support/weight_zeros.h"

namespace convscope {
namespace {

/// 16 filters, 64 channels.
Tensor random_tile(double zeros, std::uint64_t seed) {
    Tensor w = testing::with_weight_zeros({.c = nm_channels, .k = nm_filters}, 0, zeros, seed).w;
    testing::prune_to_two_of_four(w);
    return w;
}

/// PTX ISA, Figure 'Sparse MMA .m16n8k32 metadata layout for .f16/.bf16': the four bits of columns 4 four to 4 four + 3
/// of a row, of the product whose lanes the selector names.
unsigned four_bits(const std::array<unsigned, 32>& words, int selector, int row, int four) {
    const int lane = row % 8 * 4 + 2 * selector + four / 4;
    return words[static_cast<std::size_t>(lane)] >> (row / 8 * 16 + four % 4 * 4) & 15;
}

TEST(NmLayout, stores_what_the_sparse_product_reads) {
    const std::set<unsigned> meaningful{0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110};
    for (const double zeros : {0.0, 0.3, 0.6, 0.9, 1.0})
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Tensor w = random_tile(zeros, seed);
            const auto weight = [&](int filter, int channel) { return w.at(filter, channel, 0, 0); };
            std::array<unsigned, 32> words{};
            for (int lane = 0; lane < 32; ++lane) words[static_cast<std::size_t>(lane)] = nm_metadata(weight, lane);
            Tensor seen(nm_filters, nm_channels, 1, 1);
            for (int step = 0; step < 2; ++step)
                for (int lane = 0; lane < 32; ++lane)
                    for (int i = 0; i < 8; ++i) {
                        // 'Matrix fragments for mma.sp.m16n8k32': stored columns, two for each four.
                        const int row = lane / 4 + (i % 4 < 2 ? 0 : 8);
                        const int four = lane % 4 + (i < 4 ? 0 : 4);
                        const unsigned bits = four_bits(words, step, row, four);
                        ASSERT_TRUE(meaningful.contains(bits)) << bits;
                        const int column = step * 32 + 4 * four + static_cast<int>(i % 2 == 0 ? bits & 3 : bits >> 2);
                        const NmPlace place = nm_sparse_place(weight, step, lane, i);
                        ASSERT_EQ(place.filter, row);
                        ASSERT_EQ(place.channel, column);
                        seen.at(row, column, 0, 0) += weight(place.filter, place.channel);
                    }
            ASSERT_EQ(seen.data, w.data) << "no weight is left out, and none is stored twice";
        }
}

TEST(NmLayout, stores_every_weight_of_the_dense_product_once) {
    std::vector<int> seen(nm_filters * nm_channels);
    for (int block = 0; block < 4; ++block)
        for (int lane = 0; lane < 32; ++lane)
            for (int i = 0; i < 8; ++i) {
                const NmPlace place = nm_dense_place(block, lane, i);
                // 'Matrix fragments for mma.m16n8k16 with floating point type'.
                EXPECT_EQ(place.filter, i < 2 || (i >= 4 && i < 6) ? lane / 4 : lane / 4 + 8);
                EXPECT_EQ(place.channel, 16 * block + lane % 4 * 2 + (i & 1) + (i >= 4 ? 8 : 0));
                ++seen[static_cast<std::size_t>(place.filter * nm_channels + place.channel)];
            }
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

}  // namespace
}  // namespace convscope
