// The pairs behind an element of y on the papers' figures and on shapes of every kind, and the course in time.
#include "visualizers/explain/multiplication.h"

#include <gtest/gtest.h>

#include "tests/support/random_shapes.h"
#include "tests/visualizers/explain/example_map.h"

namespace convscope {
namespace {

using testing::map_values_of;

TEST(Multiplication, of_xu_fig_4_keeps_the_products_that_f_data_holds) {
    const MapValues map_values = map_values_of("ecr_figure_4");
    const Multiplication m = multiplication_of(Format::ecr, map_values, {0, 0});
    ASSERT_EQ(m.windows.size(), 1U);
    ASSERT_EQ(m.pairs.size(), 9U);
    EXPECT_EQ(m.products, 9);
    EXPECT_EQ(m.multiplied(), map_values.needed(0, 0));
    EXPECT_EQ(m.result, map_values.result(0, 0));
    EXPECT_EQ(lead_of(m, 0, 0).text(), "T1 of B1: 3 of 9 products are left, 6 have a zero input; y[0,0] = 30");
    EXPECT_DOUBLE_EQ(lead_of(m, 0, 0).share.value(), 3.0 / 9);
    EXPECT_TRUE(lead_of(m, 0, 0).remains) << "3 of 9 are left";
    EXPECT_EQ(lead_of(m, {}, {}).before, "y[0,0]: ") << "no thread is known";
}

TEST(Multiplication, of_mec_skips_nothing) {
    const MapValues map_values = map_values_of("mec_figures_1_2");
    const Multiplication m = multiplication_of(Format::mec, map_values, {1, 2});
    EXPECT_EQ(m.multiplied(), 9);
    for (const MultiplyPair& pair : m.pairs) EXPECT_FALSE(pair.skipped);
    const Lead lead = lead_of(m, 1, 2);
    EXPECT_EQ(lead.before + lead.number, "y[1,2]: 9 products");
    EXPECT_FALSE(lead.share) << "nothing is saved";
}

TEST(Multiplication, of_xu_fig_7_has_all_windows_of_the_pooling_window) {
    const MapValues map_values = map_values_of("pecr_figures_7_8");
    const ConvShape& s = map_values.shape();
    for (std::int64_t row = 0; row < s.out_h(); ++row)
        for (std::int64_t col = 0; col < s.out_w(); ++col) {
            const Multiplication m = multiplication_of(Format::pecr, map_values, {row, col});
            ASSERT_EQ(m.windows.size(), static_cast<std::size_t>(s.pool_h * s.pool_w));
            EXPECT_EQ(m.windows[1].conv, (Cell{row * s.pool_stride, col * s.pool_stride + 1}));
            EXPECT_EQ(m.result, map_values.pooled(row, col));
            EXPECT_EQ(m.largest ? m.windows[*m.largest].sum : 0, m.result);
        }
}

TEST(Multiplication, says_where_no_sum_is_above_0) {
    ConvShape shape;
    shape.h = shape.w = 4;
    shape.r = shape.s = 3;
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    const std::vector<float> x(16, 1), w(9, -1);
    const Multiplication m = multiplication_of(Format::pecr, MapValues(shape, x.data(), w.data()), {0, 0});
    EXPECT_FALSE(m.largest);
    EXPECT_EQ(lead_of(m, 0, 0).text(),
              "T1 of B1: 36 of 36 products are left, no input is zero; no sum is above 0, so y[0,0] = 0");
}

TEST(Multiplication, adds_up_on_any_shape) {
    std::vector<ConvShape> shapes = testing::random_shapes(40);
    for (const auto& more : {testing::dilated_and_grouped_shapes(20), testing::shapes_padded_by_side(20)})
        shapes.insert(shapes.end(), more.begin(), more.end());
    for (std::size_t number = 0; number < shapes.size(); ++number) {
        const ConvShape& s = shapes[number];
        const Workload data = testing::random_workload(s, 0.5, number);
        const MapValues map_values(s, data.x.data.data(), data.w.data.data());
        const Format format = s.pooled() ? Format::pecr : Format::ecr;
        const Cell last{s.pooled() ? s.out_h() - 1 : s.p() - 1, s.pooled() ? s.out_w() - 1 : s.q() - 1};
        for (const Cell& y : {Cell{0, 0}, last}) {
            const Multiplication m = multiplication_of(format, map_values, y);
            if (m.products > max_multiply_pairs) continue;
            ASSERT_EQ(m.pairs.size(), static_cast<std::size_t>(m.products)) << number;
            std::int64_t kept = 0;
            for (std::size_t window = 0; window < m.windows.size(); ++window) {
                double sum = 0;
                for (std::size_t i = 0; i < static_cast<std::size_t>(s.window()); ++i) {
                    const MultiplyPair& pair = m.pairs[window * static_cast<std::size_t>(s.window()) + i];
                    EXPECT_EQ(pair.input, map_values.x(pair.x.row, pair.x.col)) << number;
                    EXPECT_EQ(pair.skipped, pair.input == 0) << number;
                    const LinkArea& area = m.windows[window].in_x;
                    EXPECT_TRUE(pair.x.row >= area.row && pair.x.row < area.row + area.rows) << number;
                    EXPECT_TRUE(pair.x.col >= area.col && pair.x.col < area.col + area.cols) << number;
                    if (pair.skipped) continue;
                    ++kept;
                    sum += pair.product();
                }
                EXPECT_NEAR(sum, m.windows[window].sum, 1e-4) << number;
            }
            EXPECT_EQ(kept, m.multiplied()) << number;
        }
    }
}

TEST(Multiplication, of_a_filter_as_large_as_its_map_is_counted_alone) {
    ConvShape shape;
    shape.h = shape.w = shape.r = shape.s = 40;
    const std::vector<float> x(1600, 0), w(1600, 1);
    const Multiplication m = multiplication_of(Format::ecr, MapValues(shape, x.data(), w.data()), {0, 0});
    EXPECT_TRUE(m.pairs.empty());
    EXPECT_EQ(m.products, 1600);
    EXPECT_EQ(m.multiplied(), 0);
}

TEST(MultiplyMoment, slides_lifts_and_then_flies_in_120_ms) {
    const MultiplyMoment begin = multiply_moment(0, 1, false);
    EXPECT_EQ(begin.slide, 0);
    EXPECT_EQ(begin.lift, 0);
    EXPECT_EQ(begin.flight, 0);
    // From the first moment of the flight to the last.
    double departs = 0, arrives = 0;
    for (double t = 0; t < 0.48; t += 0.001) {
        const MultiplyMoment now = multiply_moment(t, 1, false);
        if (now.flight == 0) departs = t;
        if (now.flight < 1) arrives = t;
        EXPECT_TRUE(now.flight == 0 || now.lift == 1) << "out of the array before it leaves it";
        EXPECT_LE(now.fall, now.flight) << "what is skipped goes more slowly";
    }
    EXPECT_NEAR(arrives - departs, 0.12, 0.003);
    EXPECT_TRUE(multiply_moment(multiply_seconds(1, false), 1, false).rests);
    EXPECT_EQ(multiply_moment(9, 1, false), multiply_at_rest(1));
}

TEST(MultiplyMoment, takes_the_windows_of_a_pooling_window_one_by_one_and_then_the_largest_sum) {
    const std::size_t windows = 4;
    std::size_t window = 0;
    float pooling = 0;
    for (double t = 0; t < multiply_seconds(windows, true); t += 0.002) {
        const MultiplyMoment now = multiply_moment(t, windows, true);
        EXPECT_FALSE(now.rests);
        EXPECT_TRUE(now.window == window || now.window == window + 1) << t;
        EXPECT_TRUE(now.window == windows || now.pooling == 0) << "every sum is there before the largest is taken";
        EXPECT_GE(now.pooling, pooling);
        window = now.window;
        pooling = now.pooling;
    }
    EXPECT_EQ(window, windows);
    EXPECT_EQ(pooling, 1);
    EXPECT_LT(multiply_seconds(windows, true), 2.5) << "nobody waits for it";
}

TEST(MultiplyMoment, at_rest_has_all_in_its_place) {
    const MultiplyMoment still = multiply_at_rest(4);
    EXPECT_TRUE(still.rests);
    EXPECT_EQ(still.window, 4U);
    for (const float share : {still.slide, still.lift, still.flight, still.fall, still.pooling}) EXPECT_EQ(share, 1);
}

}  // namespace
}  // namespace convscope
