#include <gtest/gtest.h>

#include <cairo.h>
#include <fmt/format.h>

#include "kernels/files/text_file.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/visualizers/plots/plots_for_tests.h"
#include "visualizers/plots/file_canvas.h"
#include "visualizers/plots/plot_files.h"
#include "visualizers/plots/plot_pick.h"
#include "visualizers/plots/plot_text.h"

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
    FileCanvas canvas_{cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1)};
};

TEST_F(PlotBars, stand_on_each_other) {
    const Plot plot = bars();
    const PlotLayout layout = layout_of(plot);
    const CanvasBox low = bar_box(layout, plot.series[0], 0), high = bar_box(layout, plot.series[1], 0);
    EXPECT_DOUBLE_EQ(low.bottom(), layout.at_y(0));
    EXPECT_NEAR(high.bottom(), low.y, 1e-9);
    EXPECT_NEAR(high.h / low.h, 70.0 / 30, 1e-9);
    EXPECT_TRUE(layout.area.holds(high.x, high.y)) << "the axis has room for the top of the stack";
}

TEST_F(PlotBars, are_pointed_at_anywhere_in_them_and_read_out_their_own_height) {
    const Plot plot = bars();
    const PlotLayout layout = layout_of(plot);
    const CanvasBox box = bar_box(layout, plot.series[1], 0);
    const PlotPick found = pick(plot, {}, layout, look_for_test, box.x + 3, box.bottom() - 3);
    EXPECT_EQ(found.row, 7U);
    EXPECT_NE(found.words.find("70.0 us"), std::string::npos) << found.words;
    EXPECT_EQ(pick(plot, {}, layout, look_for_test, box.x - 10, box.y).row, no_row);
}

TEST_F(PlotBars, names_that_do_not_fit_side_by_side_are_broken_between_their_parts) {
    Plot plot = bars();
    plot.x.names = {"googlenet-inception4a.1", "alexneti-conv4"};
    const PlotLayout layout = layout_of(plot, 320);
    EXPECT_FALSE(layout.turned_names);
    EXPECT_LT(layout.area.h, layout_of(plot, 900).area.h) << "a second line";
    const std::string svg = plot_svg(plot, {}, {320, 400, &light_theme()});
    for (const char* line : {">googlenet-<", ">inception4a.1<", ">alexneti-conv4<"})
        EXPECT_NE(svg.find(line), std::string::npos) << line;
    EXPECT_EQ(width_for_names(canvas_, plot, look_for_test), 0) << "bars can lie";
    for (PlotSeries& one : plot.series) one.right = true;
    EXPECT_FALSE(layout_of(plot, width_for_names(canvas_, plot, look_for_test)).turned_names);
    EXPECT_TRUE(layout_of(plot, 0.9 * width_for_names(canvas_, plot, look_for_test)).turned_names);
}

TEST_F(PlotBars, names_that_do_not_fit_side_by_side_are_turned) {
    Plot plot = bars();
    EXPECT_FALSE(layout_of(plot).turned_names);
    const double straight = layout_of(plot, 240).area.h;
    plot.x.names = {"googlenet.inception4a.1", "googlenet.inception4a.2"};
    const PlotLayout turned = layout_of(plot, 240);
    EXPECT_TRUE(turned.turned_names);
    EXPECT_LT(turned.area.h, straight);
    EXPECT_EQ(turned.x.ticks.size(), 2U);
    EXPECT_NE(plot_svg(plot, {}, {240, 400, &light_theme()}).find("4a.2<"), std::string::npos)
        << "its end, which tells it apart, stays";
    for (std::string& name : plot.x.names) name += "-of-a-network-with-a-very-long-name";
    for (PlotSeries& one : plot.series) one.marks = PlotSeries::Marks::line;
    const PlotLayout low = lay_out(canvas_, plot, {}, look_for_test, {0, 0, 240, 220});
    EXPECT_TRUE(low.turned_names);
    EXPECT_GE(low.area.h, 109.9) << "names are cut before the area is less than half of its panel";
}

/// A map whose colour scale and long names of rows leave its area narrower than plots have it.
TEST_F(PlotBars, names_of_a_maps_columns_are_all_there_or_turned) {
    Plot plot;
    plot.y.names = {std::string(40, 'y'), "b"};
    for (int i = 0; i < 8; ++i) plot.x.names.push_back("method" + std::to_string(i));
    plot.cells.emplace();
    plot.cells->cells.resize(16);
    for (PlotCell& cell : plot.cells->cells) cell.value = 1.5;
    for (double width = 500; width <= 1400; width += 50) EXPECT_EQ(layout_of(plot, width).x.ticks.size(), 8U) << width;
}

