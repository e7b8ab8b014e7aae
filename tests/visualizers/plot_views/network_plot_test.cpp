// The network plot: its geometry, its pixels, what the mouse does, and its files.
#include "visualizers/plot_views/network_plot.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/visualizers/offscreen_ui.h"
#include "visualizers/plot_views/network_plot_model.h"

namespace convscope {
namespace {

NetworkBar bar(double time_us, std::optional<double> speedup = {}, const std::string& chosen = "") {
    return {time_us, 0.9 * time_us, 1.1 * time_us, speedup, chosen, ""};
}

NetworkPlotData two_layers() {
    NetworkPlotData data;
    data.series = {{"onednn", 0, true}, {"ocpa", 1, false}};
    data.baseline = "onednn";
    data.layers = {
        {"conv1", "3x8x8 * 4x3x3", 0, "image", 1, {bar(100), bar(200, 0.5, "ecr3")}},
        {"conv2+pool", "4x8x8 * \"4\"x3x3, pool 2", 0.85, "ramp", 3, {bar(400), {{}, {}, {}, {}, "", "timeout"}}},
        {"conv3", "4x4x4 * 4x3x3", 0.9, "printed", 1, {}}};
    return data;
}

TEST(NetworkPlot, ABarsLengthIsItsTime) {
    const NetworkAxis axis = make_network_axis(two_layers(), {}, 50, 400);
    EXPECT_DOUBLE_EQ(axis.x(0), 50);
    EXPECT_DOUBLE_EQ(axis.x(400) - 50, 4 * (axis.x(100) - 50));
    EXPECT_LE(axis.x(440), 450) << "the third quartile fits";
    EXPECT_EQ(axis.name(), "time (us)");

    NetworkPlotState log_scale;
    log_scale.log_scale = true;
    const NetworkAxis ratios = make_network_axis(two_layers(), log_scale, 50, 400);
    EXPECT_NEAR(ratios.x(400) - ratios.x(200), ratios.x(200) - ratios.x(100), 1e-9);
    EXPECT_GT(ratios.x(100), 50);
    EXPECT_EQ(ratios.name(), "time (us, log)");
    EXPECT_NO_THROW(make_network_axis({}, {}, 0, 100));
}

TEST(NetworkPlot, OnlyWhatIsShownSetsTheScaleAndTheLead) {
    const NetworkPlotData data = two_layers();
    NetworkPlotState state;
    EXPECT_EQ(lead_series(data, state), 1U);
    state.hidden = {"onednn"};
    EXPECT_GT(make_network_axis(data, state, 0, 100).x(200), make_network_axis(data, {}, 0, 100).x(200));
    state.hidden = {"ocpa"};
    EXPECT_FALSE(lead_series(data, state));
}

TEST(NetworkPlot, SaysWhatStandsBesideTheBars) {
    const NetworkPlotData data = two_layers();
    EXPECT_EQ(zeros_text(data.layers[0]), "0 % image");
    EXPECT_EQ(zeros_text(data.layers[1]), "85 % ramp, 3 times");
    EXPECT_EQ(lead_text(data.layers[0], 1), "ecr3  0.50x");
    EXPECT_EQ(lead_text(data.layers[1], 1), "timeout");
    EXPECT_EQ(lead_text(data.layers[2], 1), "");
}

TEST(NetworkPlot, ItsFilesHoldEveryLayer) {
    const std::string csv = network_plot_csv(two_layers());
    EXPECT_EQ(csv,
              "layer,shape,zeros,zeros_from,times,method,chosen,time_us,speedup_vs_baseline,reason\r\n"
              "conv1,3x8x8 * 4x3x3,0,image,1,onednn,,100,,\r\n"
              "conv1,3x8x8 * 4x3x3,0,image,1,ocpa,ecr3,200,0.5,\r\n"
              "conv2+pool,\"4x8x8 * \"\"4\"\"x3x3, pool 2\",0.85,ramp,3,onednn,,400,,\r\n"
              "conv2+pool,\"4x8x8 * \"\"4\"\"x3x3, pool 2\",0.85,ramp,3,ocpa,,,,timeout\r\n");
    const std::string svg = network_plot_svg(two_layers(), {}, light_theme());
    for (const char* part : {"conv1<", "conv2+pool<", "conv3<", "400 us", "ecr3  0.50x", "timeout", "&quot;4&quot;",
                             "ocpa over onednn", "time (us)", "</svg>"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    NetworkPlotState state;
    state.hidden = {"ocpa"};
    EXPECT_EQ(network_plot_svg(two_layers(), state, light_theme()).find("200 us"), std::string::npos);
    EXPECT_NE(network_plot_svg({}, {}, dark_theme()).find("</svg>"), std::string::npos);
}

/// Pixels of this colour, give or take what blending does.
int count(const gl::Image& image, const Rgba& color) {
    int found = 0;
    const std::uint32_t bits = color.u32();
    for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
        bool same = true;
        for (std::size_t c = 0; c < 3; ++c)
            same &= std::abs(image.rgba[i + c] - static_cast<int>(bits >> (8 * c) & 255)) <= 2;
        found += same ? 1 : 0;
    }
    return found;
}

TEST(NetworkPlot, DrawsBarsAndAnswersToTheMouse) {
    OffscreenUi ui(900, 400);
    const NetworkPlotData data = two_layers();
    NetworkPlotState state;
    NetworkPlotResult result;
    auto draw = [&] { result = draw_network_plot("plot", data, state, std::nullopt, ui.style()); };
    ui.frame(draw);
    const gl::Image image = ui.frame(draw);
    keep_picture("network-plot", image);
    EXPECT_GT(count(image, dark_theme().category(1)), 500);
    ASSERT_EQ(result.rows.size(), 3U);
    EXPECT_FALSE(result.hovered);

    const NetworkPlotResult::Row& second = result.rows[1];
    ui.mouse_at(second.x + second.width / 2, second.y + second.height / 2);
    ui.frame(draw);
    EXPECT_EQ(result.hovered, 1U);
    std::optional<std::size_t> clicked;
    for (const bool down : {true, false}) {
        ui.mouse_down(down);
        ui.frame(draw);
        if (result.clicked) clicked = result.clicked;
    }
    EXPECT_EQ(clicked, 1U);

    state.hidden = {"ocpa"};
    EXPECT_EQ(count(ui.frame(draw), dark_theme().category(1)), 0);
}

TEST(NetworkPlot, ManyLayersAreScrolled) {
    OffscreenUi ui(900, 300);
    NetworkPlotData data = two_layers();
    while (data.layers.size() < 120) data.layers.push_back(data.layers[0]);
    NetworkPlotState state;
    NetworkPlotResult result;
    auto draw = [&] { result = draw_network_plot("plot", data, state, 3, ui.style()); };
    ui.frame(draw);
    ui.frame(draw);
    ASSERT_FALSE(result.rows.empty());
    EXPECT_LT(result.rows.size(), 30U) << "only those in sight";
    EXPECT_EQ(result.rows.front().layer, 0U);
    ui.mouse_at(400, 150);
    for (int i = 0; i < 20; ++i) {
        ui.wheel(-5);
        ui.frame(draw);
    }
    EXPECT_GT(result.rows.front().layer, 10U);
}

}  // namespace
}  // namespace convscope
