// Charts for files: where values stand, and that they are really drawn.
#include <cairo.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/kernels/core/temp_folder.h"
#include "visualizers/plots/chart_frame.h"

namespace convscope {
namespace {

Chart chart() {
    Chart chart;
    chart.title = "A title";
    chart.y_label = "speed-up (x)";
    chart.points = {"a", "b", "c"};
    chart.series = {{"one", {1.0, 2.0, 4.0}, chart_color(0)}, {"two", {3.0, std::nullopt, 0.5}, chart_color(1)}};
    return chart;
}

TEST(Chart, AnAxisFromZeroHoldsEveryValue) {
    const ChartAxis axis = make_axis(chart(), false);
    EXPECT_EQ(axis.range.low, 0);
    EXPECT_GE(axis.range.high, 4);
    EXPECT_EQ(axis.share(0), 0);
    EXPECT_NEAR(axis.share(2) * 2, axis.share(4), 1e-12);
}

TEST(Chart, ALogarithmicAxisPutsEqualRatiosAtEqualDistances) {
    Chart logarithmic = chart();
    logarithmic.logarithmic = true;
    const ChartAxis axis = make_axis(logarithmic, false);
    EXPECT_GT(axis.range.low, 0);
    EXPECT_LE(axis.range.low, 0.5);
    EXPECT_NEAR(axis.share(2) - axis.share(1), axis.share(4) - axis.share(2), 1e-12);
    EXPECT_EQ(axis.share(0), 0);  // a value that has no logarithm stays on the axis
    EXPECT_EQ(axis.share(-1), 0);
}

TEST(Chart, TheReferenceIsOnTheAxis) {
    Chart small = chart();
    small.series = {{"one", {20.0, 30.0, 40.0}, chart_color(0)}};
    small.logarithmic = true;
    small.reference = 1;
    EXPECT_LE(make_axis(small, false).range.low, 1);
}

TEST(Chart, EachSideHasItsOwnRange) {
    Chart both = chart();
    both.series[1].right_axis = true;
    both.series[1].values = {100.0, 200.0, 300.0};
    both.right_label = "Theta";
    EXPECT_LT(make_axis(both, false).range.high, 10);
    EXPECT_GE(make_axis(both, true).range.high, 300);
}

TEST(Chart, WithoutAnyValueThereIsStillAnAxis) {
    Chart empty = chart();
    for (ChartSeries& series : empty.series) series.values = {std::nullopt, std::nullopt, std::nullopt};
    const ChartAxis axis = make_axis(empty, false);
    EXPECT_LT(axis.range.low, axis.range.high);
}

struct Picture {
    explicit Picture(const std::filesystem::path& path)
        : surface(cairo_image_surface_create_from_png(path.c_str())),
          width(cairo_image_surface_get_width(surface)),
          height(cairo_image_surface_get_height(surface)) {}
    ~Picture() { cairo_surface_destroy(surface); }

    /// Pixels of exactly this colour.
    int count(const Rgba& color) const {
        const auto channel = [](float value) { return static_cast<unsigned>(value * 255 + 0.5F); };
        const unsigned wanted = channel(color.r) << 16 | channel(color.g) << 8 | channel(color.b);
        int found = 0;
        for (int y = 0; y < height; ++y) {
            const auto* row = reinterpret_cast<const unsigned*>(cairo_image_surface_get_data(surface) +
                                                                y * cairo_image_surface_get_stride(surface));
            for (int x = 0; x < width; ++x) found += (row[x] & 0xFFFFFFU) == wanted ? 1 : 0;
        }
        return found;
    }

    cairo_surface_t* surface;
    int width, height;
};

TEST(Chart, BarsAreAsHighAsTheirValues) {
    const TempFolder folder;
    Chart one = chart();
    one.series.resize(1);
    write_png(one, folder / "4.png", 1);
    one.series[0].values = {1.0, 2.0, 2.0};  // 5 parts of colour in place of 7
    Chart scaled = one;
    scaled.series.push_back({"range", {4.0, 4.0, 4.0}, chart_color(1)});  // keeps the axis
    write_png(scaled, folder / "2.png", 1);
    const Picture all(folder / "4.png"), fewer(folder / "2.png");
    EXPECT_EQ(all.width, chart_width(one));
    EXPECT_EQ(all.height, chart_height);
    ASSERT_GT(fewer.count(chart_color(0)), 0);
    // Two series share a group's width, so bars are half as wide.
    EXPECT_NEAR(static_cast<double>(all.count(chart_color(0))) / fewer.count(chart_color(0)), 2 * 7.0 / 5, 0.15);
}

TEST(Chart, LinesAndManyPointsAreDrawn) {
    const TempFolder folder;
    Chart many;
    many.kind = Chart::Kind::lines;
    many.series = {{"one", {}, chart_color(2)}};
    for (int i = 0; i < 150; ++i) {
        many.points.push_back("layer " + std::to_string(i));
        many.series[0].values.emplace_back(i);
    }
    write_png(many, folder / "many.png");
    const Picture picture(folder / "many.png");
    EXPECT_EQ(picture.width, 2 * chart_width(many));
    EXPECT_GT(picture.count(chart_color(2)), 1000);
}

TEST(Chart, AnSvgIsWrittenWhole) {
    const TempFolder folder;
    write_svg(chart(), folder / "chart.svg");
    std::ifstream file(folder / "chart.svg");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    expect_contains(text, "<svg");
    expect_contains(text, ">A title</text>");
    expect_contains(text, "</svg>");
    const std::string bar = "fill='#0072b2'";  // three bars of the first series, and its place in the legend
    int bars = 0;
    for (std::size_t at = 0; (at = text.find(bar, at)) != std::string::npos; ++at) ++bars;
    EXPECT_EQ(bars, 4);
}

TEST(Chart, AFolderThatIsNotThereIsNamed) {
    const TempFolder folder;
    for (const char* name : {"none/chart.svg", "none/chart.png"}) {
        const auto path = folder / name;
        const std::string sentence = error_of(
            ErrorKind::file, [&] { path.extension() == ".svg" ? write_svg(chart(), path) : write_png(chart(), path); });
        expect_contains(sentence, path.string());
    }
}

}  // namespace
}  // namespace convscope