Plot groups();

/// A dot for each of eight layers, with their spread.
Plot dots_of_layers() {
    Plot plot;
    plot.x = {"layer"};
    plot.y = {"speed-up over the vendor", "x", true};
    plot.reference = 1;
    PlotSeries one;
    one.name = "ecr3";
    one.marks = PlotSeries::Marks::dots;
    for (int i = 0; i < 8; ++i) {
        plot.x.names.push_back(fmt::format("googlenet-inception{}a.1", i));
        one.x.push_back(i), one.y.push_back(0.5 + i), one.row.push_back(static_cast<PlotRow>(10 + i));
    }
    plot.series = {one, one};
    plot.series[1].name = "csr1";
    for (double& y : plot.series[1].y) y /= 2;
    return plot;
}

TEST_F(PlotBars, lie_where_their_names_would_be_cut) {
    const Plot plot = dots_of_layers();
    const PlotLayout layout = lay_out(canvas_, plot, {}, look_for_test, {0, 0, 600, 220});
    EXPECT_TRUE(layout.lying);
    EXPECT_GE(layout.area.w * layout.area.h, 0.5 * 600 * 220 * 0.7);
    const std::string svg = plot_svg(plot, {}, {632, 292, &light_theme()});
    for (const std::string& name : plot.x.names) EXPECT_NE(svg.find(">" + name + "<"), std::string::npos) << name;
    EXPECT_EQ(svg.find("rotate"), std::string::npos);
    for (std::size_t i = 0; i < 8; ++i) {
        const CanvasPoint at = layout.at(plot.series[0].x[i], plot.series[0].y[i]);
        EXPECT_TRUE(layout.area.holds(at.x, at.y)) << i;
        EXPECT_EQ(pick(plot, {}, layout, look_for_test, at.x + 2, at.y).row, 10 + i);
    }
    const CanvasPoint first = layout.at(0, 1), second = layout.at(1, 2);
    EXPECT_LT(first.y, second.y) << "from the top";
    EXPECT_LT(first.x, second.x) << "values to the right";
    EXPECT_NEAR(layout.y_at(second), 2, 1e-9);
    EXPECT_NEAR(layout.x_at(second), 1, 1e-9);
    EXPECT_FALSE(lay_out(canvas_, plot, {}, look_for_test, {0, 0, 600, 500}).lying) << "turned, they have room";
    Plot low = plot;
    for (std::string& name : low.x.names) name = name.substr(10);
    EXPECT_TRUE(lay_out(canvas_, low, {}, look_for_test, {0, 0, 330, 250}).lying)
        << "shorter than a third of the height, but the area has half of the panel before the names have that";
    Plot lines = plot;
    lines.series[0].marks = PlotSeries::Marks::line_and_dots;
    EXPECT_FALSE(lay_out(canvas_, lines, {}, look_for_test, {0, 0, 600, 220}).lying) << "a line rises and falls";
}

TEST_F(PlotBars, lying_bars_begin_at_the_names) {
    Plot plot = dots_of_layers();
    for (PlotSeries& one : plot.series) one.marks = PlotSeries::Marks::bars;
    plot.y = {"time", "us", false, true};
    set_side_by_side(plot);
    const PlotLayout layout = lay_out(canvas_, plot, {}, look_for_test, {0, 0, 600, 220});
    ASSERT_TRUE(layout.lying);
    const CanvasBox ours = bar_box(layout, plot.series[0], 3), other = bar_box(layout, plot.series[1], 3);
    EXPECT_NEAR(ours.x, layout.area.x, 1e-9);
    EXPECT_NEAR(ours.w, 2 * other.w, 1e-9);
    EXPECT_LE(ours.bottom(), other.y);
}

TEST_F(PlotBars, all_methods_are_read_at_the_name_that_is_pointed_at) {
    const Plot plot = dots_of_layers();
    for (const double height : {220.0, 500.0}) {
        const PlotLayout layout = lay_out(canvas_, plot, {}, look_for_test, {0, 0, 600, height});
        const auto reading = read_at(plot, {}, layout, layout.at(3.2, 1));
        ASSERT_TRUE(reading) << height;
        EXPECT_EQ(reading->words, "googlenet-inception3a.1");
        ASSERT_EQ(reading->values.size(), 2U);
        EXPECT_EQ(reading->values[0].words, "3.50x");
        EXPECT_EQ(reading->values[1].words, "1.75x");
    }
    Plot side_by_side = groups();
    const PlotLayout layout = layout_of(side_by_side);
    const auto reading = read_at(side_by_side, {}, layout, layout.at(2, 1));
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->values[0].words, "4x");
    EXPECT_EQ(reading->values[1].words, "0.500x");
}

