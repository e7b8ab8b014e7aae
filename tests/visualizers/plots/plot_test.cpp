#include <gtest/gtest.h>

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/visualizers/plots/plots_for_tests.h"
#include "visualizers/plots/file_canvas.h"
#include "visualizers/plots/plot_draw.h"
#include "visualizers/plots/plot_files.h"
#include "visualizers/plots/plot_pick.h"

namespace convscope {
namespace {

class PlotTest : public ::testing::Test {
protected:
    PlotLayout layout_of(const Plot& plot) { return lay_out(canvas_, plot, state_, look_for_test, {0, 0, 600, 400}); }

    FileCanvas canvas_{cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1)};
    PlotState state_;
};

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST_F(PlotTest, axes_have_names_units_and_logarithm) {
    const PlotLayout layout = layout_of(lines_for_test());
    EXPECT_EQ(layout.x.label, "sparsity (%)");
    EXPECT_EQ(layout.y.label, "time (us, log)");
    EXPECT_TRUE(layout.y.log);
    state_.log_y = false;
    EXPECT_EQ(layout_of(lines_for_test()).y.label, "time (us)");
}

TEST_F(PlotTest, large_times_are_read_in_milliseconds) {
    Plot plot = lines_for_test();
    for (double& us : plot.series[0].y) us *= 20;
    for (PlotSeries& one : plot.series) one.low.clear(), one.high.clear();
    EXPECT_EQ(layout_of(plot).y.label, "time (ms, log)");
}

TEST_F(PlotTest, an_axis_of_blocks_has_its_ticks_at_powers_of_two) {
    Plot plot = lines_for_test();
    plot.x = {"block x", "", true};
    plot.x.powers_of_two = true;
    for (PlotSeries& one : plot.series)
        for (std::size_t i = 0; i < one.x.size(); ++i) one.x[i] = std::exp2(3.0 + static_cast<double>(i));
    plot.rejected.clear();
    for (const Tick& tick : layout_of(plot).x.ticks) EXPECT_TRUE(are_powers_of_two({tick.value})) << tick.value;
}

TEST_F(PlotTest, large_rates_have_a_large_unit) {
    Plot plot = lines_for_test();
    plot.y = {"dense rate", "GFLOP/s"};
    for (PlotSeries& one : plot.series)
        for (double& y : one.y) y *= 10;
    EXPECT_EQ(layout_of(plot).y.label, "dense rate (TFLOP/s)");
    EXPECT_EQ(layout_of(plot).y.ticks.back().label, "40");
}

TEST_F(PlotTest, values_beside_one_another_have_the_unit_of_their_axis) {
    Plot plot = lines_for_test();
    for (double& us : plot.series[0].y) us *= 20;
    const PlotLayout layout = layout_of(plot);
    const auto reading = read_at(plot, state_, layout, {layout.at_x(90), 0});
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->values[0].words, "11.6 ms");
    EXPECT_EQ(reading->values[1].words, "1.50 ms");
}

TEST_F(PlotTest, cells_and_lines_over_all_axes_have_the_unit_of_their_scale) {
    Plot plot = cells_for_test();
    plot.cells->cells[0].value = 12e3;
    const PlotLayout layout = layout_of(plot);
    EXPECT_EQ(layout.colors.unit, "ms");
    const PlotPick small = pick(plot, state_, layout, look_for_test, layout.at_x(2), layout.at_y(1));
    EXPECT_EQ(small.words, "block x  128\nblock y  2\ntime  0.0240 ms");
}

TEST_F(PlotTest, large_counts_are_read_in_thousands_and_millions) {
    Plot plot = lines_for_test();
    plot.y = {"sectors", "", false, true};
    for (PlotSeries& one : plot.series) one.low.clear(), one.high.clear();
    for (double& y : plot.series[0].y) y *= 100;
    PlotLayout layout = layout_of(plot);
    EXPECT_EQ(layout.y.label, "sectors");
    EXPECT_EQ(layout.y.ticks[1].label, "100 k");
    for (double& y : plot.series[0].y) y *= 1000;
    layout = layout_of(plot);
    EXPECT_EQ(layout.y.ticks[1].label, "100 M");
    EXPECT_EQ(words_on(layout.y, plot.y, 12345678), "12 345 678");
    EXPECT_EQ(plot_words({"rate", "GFLOP/s"}, 13639), "13.6 TFLOP/s");
}

