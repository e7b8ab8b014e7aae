// Names of lines within a plot: they cover nothing.
#include <gtest/gtest.h>

#include <cairo.h>

#include <algorithm>

#include "tests/visualizers/plots/plots_for_tests.h"
#include "visualizers/plots/file_canvas.h"
#include "visualizers/plots/plot_notes.h"
#include "visualizers/plots/plot_pick.h"

namespace convscope {
namespace {

/// A roofline: a slope, three roofs close to one another, and a cloud below them.
Plot roofs_for_test() {
    Plot plot;
    plot.x = {"work per byte", "FLOP/B", true};
    plot.y = {"rate", "GFLOP/s", true};
    PlotSeries cloud;
    cloud.name = "ecr3";
    cloud.marks = PlotSeries::Marks::dots;
    for (int i = 0; i < 60; ++i) {
        cloud.x.push_back(5.0 + 12 * i);
        cloud.y.push_back(1000.0 + 900 * (i % 7) * (i % 5));
    }
    plot.series = {cloud};
    const auto add = [&](const std::string& name, std::vector<double> x, std::vector<double> y) {
        PlotSeries line;
        line.name = name + ", measured";
        line.note = line.name + ": 12345 of the unit";
        line.brief_note = name;
        line.neutral = true;
        line.marks = PlotSeries::Marks::line;
        line.x = std::move(x);
        line.y = std::move(y);
        plot.series.push_back(line);
    };
    add("memory", {2, 250}, {8e3, 1e6});
    add("FP16", {250, 2000}, {1e6, 1e6});
    add("TF32", {125, 2000}, {5e5, 5e5});
    add("FP32", {16, 2000}, {6.4e4, 6.4e4});
    return plot;
}

class PlotNotes : public ::testing::Test {
protected:
    std::vector<PlacedNote> placed(double width, double height) {
        layout_ = lay_out(canvas_, plot_, state_, look_for_test, {0, 0, width, height});
        return place_notes(canvas_, plot_, state_, layout_, look_for_test);
    }

    Plot plot_ = roofs_for_test();
    PlotState state_;
    PlotLayout layout_;
    FileCanvas canvas_{cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1)};
};

TEST_F(PlotNotes, cover_no_dot_no_line_and_no_other_name) {
    for (const auto& [width, height] : {std::pair{1200.0, 700.0}, {700.0, 400.0}, {640.0, 220.0}, {320.0, 200.0}}) {
        const std::vector<PlacedNote> notes = placed(width, height);
        if (width > 1000) {
            for (const PlotSeries& line : plot_.series)
                EXPECT_TRUE(line.note.empty() || std::ranges::count(notes, line.note, &PlacedNote::text) == 1);
        }
        for (std::size_t i = 0; i < notes.size(); ++i) {
            const CanvasBox& box = notes[i].box;
            EXPECT_TRUE(layout_.area.holds(box.x, box.y + 6) && layout_.area.holds(box.right(), box.bottom()));
            for (std::size_t j = 0; j < i; ++j) {
                const CanvasBox& other = notes[j].box;
                EXPECT_FALSE(box.x < other.right() && other.x < box.right() && box.y < other.bottom() &&
                             other.y < box.bottom())
                    << notes[i].text << " and " << notes[j].text;
            }
            for (const PlotSeries& one : plot_.series) {
                for (std::size_t k = 0; k < one.x.size(); ++k) {
                    const CanvasPoint at = layout_.at(one.x[k], one.y[k]);
                    EXPECT_FALSE(box.holds(at.x, at.y)) << notes[i].text << " on " << one.name;
                }
                if (one.note.empty()) continue;
                const CanvasPoint a = layout_.at(one.x[0], one.y[0]), b = layout_.at(one.x[1], one.y[1]);
                for (double t = 0; t <= 1; t += 0.001)
                    ASSERT_FALSE(box.holds(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)))
                        << notes[i].text << " on the line " << one.name;
            }
        }
    }
}

TEST_F(PlotNotes, a_name_without_room_is_brief_then_under_the_pointer_alone) {
    const std::vector<PlacedNote> few = placed(200, 110);
    EXPECT_LT(few.size(), 4U);
    for (const PlacedNote& each : few) EXPECT_EQ(each.text.find("12345"), std::string::npos) << each.text;
    const CanvasPoint roof = layout_.at(1000, 5e5);
    EXPECT_EQ(pick(plot_, state_, layout_, look_for_test, roof.x, roof.y + 2).words,
              "TF32, measured: 12345 of the unit");
}

TEST_F(PlotNotes, a_line_that_is_not_in_sight_has_none) {
    state_.view = {{300, 1000, 2e4, 1e5}};
    const std::vector<PlacedNote> notes = placed(700, 400);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(notes[0].text.starts_with("FP32"));
}

TEST_F(PlotNotes, lines_that_say_their_names_share_a_colour) {
    for (const Theme* theme : {&dark_theme(), &light_theme()}) {
        const std::vector<Rgba> inks = inks_of(plot_, *theme);
        for (std::size_t i = 1; i < inks.size(); ++i) EXPECT_EQ(inks[i].u32(), theme->text_dim.u32());
    }
}

}  // namespace
}  // namespace convscope
