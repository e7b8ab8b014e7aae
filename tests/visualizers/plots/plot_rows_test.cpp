// Plots in rows: where bars and their words stand, and their files.
#include <gtest/gtest.h>

#include <cairo.h>

#include "tests/visualizers/plots/plots_for_tests.h"
#include "visualizers/plots/file_canvas.h"
#include "visualizers/plots/plot_files.h"

namespace convscope {
namespace {

class PlotRowsTest : public ::testing::Test {
protected:
    PlotLayout layout_of(const Plot& plot, double height = 400) {
        return lay_out(canvas_, plot, state_, look_for_test, {0, 0, 800, height});
    }
    FileCanvas canvas_{cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1)};
    PlotState state_;
    Plot plot_ = rows_for_test();
};

TEST_F(PlotRowsTest, a_bars_length_is_its_value) {
    const PlotLayout linear = layout_of(plot_);
    EXPECT_DOUBLE_EQ(linear.along_row(0), linear.area.x);
    EXPECT_DOUBLE_EQ(linear.along_row(400) - linear.area.x, 4 * (linear.along_row(100) - linear.area.x));
    EXPECT_LE(linear.along_row(440), linear.area.right()) << "the third quartile fits";
    EXPECT_EQ(linear.y.label, "time (us)");
    state_.log_y = true;
    const PlotLayout log = layout_of(plot_);
    EXPECT_NEAR(log.along_row(400) - log.along_row(200), log.along_row(200) - log.along_row(100), 1e-9);
    EXPECT_GT(log.along_row(100), log.area.x + 20) << "the shortest bar is seen";
    EXPECT_EQ(log.y.label, "time (us, log)");
}

TEST_F(PlotRowsTest, only_what_is_shown_sets_the_scale_and_the_lead) {
    EXPECT_EQ(layout_of(plot_).rows.lead, 1U);
    const double before = layout_of(plot_).along_row(200);
    state_.hidden = {"onednn"};
    EXPECT_GT(layout_of(plot_).along_row(200), before);
    state_.hidden = {"ocpa"};
    EXPECT_FALSE(layout_of(plot_).rows.lead);
}

TEST_F(PlotRowsTest, that_have_no_room_are_scrolled) {
    while (plot_.x.names.size() < 120) plot_.x.names.push_back("conv");
    const PlotLayout layout = layout_of(plot_, 300);
    EXPECT_GT(layout.rows.needed, 5 * layout.rows.sight.h);
    EXPECT_FALSE(layout.rows.two_lines);
    const double first = row_box(layout, state_, 20).y;
    state_.scrolled = 100;
    EXPECT_DOUBLE_EQ(row_box(layout, state_, 20).y, first - 100);
}

TEST_F(PlotRowsTest, a_file_holds_them_all_and_a_legend) {
    state_.scrolled = 300;
    const std::string svg = plot_svg(plot_, state_, {900, 100, &light_theme()});
    for (const char* part : {">conv1<", ">conv2+pool<", ">conv3<", ">400 us<", ">ecr3  0.50x<", ">timeout<",
                             "&quot;4&quot;", ">ocpa vs onednn<", ">time (us)<", ">onednn<", "</svg>"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    state_.hidden = {"ocpa"};
    EXPECT_EQ(plot_svg(plot_, state_, {900, 100, &light_theme()}).find("200 us"), std::string::npos);
}

TEST_F(PlotRowsTest, without_bars_say_what_to_do_or_how_far_it_is) {
    for (PlotSeries& series : plot_.series) series.x.clear(), series.y.clear();
    const PlotPage page{900, 100, &dark_theme()};
    EXPECT_NE(plot_svg(plot_, state_, page).find("Press Space"), std::string::npos);
    plot_.rows->under_way = 1;
    plot_.rows->phase = "sampling";
    const std::string svg = plot_svg(plot_, state_, page);
    EXPECT_EQ(svg.find("Press Space"), std::string::npos);
    EXPECT_NE(svg.find("sampling"), std::string::npos);
}

}  // namespace
}  // namespace convscope
