// Plots of many samples and of what they come to: axes, names at the lines' ends, what is read at a sample.
#include <gtest/gtest.h>

#include <cairo.h>

#include <set>

#include "tests/visualizers/plots/plots_for_tests.h"
#include "visualizers/plots/file_canvas.h"
#include "visualizers/plots/plot_files.h"
#include "visualizers/plots/plot_pick.h"

namespace convscope {
namespace {

class PlotSamplesTest : public ::testing::Test {
protected:
    PlotLayout layout(double height = 170) {
        return lay_out(canvas_, plot_, state_, look_for_test, {0, 0, 600, height});
    }
    std::vector<std::string> names(const PlotLayout& layout) {
        std::vector<std::string> found;
        for (const PlotLegendEntry& entry : layout.legend) found.push_back(plot_.series[entry.series].name);
        return found;
    }
    void add_level(const std::string& name, double us) {
        PlotSeries series = plot_.series[0];
        series.name = name;
        series.end_words = format_time_us(us);
        series.y = {us, us};
        series.low.clear(), series.high.clear();
        plot_.series.push_back(series);
    }
    FileCanvas canvas_{cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1)};
    PlotState state_;
    Plot plot_ = samples_for_test();
};

TEST_F(PlotSamplesTest, begin_at_zero_or_span_the_logarithm) {
    const PlotLayout linear = layout();
    EXPECT_EQ(linear.y.range.low, 0);
    EXPECT_GT(linear.y.range.high, 9.6 * 1.2);
    EXPECT_EQ(linear.x.range.high, 199);
    state_.log_y = true;
    EXPECT_GT(layout().y.range.low, 1);
    EXPECT_LT(layout().y.range.low, 4.2 * 0.95);
}

TEST_F(PlotSamplesTest, are_logarithmic_by_themselves_where_the_levels_are_far_apart) {
    EXPECT_FALSE(layout().y.log);
    add_level("reference", 900);
    EXPECT_TRUE(layout().y.log);
    state_.hidden = {"reference"};
    EXPECT_FALSE(layout().y.log);
    state_.hidden = {};
    state_.log_y = false;
    EXPECT_FALSE(layout().y.log) << "what a user chose stays";
}

TEST_F(PlotSamplesTest, a_few_slow_ones_are_off_the_axis_and_counted) {
    plot_.series[1].y[3] = 15000;
    EXPECT_LT(layout().y.range.high, 20);
    const PlotPage page{800, 400, &light_theme()};
    EXPECT_NE(plot_svg(plot_, state_, page).find(">1 of 600 samples above<"), std::string::npos);
    plot_.warning = "ecr1 drifts: 4.00 us, then 4.60 us";
    EXPECT_NE(plot_svg(plot_, state_, page).find(plot_.warning), std::string::npos);
}

TEST_F(PlotSamplesTest, are_as_many_as_can_be_told_apart) {
    PlotSeries& series = plot_.series[1];
    series.x.clear(), series.y.clear();
    for (int i = 0; i < 100000; ++i) series.x.push_back(199.0 * i / 100000), series.y.push_back(5);
    series.y[54321] = 5.5;  // must not be lost among its neighbours
    state_.hidden = {"pecr2", "cudnn"};
    const std::string svg = plot_svg(plot_, state_, {400, 200, &light_theme()});
    EXPECT_LT(svg.size(), 20000U);
    std::set<double> heights;
    for (std::size_t at = svg.find("h2"); at != std::string::npos; at = svg.find("h2", at + 1))
        heights.insert(std::stod(svg.substr(svg.rfind(' ', at), at)));
    EXPECT_EQ(heights.size(), 2U);
}

TEST_F(PlotSamplesTest, names_stand_at_the_ends_apart_and_in_order) {
    add_level("close", 6.15);
    add_level("off", 6.2);
    state_.hidden = {"off"};
    const PlotLayout found = layout();
    EXPECT_EQ(names(found), (std::vector<std::string>{"cudnn", "close", "pecr2", "ecr1", "off"}));
    for (std::size_t i = 1; i < found.legend.size(); ++i)
        EXPECT_GE(found.legend[i].box.y - found.legend[i - 1].box.y, found.legend[i].box.h - 1e-9);
    EXPECT_NEAR(found.legend[2].line_y, found.at_y(6.1), 1e-9) << "led to its own line";
    EXPECT_EQ(found.legend[2].words, "pecr2  6.10 us");
    EXPECT_GE(found.legend.front().box.y, found.area.y - 1e-9);
    EXPECT_LE(found.legend.back().box.bottom(), found.area.bottom() + 1e-9);
    EXPECT_GT(found.legend.front().box.x, found.area.right());
}

TEST_F(PlotSamplesTest, without_room_for_all_the_smallest_are_named) {
    for (int i = 0; i < 20; ++i) add_level("m" + std::to_string(i), 5 + i);
    const PlotLayout found = layout(120);
    EXPECT_EQ(found.legend.size() + found.unnamed, 23U);
    EXPECT_GT(found.unnamed, 10U);
    EXPECT_EQ(names(found).back(), "ecr1");
    EXPECT_NE(plot_svg(plot_, state_, {600, 160, &light_theme()}).find(" more<"), std::string::npos);
}

TEST_F(PlotSamplesTest, are_read_at_the_nearest_one_for_all_methods) {
    plot_.series[3].x = {0, 32, 64, 96}, plot_.series[3].y = {5, 6, 7, 8};  // one in 32 is kept
    plot_.series[5].y[70] = NAN;
    const PlotLayout found = layout();
    const auto reading = read_at(plot_, state_, found, {found.at_x(70.3), 0});
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->words, "70");
    EXPECT_NEAR(reading->x, found.at_x(70), 1e-9);
    ASSERT_EQ(reading->values.size(), 3U);
    EXPECT_EQ(reading->values[1].words, "7.00 us") << "the last that was kept";
    EXPECT_EQ(reading->values[2].words, "none");
    EXPECT_EQ(read_at(plot_, state_, found, {found.at_x(150), 0})->values.size(), 2U) << "no longer than its samples";
    state_.hidden = {"ecr1", "pecr2", "cudnn"};
    EXPECT_FALSE(read_at(plot_, state_, found, {100, 0}));
}

TEST_F(PlotSamplesTest, lines_are_read_where_they_have_a_point) {
    plot_ = lines_for_test();
    const PlotLayout found = layout(400);
    const auto reading = read_at(plot_, state_, found, {found.at_x(43), 0});
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->words, "40 %");
    ASSERT_EQ(reading->values.size(), 2U);
    EXPECT_EQ(reading->values[0].words, "none");
    EXPECT_EQ(reading->values[1].words, "1500 us") << "in the unit of the axis";
    EXPECT_FALSE(read_at(cells_for_test(), state_, found, {100, 0}));
}

TEST_F(PlotSamplesTest, a_low_plot_gives_its_area_the_line_of_the_axis_name) {
    EXPECT_TRUE(layout(170).x_name_beside);
    EXPECT_GT(layout(170).area.h, 0.7 * 170);
    EXPECT_FALSE(layout(300).x_name_beside);
}

TEST_F(PlotSamplesTest, the_name_beside_the_ticks_has_room_for_its_unit) {
    plot_.x.name = "zeros";
    plot_.x.unit = "of all inputs";
    const PlotLayout low = layout(170);
    ASSERT_TRUE(low.x_name_beside);
    EXPECT_LE(low.whole.x + canvas_.text_width(low.x.label, look_for_test.text), low.area.x);
}

}  // namespace
}  // namespace convscope
