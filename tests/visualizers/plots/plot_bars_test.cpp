#include <gtest/gtest.h>

#include <cairo.h>

#include "tests/visualizers/plots/plots_for_tests.h"
#include "visualizers/plots/chart_canvas.h"
#include "visualizers/plots/plot_files.h"
#include "visualizers/plots/plot_pick.h"

namespace convscope {
namespace {

/// Two stacked parts of the time of two methods.
Plot bars() {
    Plot plot;
    plot.x = {"method", "", false, false, {"ecr3", "cudnn"}, {}};
    plot.y = {"time", "us", false, true, {}, {}};
    PlotSeries convert, multiply;
    convert.name = "convert";
    multiply.name = "multiply";
    convert.marks = multiply.marks = PlotSeries::Marks::bars;
    convert.x = {0}, convert.y = {30}, convert.row = {7};
    multiply.x = {0, 1}, multiply.base = {30, 0}, multiply.y = {100, 50}, multiply.row = {7, 8};
    plot.series = {convert, multiply};
    return plot;
}

class PlotBars : public ::testing::Test {
protected:
    PlotLayout layout_of(const Plot& plot, double width = 600) {
        return lay_out(canvas_, plot, {}, look_for_test, {0, 0, width, 400});
    }
    ChartCanvas canvas_{cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1)};
};

TEST_F(PlotBars, StandOnEachOther) {
    const Plot plot = bars();
    const PlotLayout layout = layout_of(plot);
    const CanvasBox low = bar_box(layout, plot.series[0], 0), high = bar_box(layout, plot.series[1], 0);
    EXPECT_DOUBLE_EQ(low.bottom(), layout.at_y(0));
    EXPECT_NEAR(high.bottom(), low.y, 1e-9);
    EXPECT_NEAR(high.h / low.h, 70.0 / 30, 1e-9);
    EXPECT_TRUE(layout.area.holds(high.x, high.y)) << "the axis has room for the top of the stack";
}

TEST_F(PlotBars, ArePointedAtAnywhereInThemAndReadOutTheirOwnHeight) {
    const Plot plot = bars();
    const PlotLayout layout = layout_of(plot);
    const CanvasBox box = bar_box(layout, plot.series[1], 0);
    const PlotPick found = pick(plot, {}, layout, look_for_test, box.x + 3, box.bottom() - 3);
    EXPECT_EQ(found.row, 7U);
    EXPECT_NE(found.words.find("70.0 us"), std::string::npos) << found.words;
    EXPECT_EQ(pick(plot, {}, layout, look_for_test, box.x - 10, box.y).row, no_row);
}

TEST_F(PlotBars, NamesThatDoNotFitSideBySideAreTurned) {
    Plot plot = bars();
    EXPECT_FALSE(layout_of(plot).turned_names);
    const double straight = layout_of(plot, 240).area.h;
    plot.x.names = {"googlenet-inception4a.1", "googlenet-inception4a.2"};
    const PlotLayout turned = layout_of(plot, 240);
    EXPECT_TRUE(turned.turned_names);
    EXPECT_LT(turned.area.h, straight);
    EXPECT_EQ(turned.x.ticks.size(), 2U);
    EXPECT_NE(plot_svg(plot, {}, {240, 400, &light_theme()}).find("inception4a.2"), std::string::npos);
}

}  // namespace
}  // namespace convscope