TEST_F(PlotTest, a_legend_leaves_the_plot_three_quarters) {
    Plot plot = lines_for_test();
    for (int i = 0; i < 30; ++i) {
        plot.series.push_back(plot.series[0]);
        plot.series.back().name = "a long name of a method " + std::to_string(i);
    }
    plot.series[1].note = "named elsewhere";
    const PlotLayout layout = layout_of(plot);
    EXPECT_LE(layout.legend.back().box.bottom(), 100);
    EXPECT_GT(layout.unnamed, 0U);
    EXPECT_EQ(layout.legend.size() + layout.unnamed, 31U) << "all but the one that a note names";
    for (const PlotLegendEntry& entry : layout.legend) {
        EXPECT_LE(entry.box.right(), layout.whole.right());
        EXPECT_NE(entry.series, 1U);
    }
    EXPECT_EQ(count(plot_svg(plot, state_, {600, 400, &dark_theme()}), " more<"), 0U) << "a file has room for all";
}

TEST_F(PlotTest, a_line_for_a_value_has_the_colour_of_its_place) {
    for (const Theme* theme : {&dark_theme(), &light_theme()}) {
        Plot plot = lines_for_test();
        plot.series.resize(3, plot.series[0]);
        for (int i = 0; i < 3; ++i) {
            plot.series[static_cast<std::size_t>(i)].name = std::to_string(16 << i);
            plot.series[static_cast<std::size_t>(i)].vendor = false;
            plot.series[static_cast<std::size_t>(i)].place = i / 2.0;
        }
        const std::vector<Rgba> inks = inks_of(plot, *theme);
        for (int i = 0; i < 3; ++i) EXPECT_EQ(inks[static_cast<std::size_t>(i)], theme->ordered(i / 2.0));
        for (const Rgba& ink : inks)
            for (int method = 0; method < 56; ++method) EXPECT_NE(ink.u32(), theme->method(method).u32());
    }
}

TEST_F(PlotTest, lines_are_named_where_they_end_unless_their_names_are_long) {
    Plot plot = lines_for_test();
    const PlotLayout found = layout_of(plot);
    ASSERT_EQ(found.legend.size(), 2U);
    EXPECT_TRUE(found.names_at_ends);
    for (const PlotLegendEntry& entry : found.legend) {
        EXPECT_GT(entry.box.x, found.area.right());
        EXPECT_NEAR(entry.line_x, found.at_x(90), 1e-9);
    }
    EXPECT_EQ(found.legend[0].words, "onednn") << "the slower is above";
    plot.series[0].name = std::string(60, 'w');
    EXPECT_FALSE(layout_of(plot).names_at_ends);
    EXPECT_LT(layout_of(plot).legend[0].box.y, layout_of(plot).area.y);
}

TEST_F(PlotTest, no_two_series_share_a_colour) {
    for (const Theme* theme : {&dark_theme(), &light_theme()}) {
        Plot plot;
        for (int i = 0; i < 12; ++i) {
            PlotSeries series;
            series.name = "m" + std::to_string(i);
            series.vendor = i % 3 == 0;
            series.color = i / 6;
            plot.series.push_back(series);
        }
        std::set<std::uint32_t> seen;
        for (const Rgba& ink : inks_of(plot, *theme)) {
            EXPECT_TRUE(seen.insert(ink.u32()).second);
            EXPECT_GE(contrast_ratio(ink, theme->panel), 3);
        }
        EXPECT_EQ(inks_of(plot, *theme)[0].u32(), theme->vendor.u32()) << "the first keeps its own";
        plot.series[4].name = plot.series[1].name;
        EXPECT_EQ(inks_of(plot, *theme)[4].u32(), inks_of(plot, *theme)[1].u32()) << "one name, one colour";
        plot.series[3].marks = PlotSeries::Marks::dots;
        plot.series[3].shape = PlotSeries::Shape::ring;
        EXPECT_EQ(inks_of(plot, *theme)[3].u32(), theme->vendor.u32()) << "its mark tells it apart";
        plot.series[2].outlined = true;
        EXPECT_EQ(inks_of(plot, *theme)[2].u32(), inks_of(plot, *theme)[1].u32()) << "printed beside ours";
        plot.series[5].dashed = true;
        EXPECT_EQ(inks_of(plot, *theme)[5].u32(), inks_of(plot, *theme)[1].u32()) << "fitted to it";
    }
}

TEST_F(PlotTest, every_mark_is_inside_the_area) {
    const Plot plot = lines_for_test();
    const PlotLayout layout = layout_of(plot);
    for (const PlotSeries& one : plot.series)
        for (std::size_t i = 0; i < one.x.size(); ++i)
            EXPECT_TRUE(!std::isfinite(one.y[i]) || layout.area.holds(layout.at_x(one.x[i]), layout.at_y(one.y[i])));
    EXPECT_TRUE(layout.whole.holds(layout.area.x, layout.area.y));
    EXPECT_LT(layout.area.bottom(), layout.whole.bottom());
}

