// The themes' promises, computed: text is legible, meanings can be told apart.
#include "visualizers/style/view_style.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>

#include "visualizers/grid/cell_text.h"
#include "visualizers/layouts/figure_labels.h"
#include "visualizers/theme/legible.h"

namespace convscope {
namespace {

class EveryTheme : public ::testing::TestWithParam<bool> {
protected:
    const Theme& theme = GetParam() ? dark_theme() : light_theme();
};

TEST_P(EveryTheme, text_is_legible_on_every_surface) {
    for (const Rgba& text : {theme.text, theme.text_dim})
        for (const Rgba& surface : {theme.background, theme.panel, theme.raised, theme.zero})
            EXPECT_GE(contrast_ratio(text, surface), 4.5);
    EXPECT_GE(contrast_ratio(theme.text, theme.hovered), 4.5);
    for (const Rgba& color : {theme.accent, theme.good, theme.warning, theme.bad, theme.vendor})
        EXPECT_GE(contrast_ratio(color, theme.panel), 4.5);
}

TEST_P(EveryTheme, every_methods_line_is_seen_on_a_panel) {
    for (int i = 0; i < 2000; ++i) EXPECT_GE(contrast_ratio(theme.method(i), theme.panel), 3) << i;
    for (int i = 0; i <= 10; ++i) EXPECT_GE(contrast_ratio(theme.ordered(0.1 * i), theme.panel), 3) << i;
    EXPECT_GE(contrast_ratio(theme.vendor, theme.panel), 3);
}

TEST_P(EveryTheme, an_example_is_read_though_it_is_dimmed) {
    EXPECT_GE(contrast_ratio(mix(theme.text_dim, theme.panel, example_dimming), theme.panel), 3);
}

TEST_P(EveryTheme, text_is_legible_on_what_is_tinted) {
    EXPECT_GE(contrast_ratio(theme.bad, behind_rejected(theme)), 4.5);
    for (const float tint : {0.2F, 0.25F, 0.35F})  // rows and lines that are lit, badges
        EXPECT_GE(contrast_ratio(theme.text, mix(theme.panel, theme.accent, tint)), 4.5) << tint;
    EXPECT_GE(contrast_ratio(theme.text, mix(theme.panel, theme.bad, 0.14F)), 4.5);
    for (const float hover : {0.0F, 0.2F, 0.35F}) {  // of an accent button, whose words keep their colour
        const Rgba button = mix(theme.accent, theme.text, hover);
        EXPECT_GE(contrast_ratio(readable_on(theme.accent), button), 4.5) << hover;
    }
    for (const float share : {0.5F, 0.9F})
        for (const Rgba& text : {theme.text, theme.text_dim})
            EXPECT_GE(contrast_ratio(text, mix(theme.panel, theme.raised, share)), 4.5);
}

TEST_P(EveryTheme, every_pair_that_im_gui_draws_text_in_is_legible) {
    ImGuiStyle style;
    apply_theme(theme, 1, style);
    const auto colour = [&](int id) {
        const ImVec4& c = style.Colors[id];
        return Rgba{c.x, c.y, c.z, c.w};
    };
    const auto over = [&](const Rgba& top) { return mix(theme.panel, top.with_alpha(1), top.a); };
    for (const int id :
         {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
          ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive, ImGuiCol_Header, ImGuiCol_HeaderHovered,
          ImGuiCol_HeaderActive, ImGuiCol_Tab, ImGuiCol_TabHovered, ImGuiCol_TabActive, ImGuiCol_TitleBgActive,
          ImGuiCol_MenuBarBg, ImGuiCol_TableHeaderBg, ImGuiCol_TableRowBgAlt, ImGuiCol_TextSelectedBg})
        EXPECT_GE(contrast_ratio(colour(ImGuiCol_Text), over(colour(id))), 4.5) << ImGui::GetStyleColorName(id);
    for (const int id : {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_TableHeaderBg})
        EXPECT_GE(contrast_ratio(colour(ImGuiCol_TextDisabled), over(colour(id))), 4.5) << ImGui::GetStyleColorName(id);
}

TEST_P(EveryTheme, colours_that_name_things_are_legible_as_text) {
    for (const Rgba& background : {theme.panel, theme.raised, mix(theme.panel, theme.accent, 0.2F)})
        for (const Rgba& colour : theme.categorical)
            EXPECT_GE(contrast_ratio(legible(colour, background), background), 4.5);
    EXPECT_EQ(legible(theme.text, theme.panel), theme.text);  // what reads already is left alone
}

TEST_P(EveryTheme, numbers_are_legible_on_every_value) {
    for (const ValueRange range : {ValueRange{0, 10}, ValueRange{-10, 10}})
        for (int i = 1; i <= 100; ++i)
            for (const float sign : {1.0f, -1.0f}) {
                const Rgba cell = theme.value(sign * static_cast<float>(i) / 10, range);
                EXPECT_GE(contrast_ratio(readable_on(cell), cell), 4.5) << i;
            }
}

TEST_P(EveryTheme, labels_are_legible_on_categories) {
    for (const Rgba& color : theme.categorical) EXPECT_GE(contrast_ratio(readable_on(color), color), 4.5);
}

TEST_P(EveryTheme, the_smallest_values_do_not_look_like_zero) {
    auto distance = [](const Rgba& a, const Rgba& b) { return std::hypot(a.r - b.r, a.g - b.g, a.b - b.b); };
    EXPECT_GT(distance(theme.value(1e-6f, {0, 1}), theme.zero), 0.2f);
    EXPECT_GT(distance(theme.value(1e-6f, {-1, 1}), theme.value(-1e-6f, {-1, 1})), 0.05f);
    EXPECT_GT(distance(theme.value(1e-6f, {-1, 1}), theme.zero), 0.05f);
}

TEST_P(EveryTheme, gives_im_gui_its_colours_and_scale) {
    ImGuiStyle style;
    apply_theme(theme, 2, style);
    EXPECT_EQ(ImGui::ColorConvertFloat4ToU32(style.Colors[ImGuiCol_Text]), theme.text.u32());
    EXPECT_EQ(ImGui::ColorConvertFloat4ToU32(style.Colors[ImGuiCol_WindowBg]), theme.panel.u32());
    EXPECT_EQ(style.FramePadding.x, 16);
}

INSTANTIATE_TEST_SUITE_P(DarkAndLight, EveryTheme, ::testing::Values(true, false));

TEST(Contrast, is_that_of_the_standard) {
    EXPECT_NEAR(contrast_ratio(Rgba::hex(0x000000), Rgba::hex(0xffffff)), 21, 1e-6);
    EXPECT_NEAR(contrast_ratio(Rgba::hex(0x777777), Rgba::hex(0xffffff)), 4.48, 0.01);
}

TEST(CellText, says_as_much_as_fits) {
    EXPECT_EQ(short_value(23, 3), "23");
    EXPECT_EQ(short_value(-1, 2), "-1");
    EXPECT_EQ(short_value(0.5, 4), ".5");
    EXPECT_EQ(short_value(0.37219, 3), ".37");
    EXPECT_EQ(short_value(0.37219, 4), ".37");
    EXPECT_EQ(short_value(-0.37219, 4), "-.37");
    EXPECT_EQ(short_value(12.345, 3), "12");
    EXPECT_EQ(short_value(12345, 3), "");
    EXPECT_EQ(short_value(0.00001, 4), "<.01") << "only zero is 0";
    EXPECT_EQ(short_value(-0.00001, 5), ">-.01");
    EXPECT_EQ(short_value(-0.00001, 4), ">-.1");
    EXPECT_EQ(short_value(0.00001, 3), "<.1");
    EXPECT_EQ(short_value(0.00001, 2), "");
    EXPECT_EQ(short_value(0.00001, 1), "");
    EXPECT_EQ(short_value(std::nan(""), 3), "NaN");
    EXPECT_EQ(short_value(INFINITY, 3), "inf");
}

TEST(LabelRoom, has_no_label_over_another_of_its_lane) {
    LabelRoom room(2);
    EXPECT_TRUE(room.take(0, 10, 8));
    EXPECT_FALSE(room.take(0, 16, 8));
    EXPECT_TRUE(room.take(1, 16, 8));
    EXPECT_TRUE(room.take(0, 18, 8));
    EXPECT_FALSE(room.take(0, 18, 1));
}

TEST(CellText, never_rounds_a_value_to_what_it_is_not) {
    for (const double value : {-0.6, -0.7, -0.8, 0.6, 1.5, -9.4, 0.96}) {
        EXPECT_EQ(short_value(value, 1), "") << value;
        for (int width = 2; width < 9; ++width) {
            const std::string text = short_value(value, width);
            if (text.empty()) continue;
            EXPECT_NEAR(std::stod(text), value, 0.051) << value;
        }
    }
    EXPECT_EQ(short_value(-0.625, 2), "");
    EXPECT_EQ(short_value(-0.625, 3), "-.6");
    EXPECT_EQ(short_value(0.625, 2), ".6");
    // Where there is room, a number near a whole one is not written as it.
    EXPECT_EQ(short_value(1.004, 4), "1.0");
    EXPECT_EQ(short_value(0.999, 3), "1.0");
    EXPECT_EQ(short_value(12.04, 2), "12");
}

}  // namespace
}  // namespace convscope
