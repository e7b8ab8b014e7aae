// Plots of many samples and of what they come to, a strip for each method: axes, words at the ends, what is read.
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
    FileCanvas canvas_{cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1)};
    PlotState state_;
    Plot plot_ = samples_for_test();
};

TEST_F(PlotSamplesTest, begin_at_zero_or_span_the_logarithm) {
    const PlotLayout linear = layout();
    EXPECT_EQ(linear.y.range.low, 0);
    EXPECT_GT(linear.y.range.high, 9.6 * 1.2);
    state_.log_y = true;
    EXPECT_GT(layout().y.range.low, 1);
    EXPECT_LT(layout().y.range.low, 4.2 * 0.95);
}

TEST_F(PlotSamplesTest, are_logarithmic_by_themselves_where_the_levels_are_far_apart) {
    EXPECT_FALSE(layout().y.log);
    add_strip(plot_, "reference", 3, 900, {900});
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
    for (int i = 0; i < 100000; ++i) series.x.push_back(-0.4 + 0.8 * i / 100000), series.y.push_back(5);
    series.y[54321] = 5.5;  // must not be lost among its neighbours
    state_.hidden = {"pecr2", "cudnn"};
    const std::string svg = plot_svg(plot_, state_, {400, 200, &light_theme()});
    EXPECT_LT(svg.size(), 20000U);
    std::set<double> places;  // along the values: "Mx yh2..." for each
    for (std::size_t at = svg.find("h2"); at != std::string::npos; at = svg.find("h2", at + 1))
        places.insert(std::stod(svg.substr(svg.rfind('M', at) + 1)));
    EXPECT_EQ(places.size(), 2U);
}

TEST_F(PlotSamplesTest, each_method_has_a_strip_with_its_median_at_the_end) {
    const PlotLayout found = layout();
    EXPECT_TRUE(found.lying);
    ASSERT_EQ(found.legend.size(), 3U) << "each name is a switch";
    for (std::size_t i = 0; i < 3; ++i) {
        const CanvasBox& name = found.legend[i].box;
        EXPECT_NEAR(name.y + name.h / 2, found.at_x(static_cast<double>(i)), 1e-9);
        EXPECT_LE(name.right(), found.area.x);
    }
    EXPECT_EQ(found.x.ticks.size(), 3U);
    EXPECT_LT(found.at_x(0), found.at_x(1)) << "the first is above";
    for (const PlotSeries& one : plot_.series)
        for (const double x : one.x) EXPECT_LE(std::abs(x - std::round(x)), 0.4 + 1e-9) << one.name;
    EXPECT_LE(found.area.right() + found.end_words, found.whole.right());
    const std::string svg = plot_svg(plot_, state_, {600, 170, &light_theme()});
    for (const char* words : {">ecr1<", ">cudnn<", ">6.10 us<"}) EXPECT_NE(svg.find(words), std::string::npos) << words;
    state_.hidden = {"pecr2"};
    EXPECT_EQ(plot_svg(plot_, state_, {600, 170, &light_theme()}).find(">6.10 us<"), std::string::npos);
}

TEST_F(PlotSamplesTest, without_height_there_is_no_name_to_click) {
    for (const double height : {0.0, 10.0, 40.0, 60.0})
        for (const PlotLegendEntry& entry : layout(height).legend) {
            EXPECT_GT(entry.box.h, 0) << height;
            EXPECT_GT(entry.box.w, 0) << height;
        }
}

TEST_F(PlotSamplesTest, a_narrow_plot_has_no_words_at_the_ends) {
    EXPECT_EQ(lay_out(canvas_, plot_, state_, look_for_test, {0, 0, 300, 170}).end_words, 0);
}

TEST_F(PlotSamplesTest, have_their_numbers_in_files) {
    plot_.series[3].stride = 32;  // one in 32 is kept
    const std::string csv = plot_csv(plot_);
    EXPECT_EQ(csv.substr(0, csv.find('\r')), "series,sample,time_us,status_reason");
    EXPECT_NE(csv.find("\r\necr1,1,"), std::string::npos);
    EXPECT_EQ(csv.find("\r\npecr2,1,"), std::string::npos);
    EXPECT_NE(csv.find("\r\npecr2,64,"), std::string::npos);
}

TEST_F(PlotSamplesTest, are_read_by_what_those_of_the_strip_come_to) {
    const PlotLayout found = layout();
    const auto reading = read_at(plot_, state_, found, {0, found.at_x(1.2)});
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->words, "pecr2");
    EXPECT_NEAR(reading->x, found.at_x(1), 1e-9);
    ASSERT_EQ(reading->values.size(), 1U);
    EXPECT_EQ(reading->values[0].words, "6.10 us");
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
    plot_ = lines_for_test();
    EXPECT_TRUE(layout(170).x_name_beside);
    EXPECT_GT(layout(170).area.h, 0.65 * 170);
    EXPECT_FALSE(layout(300).x_name_beside);
}

TEST_F(PlotSamplesTest, the_name_beside_the_ticks_has_room_for_its_unit) {
    plot_ = lines_for_test();
    plot_.x.name = "zeros";
    plot_.x.unit = "of all inputs";
    const PlotLayout low = layout(170);
    ASSERT_TRUE(low.x_name_beside);
    EXPECT_LE(low.whole.x + canvas_.text_width(low.x.label, look_for_test.text), low.area.x);
}

}  // namespace
}  // namespace convscope
