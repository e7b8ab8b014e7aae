// The plots on the screen, moved and pointed at by events.
#include <gtest/gtest.h>

#include <optional>

#include "tests/visualizers/offscreen_ui.h"
#include "tests/visualizers/plots/plots_for_tests.h"
#include "visualizers/plot_views/plot_view.h"

namespace convscope {
namespace {

class PlotViewTest : public ::testing::Test {
protected:
    void frame() {
        ui_.layout_only([&] { result_ = show_plot("plot", plot_, state_, ui_.style()); });
    }
    void point_at(double x, double y) {
        ui_.mouse_at(static_cast<float>(x), static_cast<float>(y));
        frame();
    }
    void click(double x, double y) {
        point_at(x, y);
        for (bool down : {true, false}) {
            ui_.mouse_down(down);
            frame();
            if (result_.clicked != no_row) clicked_ = result_.clicked;
        }
    }

    OffscreenUi ui_{800, 500};
    Plot plot_ = lines_for_test();
    PlotState state_;
    PlotResult result_;
    std::optional<PlotRow> clicked_;
};

TEST(PlotView, draws_each_kind_in_both_themes_and_scales) {
    for (const float scale : {1.0F, 2.0F})
        for (const Theme* theme : {&dark_theme(), &light_theme()}) {
            OffscreenUi ui(static_cast<int>(640 * scale), static_cast<int>(400 * scale), scale, *theme);
            int number = 0;
            for (const Plot& plot :
                 {lines_for_test(), cells_for_test(), parallel_for_test(), rows_for_test(), samples_for_test()}) {
                PlotState state;
                gl::Image image;
                for (int i = 0; i < 2; ++i) image = ui.frame([&] { show_plot("plot", plot, state, ui.style()); });
                EXPECT_GT(image.width, 0);
                keep_image(("plot-" + std::to_string(number++) + (theme->dark ? "-dark-" : "-light-") +
                            std::to_string(static_cast<int>(scale)))
                               .c_str(),
                           image);
            }
        }
}

TEST_F(PlotViewTest, wheel_zooms_and_a_double_click_shows_everything) {
    frame();
    point_at(result_.area.x + result_.area.w / 2, result_.area.y + 20);
    ui_.wheel(2);
    frame();
    ASSERT_TRUE(state_.view);
    EXPECT_LT(state_.view->x1 - state_.view->x0, 90);
    click(400, 250);
    click(400, 250);
    EXPECT_FALSE(state_.view);
}

TEST_F(PlotViewTest, dragging_moves_what_is_seen) {
    frame();
    point_at(400, 250);
    ui_.mouse_down(true);
    frame();
    point_at(300, 250);
    point_at(290, 250);
    ui_.mouse_down(false);
    frame();
    ASSERT_TRUE(state_.view);
    EXPECT_GT(state_.view->x0, 0);
}

TEST_F(PlotViewTest, a_click_names_the_row) {
    plot_ = cells_for_test();
    frame();
    click(result_.area.x + result_.area.w / 8, result_.area.bottom() - 10);
    EXPECT_EQ(clicked_, 0U);
}

TEST_F(PlotViewTest, the_legend_switches_series_off) {
    plot_.series[0].marks = PlotSeries::Marks::dots;  // lines are named where they end
    frame();
    click(result_.x + 40, result_.y + 10);
    EXPECT_TRUE(state_.hidden.contains("ecr3"));
    click(result_.x + 40, result_.y + 10);
    EXPECT_TRUE(state_.hidden.empty());
}

TEST(PlotView, the_name_of_a_strip_switches_it_off) {
    OffscreenUi ui(760, 220);
    const Plot plot = samples_for_test();
    PlotState state;
    PlotResult result;
    const auto draw = [&] { return ui.frame([&] { result = show_plot("plot", plot, state, ui.style()); }); };
    const auto count = [](const gl::Image& image, const Rgba& color) {
        int found = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                const auto p = image.at(x, y);
                found += (p.r | p.g << 8 | p.b << 16 | 0xff000000U) == color.u32();
            }
        return found;
    };
    draw();
    const gl::Image image = draw();
    keep_image("samples", image);
    const Theme& theme = *ui.style().theme;
    EXPECT_GT(count(image, theme.method(0)), 30);
    EXPECT_GT(count(image, theme.method(2)), 30);
    EXPECT_GT(count(image, theme.vendor), 10);
    EXPECT_LT(count(image, theme.vendor), count(image, theme.method(0))) << "dashed";
    ui.mouse_at(static_cast<float>(result.area.x) - 16, static_cast<float>(result.area.y + result.area.h / 6));
    for (const bool down : {false, true, false}) {
        ui.mouse_down(down);
        draw();
    }
    EXPECT_EQ(state.hidden, (std::set<std::string>{"ecr1"}));
    ui.mouse_at(-1, -1);
    EXPECT_EQ(count(draw(), theme.method(0)), 0);
}

TEST_F(PlotViewTest, rows_are_pointed_at_and_clicked) {
    plot_ = rows_for_test();
    frame();
    frame();
    ASSERT_EQ(result_.rows.size(), 3U);
    EXPECT_EQ(result_.hovered, no_row);
    const CanvasBox second = result_.rows[1].second;
    click(second.x + second.w / 2, second.y + second.h / 2);
    EXPECT_EQ(result_.hovered, 1U);
    EXPECT_EQ(clicked_, 1U);
}

TEST_F(PlotViewTest, rows_that_have_no_room_are_scrolled_to_by_the_wheel) {
    plot_ = rows_for_test();
    while (plot_.x.names.size() < 120) plot_.x.names.push_back("conv" + std::to_string(plot_.x.names.size()));
    frame();
    frame();
    ASSERT_FALSE(result_.rows.empty());
    EXPECT_LT(result_.rows.size(), 40U) << "only those in sight";
    EXPECT_EQ(result_.rows.front().first, 0U);
    point_at(400, 150);
    for (int i = 0; i < 20; ++i) {
        ui_.wheel(-5);
        frame();
    }
    EXPECT_GT(result_.rows.front().first, 10U);
}

}  // namespace
}  // namespace convscope