/// Two series at the same three points; one point of the second has no value.
Plot groups() {
    Plot plot;
    plot.title = "A title";
    plot.x = {"layer", "", false, false, {"a", "b", "c"}};
    plot.y = {"speed-up", "x", false, true};
    plot.series.resize(2);
    for (PlotSeries& one : plot.series) {
        one.marks = PlotSeries::Marks::bars;
        one.x = {0, 1, 2};
    }
    plot.series[0].name = "ours", plot.series[0].y = {1, 2, 4};
    plot.series[1].name = "printed", plot.series[1].y = {3, NAN, 0.5}, plot.series[1].outlined = true;
    set_side_by_side(plot);
    return plot;
}

TEST_F(PlotBars, stand_side_by_side_round_their_point) {
    const Plot plot = groups();
    const PlotLayout layout = layout_of(plot);
    for (std::size_t i : {0U, 2U}) {
        const CanvasBox left = bar_box(layout, plot.series[0], i), right = bar_box(layout, plot.series[1], i);
        EXPECT_LT(left.right(), right.x);
        EXPECT_NEAR((left.x + right.right()) / 2, layout.at_x(static_cast<double>(i)), 1e-9);
    }
}

TEST_F(PlotBars, on_a_logarithmic_axis_begin_at_its_low_end_and_the_reference_is_on_it) {
    Plot plot = groups();
    plot.series[0].y = {20, 30, 40};
    plot.series[1].y = {30, NAN, 50};
    plot.y.log = true;
    plot.reference = 1;
    const PlotLayout layout = layout_of(plot);
    EXPECT_LE(layout.y.range.low, 1);
    EXPECT_NEAR(bar_box(layout, plot.series[0], 0).bottom(), layout.area.bottom(), 1e-9);
    EXPECT_NEAR(layout.at_y(10) - layout.at_y(20), layout.at_y(20) - layout.at_y(40), 1e-9);
}

TEST_F(PlotBars, an_axis_on_the_right_has_its_own_range) {
    Plot plot = groups();
    plot.right = {"sparsity / size", "", false, true};
    plot.series[1].right = true;
    plot.series[1].y = {100, 200, 300};
    const PlotLayout layout = layout_of(plot);
    EXPECT_LT(layout.y.range.high, 10);
    EXPECT_GE(layout.right.range.high, 300);
}

TEST_F(PlotBars, a_page_has_a_bar_for_each_value_and_grows_with_its_points) {
    const TempFolder folder;
    Plot plot = groups();
    write_plot_page(plot, folder / "few.svg");
    const std::string svg = read_text_file(folder / "few.svg");
    expect_contains(svg, ">A title</text>");
    expect_contains(svg, "width='760'");
    const auto count = [&svg](const std::string& part) {
        int found = 0;
        for (std::size_t at = 0; (at = svg.find(part, at)) != std::string::npos; ++at) ++found;
        return found;
    };
    const std::string color = hex(light_theme().method(0));
    EXPECT_EQ(count("fill='" + color + "'"), 4) << "three bars, and the legend";
    EXPECT_EQ(count("fill='none' stroke='" + color + "'"), 3) << "two hollow bars, and the legend";
    for (int i = 0; i < 60; ++i) plot.x.names.push_back("layer " + std::to_string(i));
    write_plot_page(plot, folder / "many.svg");
    expect_contains(read_text_file(folder / "many.svg"), "width='2010'");
}

TEST_F(PlotBars, in_rows_are_hollow_where_they_have_no_interval) {
    Plot plot;
    plot.x.names = {"conv1", "conv2"};
    plot.y = {"time", "us", false, true, {}, {}};
    plot.rows.emplace();
    PlotSeries& one = plot.series.emplace_back();
    one.name = "ecr3";
    one.marks = PlotSeries::Marks::bars;
    one.x = {0, 1}, one.y = {100, 50}, one.row = {0, 1};
    const std::string hollow = "fill='none' stroke='" + hex(light_theme().method(0)) + "'";
    const auto svg = [&plot] { return plot_svg(plot, {}, {600, 400, &light_theme()}); };
    EXPECT_EQ(svg().find(hollow), std::string::npos);
    one.unsure = {false, true};
    expect_contains(svg(), hollow);
}

TEST_F(PlotBars, a_folder_that_is_not_there_is_named) {
    const TempFolder folder;
    const std::string sentence =
        error_of(ErrorKind::file, [&] { write_plot_page(groups(), folder / "none" / "plot.svg"); });
    expect_contains(sentence, (folder / "none" / "plot.svg").string());
}

}  // namespace
}  // namespace convscope