TEST_F(PlotTest, pointing_at_a_dot_with_a_note_reads_the_note) {
    Plot plot = lines_for_test();
    PlotSeries dot;
    dot.note = "as fast as im2col at 45 % zeros";
    dot.marks = PlotSeries::Marks::dots;
    dot.x = {45};
    dot.y = {2500};
    plot.series.push_back(dot);
    const PlotLayout layout = layout_of(plot);
    EXPECT_EQ(pick(plot, state_, layout, look_for_test, layout.at_x(45) + 2, layout.at_y(2500)).words, dot.note);
}

TEST_F(PlotTest, pointing_finds_the_nearest_mark_and_reads_it_out) {
    const Plot plot = lines_for_test();
    const PlotLayout layout = layout_of(plot);
    const PlotPick found =
        pick(plot, state_, layout, look_for_test, layout.at_x(90) + 3, layout.at_y(4000 - 380 * 9) - 2);
    EXPECT_EQ(found.row, 9U);
    EXPECT_EQ(found.words, "ecr3\nsparsity  90 %\ntime  580 us\nquartiles  480 us to 870 us");
    EXPECT_EQ(pick(plot, state_, layout, look_for_test, layout.at_x(45), layout.at_y(2500)).words, "");
}

TEST_F(PlotTest, what_could_not_be_says_why) {
    const Plot plot = lines_for_test();
    const PlotLayout layout = layout_of(plot);
    const PlotPick found = pick(plot, state_, layout, look_for_test, layout.at_x(40), layout.area.bottom() - 8);
    EXPECT_EQ(found.row, 4U);
    EXPECT_NE(found.words.find("2048 threads"), std::string::npos);
}

TEST_F(PlotTest, hidden_series_are_neither_drawn_nor_found) {
    const Plot plot = lines_for_test();
    state_.hidden = {"ecr3"};
    const PlotLayout layout = layout_of(plot);
    EXPECT_EQ(pick(plot, state_, layout, look_for_test, layout.at_x(90), layout.at_y(1500)).row, 19U);
    const std::vector<PlotRow> rows = rows_in(plot, state_, layout, layout.area);
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](PlotRow row) { return row >= 10; }), 10);
    EXPECT_EQ(rows.size(), 11U);  // and the rejection
}

TEST_F(PlotTest, brushing_takes_what_is_inside) {
    const Plot plot = lines_for_test();
    const PlotLayout layout = layout_of(plot);
    const double left = layout.at_x(15), right = layout.at_x(35);
    const std::vector<PlotRow> rows =
        rows_in(plot, state_, layout, {left, layout.area.y, right - left, layout.area.h / 2});
    EXPECT_EQ(rows, (std::vector<PlotRow>{2, 3, 12, 13}));
}

TEST_F(PlotTest, a_cell_without_room_for_the_series_name_has_the_number) {
    Plot plot = cells_for_test();
    PlotCell& cell = plot.cells->cells[0];
    cell.series = "a-method-of-a-name-that-is-wider-than-any-cell";
    cell.text = cell.series + " 1.6x";
    EXPECT_NE(plot_svg(plot, state_, {600, 400, &light_theme()}).find(">1.6x<"), std::string::npos);
    cell.text = cell.series + " or another";
    EXPECT_EQ(plot_svg(plot, state_, {600, 400, &light_theme()}).find("another<"), std::string::npos);
}

TEST_F(PlotTest, a_cell_has_its_name_above_its_number_where_they_do_not_fit_side_by_side) {
    Plot plot = cells_for_test();
    for (PlotCell& cell : plot.cells->cells) {
        cell.series = "implicit-gemm";
        cell.text = "implicit-gemm 2.3x";
    }
    const std::string narrow = plot_svg(plot, state_, {480, 400, &light_theme()});
    EXPECT_NE(narrow.find(">implicit-gemm<"), std::string::npos);
    EXPECT_NE(narrow.find(">2.3x<"), std::string::npos);
    EXPECT_EQ(narrow.find(">implicit-gemm 2.3x<"), std::string::npos);
    EXPECT_NE(plot_svg(plot, state_, {1600, 400, &light_theme()}).find(">implicit-gemm 2.3x<"), std::string::npos);
}

TEST_F(PlotTest, a_scale_of_one_value_says_that_it_is_the_same_everywhere) {
    Plot plot = cells_for_test();
    EXPECT_EQ(plot_svg(plot, state_, {600, 400, &light_theme()}).find("the same everywhere"), std::string::npos);
    for (PlotCell& cell : plot.cells->cells)
        if (std::isfinite(cell.value)) cell.value = 12;
    EXPECT_NE(plot_svg(plot, state_, {600, 400, &light_theme()}).find(">time: the same everywhere<"),
              std::string::npos);
}

