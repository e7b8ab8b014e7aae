// The transforms of F(2x2, 3x3): an example worked by hand, the identity behind them, and the norms that the tolerance
// is made of.
#include "kernels/winograd/f2x2_3x3.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

template <std::size_t rows, std::size_t columns>
void expect_equal(const float (&values)[rows][columns], const std::array<std::array<float, columns>, rows>& expected) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) EXPECT_EQ(values[i][j], expected[i][j]) << i << ", " << j;
}

void multiply(const float (&u)[4][4], const float (&v)[4][4], float (&m)[4][4]) {
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) m[i][j] = u[i][j] * v[i][j];
}

// Even weights, so that halving twice leaves whole numbers. On the way (columns first):
//
//            | -1  2 -1  0 |           | 2  4  0 |
//    B^T d = |  2  1  4  3 |     G g = | 3  3  2 |     A^T M = |   6  17  5  -4 |
//            |  2 -1 -2 -1 |           | 3  1  0 |             | -10  23  1   0 |
//            | -1  0  1  2 |           | 4  0  2 |
//
// and directly, y(0,0) = 1*2 + 2*4 + 1*2 + 3*2 + 2*4 + 1*2 = 28.
TEST(F2x2_3x3, worked_example) {
    const float d[4][4] = {{1, 2, 0, 1}, {0, 1, 3, 2}, {2, 0, 1, 1}, {1, 1, 2, 0}};
    const float g[3][3] = {{2, 4, 0}, {0, 2, 2}, {4, 0, 2}};
    float v[4][4], u[4][4], m[4][4], y[2][2];
    f2x2_3x3::transform_data(d, v);
    expect_equal<4, 4>(v, {{{0, 1, -3, 2}, {-2, 5, 3, -2}, {4, -3, -1, 0}, {-2, 1, 1, -2}}});
    f2x2_3x3::transform_filter(g, u);
    expect_equal<4, 4>(u, {{{2, 3, -1, 0}, {3, 4, 1, 2}, {3, 2, 1, 0}, {4, 3, 3, 2}}});
    multiply(u, v, m);
    expect_equal<4, 4>(m, {{{0, 3, 3, 0}, {-6, 20, 3, -4}, {12, -6, -1, 0}, {-8, 3, 3, -4}}});
    f2x2_3x3::transform_inverse(m, y);
    expect_equal<2, 2>(y, {{{28, 16}, {14, 22}}});
}

TEST(F2x2_3x3, equals_the_direct_sums_of_whole_numbers) {
    testing::Random random(4);
    for (int round = 0; round < 200; ++round) {
        float d[4][4], g[3][3], v[4][4], u[4][4], m[4][4], y[2][2];
        for (auto& row : d)
            for (float& value : row) value = static_cast<float>(random.between(-99, 99));
        for (auto& row : g)
            for (float& value : row) value = static_cast<float>(random.between(-99, 99));
        f2x2_3x3::transform_data(d, v);
        f2x2_3x3::transform_filter(g, u);
        multiply(u, v, m);
        f2x2_3x3::transform_inverse(m, y);
        for (int p = 0; p < 2; ++p)
            for (int q = 0; q < 2; ++q) {
                float sum = 0;
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j) sum += d[p + i][q + j] * g[i][j];
                ASSERT_EQ(y[p][q], sum);
            }
    }
}

/// The magnitude with which d(di, dj) g(gi, gj) takes part in y(p, q), whatever cancels: |A^T| (|U| |V|) |A|.
float magnitude(int di, int dj, int gi, int gj, int p, int q) {
    float d[4][4] = {}, g[3][3] = {}, v[4][4], u[4][4];
    d[di][dj] = 1;
    g[gi][gj] = 1;
    f2x2_3x3::transform_data(d, v);
    f2x2_3x3::transform_filter(g, u);
    float sum = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            float m[4][4] = {}, y[2][2];
            m[i][j] = 1;
            f2x2_3x3::transform_inverse(m, y);
            sum += std::abs(y[p][q]) * std::abs(u[i][j] * v[i][j]);
        }
    return sum;
}

// docs/measuring.md, 'Winograd and FFT': the products behind an output, gathered by the position of the filter at which
// a direct convolution forms them, are those of 5 positions along each dimension, at most 2 beyond the tile's first
// output and 1 before it.
TEST(F2x2_3x3, magnitudes_grow_twenty_five_fold) {
    for (int p = 0; p < 2; ++p)
        for (int q = 0; q < 2; ++q) {
            std::array<std::array<float, 6>, 6> most{};  // by position, -2 .. 3 from the tile's first output
            for (int di = 0; di < 4; ++di)
                for (int dj = 0; dj < 4; ++dj)
                    for (int gi = 0; gi < 3; ++gi)
                        for (int gj = 0; gj < 3; ++gj) {
                            float& here =
                                most[static_cast<std::size_t>(di - gi + 2)][static_cast<std::size_t>(dj - gj + 2)];
                            here = std::max(here, magnitude(di, dj, gi, gj, p, q));
                        }
            float growth = 0;
            for (std::size_t i = 0; i < most.size(); ++i)
                for (std::size_t j = 0; j < most.size(); ++j) {
                    growth += most[i][j];
                    const bool outside = i == 0 || i == 5 || j == 0 || j == 5;
                    EXPECT_FALSE(outside && most[i][j] > 0) << i << ", " << j;
                }
            EXPECT_EQ(growth, 25);
        }
}

}  // namespace
}  // namespace convscope
