// The timing plot: its pixels, its SVG as well-formed XML, its CSV, and what the mouse does.
#include "visualizers/plot_views/timing_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tests/visualizers/offscreen_ui.h"
#include "visualizers/plot_views/timing_plot_model.h"

namespace convscope {
namespace {

TimingSeries series(const std::string& name, int color, double us, int count, bool vendor = false) {
    TimingSeries s;
    s.name = name;
    s.color = color;
    s.vendor = vendor;
    for (int i = 0; i < count; ++i)
        s.samples_us.push_back(us * (1 + 0.05 * std::sin(i * 0.9) + (i % 37 == 0 ? 0.2 : 0)));
    s.median_us = us;
    s.q1_us = 0.97 * us;
    s.q3_us = 1.03 * us;
    return s;
}

/// Samples, and nothing that was made of them.
TimingSeries bare(const std::string& name, int color, std::vector<double> samples_us, std::int64_t stride = 1) {
    TimingSeries s;
    s.name = name;
    s.color = color;
    s.samples_us = std::move(samples_us);
    s.stride = stride;
    return s;
}

TimingPlotData three_methods(int samples = 200) {
    return {{series("ecr1", 0, 4.2, samples), series("pecr2", 2, 6.1, samples), series("cudnn", 0, 9.6, samples, true)},
            "hint"};
}

/// Checks that every element is closed, in order, and that no raw '&' or '<' stands in text: enough of XML for what
/// the writer makes.
::testing::AssertionResult well_formed(const std::string& xml) {
    std::vector<std::string> open;
    for (std::size_t i = 0; i < xml.size();) {
        if (xml[i] == '&') {
            const std::size_t end = xml.find(';', i);
            const std::string entity = xml.substr(i, end - i + 1);
            if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;")
                return ::testing::AssertionFailure() << "bare ampersand at " << i;
        }
        if (xml[i] != '<') {
            ++i;
            continue;
        }
        const std::size_t end = xml.find('>', i);
        if (end == std::string::npos) return ::testing::AssertionFailure() << "unclosed tag at " << i;
        const std::string tag = xml.substr(i + 1, end - i - 1);
        if (std::count(tag.begin(), tag.end(), '"') % 2) return ::testing::AssertionFailure() << "odd quotes: " << tag;
        const std::string name =
            tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/' ? 1 : 0));
        if (tag[0] == '/') {
            if (open.empty() || open.back() != name) return ::testing::AssertionFailure() << "stray </" << name << ">";
            open.pop_back();
        } else if (tag.back() != '/') {
            open.push_back(name);
        }
        i = end + 1;
    }
    if (!open.empty()) return ::testing::AssertionFailure() << "<" << open.back() << "> is never closed";
    return ::testing::AssertionSuccess();
}

TEST(TimingPlotSvg, IsWellFormedAndShowsWhatIsSwitchedOn) {
    TimingPlotData data = three_methods();
    data.series[0].name = "a<b>&\"c\"";
    data.series[1].samples_us[50] = NAN;
    TimingPlotState state;
    const std::string svg = timing_plot_svg(data, state, light_theme());
    EXPECT_TRUE(well_formed(svg));
    EXPECT_NE(svg.find("a&lt;b&gt;&amp;&quot;c&quot;"), std::string::npos);
    EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
    EXPECT_NE(svg.find("time, us"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    state.hidden = {"cudnn"};
    state.log_scale = true;
    const std::string without = timing_plot_svg(data, state, dark_theme());
    EXPECT_TRUE(well_formed(without));
    EXPECT_EQ(without.find("stroke-dasharray"), std::string::npos);
    EXPECT_TRUE(well_formed(timing_plot_svg({}, {}, dark_theme())));
}

TEST(TimingPlotCsv, HasARowPerSampleAndEmptyCellsWhereThereIsNone) {
    TimingPlotData data;
    data.series = {bare("ecr1", 0, {1.5, NAN, 2.25}), bare("odd,\"name\"", 1, {3})};
    EXPECT_EQ(timing_plot_csv(data), "sample,ecr1_us,\"odd,\"\"name\"\"_us\"\r\n0,1.5,3\r\n1,,\r\n2,2.25,\r\n");
    data.series = {bare("thinned", 0, {1, 2}, 4), bare("whole", 1, {5, 6, 7}, 2)};
    EXPECT_EQ(timing_plot_csv(data), "sample,thinned_us,whole_us\r\n0,1,5\r\n2,,6\r\n4,2,7\r\n6,,\r\n");
}

TEST(TimingPlotView, BeginsAtZeroOrSpansTheLogarithm) {
    TimingPlotState state;
    const auto linear = full_view(three_methods(), state);
    EXPECT_EQ(linear.y0, 0);
    EXPECT_GT(linear.y1, 9.6 * 1.2);
    EXPECT_EQ(linear.x1, 199);
    state.log_scale = true;
    const auto log = full_view(three_methods(), state);
    EXPECT_GT(log.y0, 1);
    EXPECT_LT(log.y0, 4.2 * 0.95);
}

TEST(TimingPlotView, IsLogarithmicByItselfWhereTheMediansAreFarApart) {
    TimingPlotData data = three_methods();
    EXPECT_FALSE(is_log(data, {}));
    data.series.push_back(series("reference", 4, 900, 200));
    EXPECT_TRUE(is_log(data, {}));
    EXPECT_GT(full_view(data, {}).y0, 1);
    TimingPlotState state;
    state.hidden = {"reference"};
    EXPECT_FALSE(is_log(data, state));
    state = {};
    state.log_scale = false;  // what a user chose stays
    EXPECT_FALSE(is_log(data, state));
}

TEST(TimingPlotView, LeavesAFewSlowSamplesOut) {
    TimingPlotData data = three_methods();
    data.series[0].samples_us[3] = 15000;
    const auto view = full_view(data, {});
    EXPECT_LT(view.y1, 20);
    EXPECT_GT(view.y1, 9.6 * 1.2);
    data.series = {bare("two", 0, {1, 1000})};
    EXPECT_GT(full_view(data, {}).x1, 0);
}

TEST(TimingPlotView, CountsSamplesInWholes) {
    TimingPlotData data{{bare("few", 0, {1, 2})}, ""};
    for (const Tick& tick : make_frame(data, {}, 0, 0, 600, 100).x_ticks)
        EXPECT_EQ(tick.label.find('.'), std::string::npos);
}

TEST(TimingPlotDots, AreAsManyAsCanBeToldApartAndOnlyOfSamplesInView) {
    std::vector<double> samples(100000, 5.0);
    samples[54321] = 6;     // in view: must not be lost among its neighbours
    samples[70000] = 5000;  // an outlier
    TimingPlotData data{{bare("a", 0, samples)}, ""};
    data.series[0].q1_us = data.series[0].q3_us = 5;
    const PlotFrame frame = make_frame(data, {}, 0, 0, 300, 100);
    const auto shown = dots(data.series[0], frame, 2);
    EXPECT_LE(shown.size(), 152u);
    int raised = 0;
    for (const Dot& dot : shown) {
        raised += std::abs(dot.y - frame.y(6)) < 1e-9;
        EXPECT_GE(dot.y, 0);
        EXPECT_LE(dot.y, 100);
    }
    EXPECT_EQ(raised, 1);
    EXPECT_NEAR(frame.us_at(frame.y(4)), 4, 1e-9);
}

TEST(TimingPlotDots, OfThinnedSamplesStandAtTheirOwnNumbers) {
    TimingPlotData data{{bare("whole", 0, std::vector<double>(80, 5.0)), bare("thinned", 1, {5, 6, 7}, 32)}, ""};
    const PlotFrame frame = make_frame(data, {}, 0, 0, 300, 100);
    EXPECT_GE(frame.view.x1, 80);
    const auto shown = dots(data.series[1], frame, 2);
    ASSERT_EQ(shown.size(), 3U);
    EXPECT_NEAR(shown[1].x, frame.x(32), 1e-9);
    EXPECT_NEAR(shown[2].x, frame.x(64), 1e-9);
}

TEST(TimingPlotLabels, StandByTimeAndApart) {
    TimingPlotData data = three_methods();
    data.series.push_back(series("close", 4, 6.15, 200));
    data.series.push_back(series("off", 5, 6.2, 200));
    TimingPlotState state;
    state.hidden = {"off"};
    const PlotFrame frame = make_frame(data, state, 0, 0, 600, 150);
    const LineLabels labels = line_labels(data, state, frame, 15);
    std::vector<std::string> names;
    for (const LineLabel& label : labels.list) names.push_back(label.series->name);
    EXPECT_EQ(names, (std::vector<std::string>{"cudnn", "close", "pecr2", "ecr1", "off"}));
    for (std::size_t i = 1; i < labels.list.size(); ++i)
        EXPECT_GE(labels.list[i].y - labels.list[i - 1].y, 15 - 1e-9) << names[i];
    EXPECT_NEAR(labels.list[2].line_y, frame.y(6.1), 1e-9) << "led to its own line";
    EXPECT_GE(labels.list.front().y, 7.5);
    EXPECT_LE(labels.list.back().y, 150 - 7.5);
}

TEST(TimingPlotLabels, WithoutRoomForAllTheFastestAreNamed) {
    TimingPlotData data;
    for (int i = 0; i < 20; ++i) data.series.push_back(series("m" + std::to_string(i), i, 5 + i, 10));
    const LineLabels labels = line_labels(data, {}, make_frame(data, {}, 0, 0, 600, 100), 15);
    EXPECT_EQ(labels.list.size(), 5U);
    EXPECT_EQ(labels.left_out, 15U);
    EXPECT_EQ(labels.list.back().series->name, "m0");
    EXPECT_GE(labels.list.front().y, 15 + 7.5 - 1e-9) << "below the row that says how many are not named";
}

TEST(TimingPlotDrift, IsTwoLinesAndASentence) {
    TimingPlotData data = three_methods();
    EXPECT_EQ(drift_in_words(data, {}), "");
    data.series[0].change = TimingChange{4, 4.6, 100};
    const PlotFrame frame = make_frame(data, {}, 0, 0, 600, 150);
    const std::vector<LinePiece> line = median_line(data.series[0], frame);
    ASSERT_EQ(line.size(), 2U);
    EXPECT_NEAR(line[0].x1, frame.x(100), 1e-9);
    EXPECT_NEAR(line[0].y, frame.y(4), 1e-9);
    EXPECT_NEAR(line[1].y, frame.y(4.6), 1e-9);
    EXPECT_EQ(median_line(data.series[1], frame).size(), 1U);
    EXPECT_EQ(drift_in_words(data, {}), "ecr1 drifts: 4.00 us, then 4.60 us");
    EXPECT_NE(timing_plot_svg(data, {}, dark_theme()).find("ecr1 drifts"), std::string::npos);
}

class OnScreen : public ::testing::Test {
protected:
    OffscreenUi ui{760, 220};
    TimingPlotState state;
    TimingPlotData data = three_methods();
    /// A window takes the mouse once Dear ImGui (1.90: a frame later than 1.86) has seen it.
    void SetUp() override {
        draw();
        draw();
    }
    gl::Image draw() {
        return ui.frame([&] { draw_timing_plot("plot", data, state, ui.style()); });
    }
    static int count(const gl::Image& image, const Rgba& color) {
        int n = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                const auto p = image.at(x, y);
                n += (p.r | p.g << 8 | p.b << 16 | 0xff000000u) == color.u32();
            }
        return n;
    }
    /// The plotting area is as high as what the axis and the notes leave.
    float at_the_name_of(const std::string& name) {
        const double scale = ui.style().scale, top = 8 + 22 * scale, height = 220 - 16 - 44 * scale;
        const PlotFrame frame = make_frame(data, state, 64, top, 560, height, scale);
        for (const LineLabel& label : line_labels(data, state, frame, ui.style().caption()->FontSize + 3 * scale).list)
            if (label.series->name == name) return static_cast<float>(label.y);
        return -1;
    }
    void click(float x, float y) {
        ui.mouse_at(x, y);
        draw();
        ui.mouse_down(true);
        draw();
        ui.mouse_down(false);
        draw();
    }
};

TEST_F(OnScreen, DrawsEveryMethodInItsColour) {
    const gl::Image image = draw();
    keep_picture("timing_dark", image);
    const Theme& theme = *ui.style().theme;
    EXPECT_GT(count(image, theme.category(0)), 500);
    EXPECT_GT(count(image, theme.category(2)), 500);
    EXPECT_GT(count(image, theme.vendor), 250);
    EXPECT_LT(count(image, theme.vendor), count(image, theme.category(0)));  // dashed
}

TEST_F(OnScreen, SwitchesAMethodOffByItsName) {
    // The fastest of three: the last name, where its line ends.
    const float x = 660, y = at_the_name_of("ecr1");
    click(x, y);
    EXPECT_EQ(state.hidden, (std::set<std::string>{"ecr1"}));
    ui.mouse_at(-1, -1);
    EXPECT_EQ(count(draw(), ui.style().theme->category(0)), 0);
    click(x, at_the_name_of("ecr1"));
    EXPECT_TRUE(state.hidden.empty());
}

TEST_F(OnScreen, SaysThatATimeDrifts) {
    const auto words_above_the_plot = [](const gl::Image& image) {
        bool words = false;
        for (int x = 116; x < 300; ++x)
            for (int y = 10; y < 32; ++y) words = words || std::abs(image.at(x, y).r - image.at(350, 20).r) > 60;
        return words;
    };
    EXPECT_FALSE(words_above_the_plot(draw()));
    data.series[0].change = TimingChange{3.6, 4.8, 120};
    const gl::Image image = draw();
    keep_picture("timing_drift", image);
    EXPECT_TRUE(words_above_the_plot(image));
}

TEST_F(OnScreen, ZoomsPansAndResets) {
    ui.mouse_at(400, 120);
    draw();
    ui.wheel(2);
    draw();
    ASSERT_TRUE(state.view);
    EXPECT_LT(state.view->x1 - state.view->x0, 199);
    const double before = state.view->x0;
    ui.mouse_down(true);
    draw();
    ui.mouse_at(300, 120);
    draw();
    draw();
    EXPECT_GT(state.view->x0, before);
    ui.mouse_down(false);
    draw();
    // Two quick clicks on one spot.
    for (const bool down : {true, false, true}) {
        ui.mouse_down(down);
        draw();
    }
    EXPECT_FALSE(state.view);
}

TEST_F(OnScreen, SaysWhatToDoWhenThereIsNothing) {
    const gl::Image with = draw();
    data.series.clear();
    const gl::Image image = draw();
    keep_picture("timing_empty", image);
    EXPECT_NE(with.rgba, image.rgba);
    bool words = false;
    const auto panel = image.at(200, 60);
    for (int x = 250; x < 550; ++x)
        for (int y = 80; y < 120; ++y) words = words || std::abs(image.at(x, y).r - panel.r) > 60;
    EXPECT_TRUE(words);
}

TEST(OnALightScreen, LooksRightAtTwiceTheScale) {
    OffscreenUi ui(1520, 440, 2, light_theme());
    TimingPlotState state;
    state.log_scale = true;
    TimingPlotData data = three_methods(3000);
    ui.mouse_at(700, 200);
    ui.frame([&] { draw_timing_plot("plot", data, state, ui.style()); });
    const gl::Image image = ui.frame([&] { draw_timing_plot("plot", data, state, ui.style()); });
    keep_picture("timing_light_2x", image);
    EXPECT_EQ(image.width, 1520);
}

}  // namespace
}  // namespace convscope
