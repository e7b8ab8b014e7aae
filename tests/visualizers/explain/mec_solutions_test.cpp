// The products of Solutions A and B, carried out as they are listed, give the convolution.
#include "visualizers/explain/mec_solutions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random_shapes.h"
#include "visualizers/explain/math_text.h"

namespace convscope {
namespace {

using Matrix = std::vector<double>;

/// L[n o_w][i_h k_w i_c], from the definition: L[n, w, h, kw, c] = I[n, h, s_w w + kw, c].
Matrix lowered(const ConvShape& s, const Tensor& x) {
    Matrix l;
    for (std::int64_t n = 0; n < s.n; ++n)
        for (std::int64_t ow = 0; ow < s.q(); ++ow)
            for (std::int64_t ih = 0; ih < s.padded_h(); ++ih)
                for (std::int64_t kw = 0; kw < s.s; ++kw)
                    for (std::int64_t c = 0; c < s.c; ++c) {
                        const std::int64_t row = ih - s.pad_h, col = ow * s.stride_w + kw - s.pad_w;
                        const bool inside = row >= 0 && row < s.h && col >= 0 && col < s.w;
                        l.push_back(inside ? x.at(n, c, row, col) : 0);
                    }
    return l;
}

/// O[n][o_h][o_w][k_c], each a sum over its window.
Matrix convolution(const ConvShape& s, const Workload& data) {
    Matrix o;
    for (std::int64_t n = 0; n < s.n; ++n)
        for (std::int64_t oh = 0; oh < s.p(); ++oh)
            for (std::int64_t ow = 0; ow < s.q(); ++ow)
                for (std::int64_t k = 0; k < s.k; ++k) {
                    double sum = 0;
                    for (std::int64_t c = 0; c < s.c; ++c)
                        for (std::int64_t i = 0; i < s.r; ++i)
                            for (std::int64_t j = 0; j < s.s; ++j) {
                                const std::int64_t row = oh * s.stride_h + i - s.pad_h;
                                const std::int64_t col = ow * s.stride_w + j - s.pad_w;
                                if (row < 0 || col < 0 || row >= s.h || col >= s.w) continue;
                                sum += static_cast<double>(data.x.at(n, c, row, col)) * data.w.at(k, c, i, j);
                            }
                    o.push_back(sum);
                }
    return o;
}

/// The products one after the other, each into its part of O, then the copies.
Matrix carried_out(const ConvShape& s, const Workload& data, bool b) {
    const MecSolution solution(s, b);
    const Matrix l = lowered(s, data.x);
    Matrix o(static_cast<std::size_t>(solution.o_rows() * solution.o_cols()));
    for (std::int64_t i = 0; i < solution.products(); ++i) {
        const MecProduct p = solution.product(i);
        EXPECT_LE(p.l.row + p.l.rows, solution.l_rows());
        EXPECT_LE(p.l.col + p.l.cols, solution.l_cols());
        EXPECT_EQ(p.l.rows * s.k, p.o.cols);
        for (std::int64_t row = 0; row < p.l.rows; ++row)
            for (std::int64_t k = 0; k < s.k; ++k) {
                double sum = 0;
                for (std::int64_t t = 0; t < p.l.cols; ++t) {
                    const std::int64_t c = t % s.c, tap = t / s.c;
                    const double value = l[static_cast<std::size_t>((p.l.row + row) * solution.l_cols() + p.l.col + t)];
                    sum += value * data.w.at(k, c, tap / s.s, tap % s.s);
                }
                o[static_cast<std::size_t>(p.o.row * solution.o_cols() + p.o.col + row * s.k + k)] = sum;
            }
    }
    if (solution.copies() == 0) return o;
    Matrix ordered(o.size());
    for (std::int64_t i = 0; i < solution.copies(); ++i) {
        const MatrixPart from = solution.copy_from(i), to = solution.copy_to(i);
        for (std::int64_t e = 0; e < from.cols; ++e)
            ordered[static_cast<std::size_t>(to.row * to.cols + e)] =
                o[static_cast<std::size_t>(from.row * solution.o_cols() + from.col + e)];
    }
    return ordered;
}

TEST(MecSolutions, give_the_convolution_on_random_shapes) {
    std::size_t number = 0;
    for (const ConvShape& shape : testing::random_shapes(60)) {
        const Workload data = testing::random_workload(shape, testing::sparsity_of(number), number);
        ++number;
        const Matrix expected = convolution(shape, data);
        for (const bool b : {false, true}) {
            const Matrix got = carried_out(shape, data, b);
            ASSERT_EQ(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i)
                ASSERT_NEAR(got[i], expected[i], 1e-9 * (1 + std::abs(expected[i]))) << to_string(shape) << " B " << b;
        }
    }
}

ConvShape figure_3() {
    ConvShape shape;
    shape.n = 3;
    shape.h = shape.w = 7;
    shape.r = shape.s = 3;
    return shape;
}

TEST(MecSolutions, count_the_products_of_figure_3) {
    const MecSolution a(figure_3(), false), b(figure_3(), true);
    EXPECT_EQ(a.products(), 5);
    EXPECT_EQ(b.products(), 15);
    EXPECT_EQ(a.copies(), 15);
    EXPECT_EQ(b.copies(), 0);
    EXPECT_EQ(a.gemm_size(), "15 \u00d7 9 by 9 \u00d7 1");
    EXPECT_EQ(b.gemm_size(), "5 \u00d7 9 by 9 \u00d7 1");
    EXPECT_EQ(a.product(1).l, (MatrixPart{0, 3, 15, 9}));
    EXPECT_EQ(b.product(6).l, (MatrixPart{5, 3, 5, 9}));
    EXPECT_EQ(a.describe(1).text(),
              "Product 2 of 5: partition Q (columns 3 to 11) of all 3 images, times K, is row 1 of O");
    EXPECT_EQ(b.describe(6).text(),
              "Product 7 of 15: partition Q (columns 3 to 11) of image 1, times K, is row 6 of O");
    EXPECT_EQ(a.describe(5).text(),
              "Copy 1 of 15: row 0 of image 0 goes from its place in h-n-w-c to its place in n-h-w-c");
}

/// The row of L that an element of O is linked with, times the column of K.
double linked_sum(const MecSolution& solution, SolutionLinks links, const ConvShape& s, const Workload& data,
                  const Matrix& l) {
    const MatrixPart row = links.of(SolutionMatrix::L).at(0), col = links.of(SolutionMatrix::K).at(0);
    EXPECT_EQ(row.cols, col.rows);
    double sum = 0;
    for (std::int64_t t = 0; t < row.cols; ++t)
        sum += l[static_cast<std::size_t>(row.row * solution.l_cols() + row.col + t)] *
               data.w.at(col.col, t % s.c, t / s.c / s.s, t / s.c % s.s);
    return sum;
}

TEST(MecSolutions, link_each_element_with_what_it_is_the_product_of) {
    std::size_t number = 0;
    for (const ConvShape& s : testing::random_shapes(40)) {
        const Workload data = testing::random_workload(s, testing::sparsity_of(number), number);
        ++number;
        const Matrix l = lowered(s, data.x), expected = convolution(s, data);
        for (const bool b : {false, true}) {
            const MecSolution solution(s, b);
            const bool copies = solution.copies() > 0;
            const SolutionMatrix last = copies ? SolutionMatrix::ordered : SolutionMatrix::O;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const std::int64_t cols = s.q() * s.k, row = static_cast<std::int64_t>(i) / cols;
                const SolutionCell cell{last, row, static_cast<std::int64_t>(i) % cols};
                SolutionLinks links = solution.links_of(cell, 0);
                ASSERT_NEAR(linked_sum(solution, links, s, data, l), expected[i], 1e-9 * (1 + std::abs(expected[i])));
                // An element's inputs lead to it.
                const MatrixPart from = links.of(SolutionMatrix::L).at(0), to = links.of(SolutionMatrix::O).at(0);
                SolutionLinks back = solution.links_of({SolutionMatrix::L, from.row, from.col + from.cols - 1}, 0);
                EXPECT_TRUE(std::ranges::any_of(back.of(SolutionMatrix::O), [&](const MatrixPart& part) {
                    return part.row == to.row && part.col <= to.col && to.col < part.col + part.cols;
                })) << to_string(s);
            }
        }
    }
}

TEST(MecSolutions, say_what_a_cell_is_multiplied_with) {
    const MecSolution a(figure_3(), false), b(figure_3(), true);
    EXPECT_EQ(a.links_of({SolutionMatrix::O, 1, 6}, 0).sentence, "row 6 of L in partition Q, times column 0 of K");
    EXPECT_EQ(b.links_of({SolutionMatrix::O, 6, 1}, 0).sentence, "row 6 of L in partition Q, times column 0 of K");
    EXPECT_EQ(a.links_of({SolutionMatrix::ordered, 6, 1}, 0).sentence,
              "row 6 of L in partition Q, times column 0 of K; copied from O[1,6]");
    EXPECT_EQ(a.links_of({SolutionMatrix::L, 6, 7}, 0).sentence,
              "multiplied with row 7 of K in P, row 4 of K in Q, row 1 of K in R");
    EXPECT_EQ(a.links_of({SolutionMatrix::K, 4, 0}, 1).sentence,
              "product 2 multiplies column 7 of L with it, for filter 0");
}

TEST(MecSolutions, say_which_one_algorithm_2_takes) {
    EXPECT_EQ(plain_words(describe_mec_choice(figure_3(), 100, Notation::paper)),
              "Algorithm 2, line 8: o_w = 5 \u2264 T = 100 and |O| = 75 \u2264 |L| = 315, so Solution A");
    EXPECT_EQ(plain_words(describe_mec_choice(figure_3(), 4, Notation::paper)),
              "Algorithm 2, line 8: o_w = 5 > T = 4 and |O| = 75 \u2264 |L| = 315, so Solution B");
}

}  // namespace
}  // namespace convscope