TEST_F(PlotTest, cells_that_cannot_be_say_why) {
    const Plot plot = cells_for_test();
    const PlotLayout layout = layout_of(plot);
    const PlotPick rejected = pick(plot, state_, layout, look_for_test, layout.at_x(3), layout.at_y(3));
    EXPECT_EQ(rejected.words, "block x  256\nblock y  8\nMore than 1024 threads in a block.");
    EXPECT_EQ(rejected.row, 15U);
    EXPECT_EQ(pick(plot, state_, layout, look_for_test, layout.at_x(1), layout.at_y(0)).words,
              "block x  64\nblock y  1\nnot measured");
    EXPECT_EQ(pick(plot, state_, layout, look_for_test, layout.at_x(2), layout.at_y(1)).words,
              "block x  128\nblock y  2\ntime  24.0 us");
    EXPECT_EQ(layout.x.ticks.size(), 4U);
    EXPECT_EQ(layout.y.ticks.size(), 4U);
}

TEST_F(PlotTest, a_line_of_parallel_coordinates_is_found) {
    const Plot plot = parallel_for_test();
    const PlotLayout layout = layout_of(plot);
    ASSERT_EQ(layout.axes.size(), 4U);
    const PlotPick found =
        pick(plot, state_, layout, look_for_test, layout.axis_x(3) - 0.5, layout.axis_y(3, 100.0 / 3));
    EXPECT_EQ(found.words.substr(0, 17), "tile  32\nunroll  ");
    const std::vector<PlotRow> rows =
        rows_in(plot, state_, layout, {layout.axis_x(0) - 4, layout.axis_y(0, 1) - 4, 8, 8});
    EXPECT_EQ(rows.size(), 9U);
}

TEST_F(PlotTest, files_have_the_whole_picture) {
    const PlotPage page{800, 480, &light_theme()};
    Plot plot = lines_for_test();
    plot.title = "Sparsity & time";
    const std::string svg = plot_svg(plot, state_, page);
    EXPECT_NE(svg.find("Sparsity &amp; time"), std::string::npos);
    EXPECT_NE(svg.find("time (us, log)"), std::string::npos);
    EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);  // the vendor's
    EXPECT_EQ(count(svg, "<clipPath"), count(svg, "</g>"));
    EXPECT_NE(plot_svg(cells_for_test(), state_, page).find("24.0 us"), std::string::npos);
    EXPECT_NE(plot_svg(parallel_for_test(), state_, page).find("occupancy (%)"), std::string::npos);
}

TEST_F(PlotTest, data_as_csv_has_units_gaps_and_reasons) {
    const std::string lines = plot_csv(lines_for_test());
    EXPECT_EQ(lines.substr(0, lines.find("\r\n")), "series,sparsity_pct,time_us,q1,q3,status_reason");
    EXPECT_NE(lines.find("ecr3,0,4000,3900,4200,\r\n"), std::string::npos);
    EXPECT_NE(lines.find(",40,,,,The block of 2048"), std::string::npos);
    const std::string cells = plot_csv(cells_for_test());
    EXPECT_NE(cells.find("256,8,,,More than 1024 threads"), std::string::npos);
    EXPECT_EQ(count(cells, "\r\n"), 17U);
    EXPECT_EQ(count(plot_csv(parallel_for_test()), "\r\n"), 28U);
}

TEST_F(PlotTest, nothing_to_show_says_what_to_do) {
    Plot plot;
    plot.empty_hint = "Too busy.\nPress Run.";
    EXPECT_TRUE(is_empty(plot, state_));
    const std::string svg = plot_svg(plot, state_, {800, 480, &dark_theme()});
    for (const char* line : {">Too busy.<", ">Press Run.<"}) EXPECT_NE(svg.find(line), std::string::npos) << line;
    EXPECT_EQ(pick(plot, state_, layout_of(plot), look_for_test, 300, 200).words, "");
}

TEST_F(PlotTest, room_for_nothing_draws_nothing) {
    for (const Plot& plot : {lines_for_test(), cells_for_test(), parallel_for_test()})
        for (double size : {0.0, 1.0, 30.0, 80.0}) {
            const PlotLayout layout = lay_out(canvas_, plot, state_, look_for_test, {0, 0, size, size});
            draw_plot(canvas_, plot, state_, layout, look_for_test);
            EXPECT_GE(layout.area.h, 0);
        }
}

}  // namespace
}  // namespace convscope
