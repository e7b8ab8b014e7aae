// Slides and scenes, by real events: what F5 shows, what it leaves as it was, and the way through a talk.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/session/file/undo_label.h"
#include "app/ui/dialogs/drawn_figures.h"
#include "app/ui/input/focus.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

constexpr int wide = 1920, high = 1080;

class Slides : public ::testing::Test {
protected:
    void present() {
        app_.press(Key::f5);
        app_.frames(30);  // the arrays have glided to their places
    }
    void step_view() {
        app_.press(Key::two);
        ASSERT_TRUE(app_.wait([&] { return app_.has("step/scrub") && !app_.shell().step().tracing(); }));
    }
    void run_from_palette(const std::string& words) {
        app_.press(Key::k, true);
        app_.frames(2);
        app_.type(words);
        app_.frames(2);
        app_.press(Key::enter);
        app_.frames(3);
    }
    std::string words() { return app_.words_on_screen(); }

    Driver app_{wide, high};
};

TEST_F(Slides, leave_selection_scroll_and_focus_as_they_were) {
    step_view();
    app_.wheel("step/line 50", 1);
    app_.click("workload/h");
    app_.press(Key::escape);
    app_.press(Key::tab);
    app_.frames(3);
    const std::string focus = focus_order().name();
    ASSERT_FALSE(focus.empty());
    const SessionState before = state_of(app_.session());
    const auto lines = [this] {
        std::vector<std::string> all;
        for (const auto& [name, box] : app_.items())
            if (name.starts_with("step/line ")) all.push_back(name);
        return all;
    };
    const std::vector<std::string> in_sight = lines();
    for (const Key leave : {Key::escape, Key::f5}) {
        present();
        EXPECT_FALSE(app_.has("toolbar/run"));
        EXPECT_EQ(focus_order().name(), "") << "the keys are the view's";
        app_.press(leave);
        app_.frames(8);
        EXPECT_TRUE(app_.has("toolbar/run"));
        EXPECT_EQ(focus_order().name(), focus);
        EXPECT_EQ(lines(), in_sight);
        EXPECT_EQ(undo_label(before, state_of(app_.session())), "");
    }
}

TEST_F(Slides, have_no_notice_on_them_and_show_it_afterwards) {
    present();
    notify(app_.session(), "Saved somewhere");
    app_.frames(600);
    EXPECT_EQ(words().find("Saved somewhere"), std::string::npos) << words();
    EXPECT_FALSE(app_.shell().busy()) << "a slide that stands still costs nothing";
    app_.press(Key::escape);
    app_.frames(3);
    EXPECT_NE(words().find("Saved somewhere"), std::string::npos) << words();
}

TEST_F(Slides, of_steps_lead_with_the_step_and_have_twelve_lines_and_large_cells) {
    step_view();
    for (int i = 0; i < 21; ++i) app_.press(Key::right);
    present();
    EXPECT_NE(words().find("|Step|22|of 47: "), std::string::npos) << words();
    EXPECT_FALSE(app_.has("step/scrub"));
    int lines = 0;
    for (int line = 1; line < 120; ++line) lines += app_.has("step/line " + std::to_string(line));
    EXPECT_GE(lines, 12);
    const DrawnFigure* const array = find_figure("F_data");
    ASSERT_NE(array, nullptr);
    EXPECT_GE(array->box.w, 9 * 48) << "nine slots";
    EXPECT_GT(app_.item("step/lane 0").min.y, array->box.bottom());
    app_.press(Key::right);
    app_.frames(2);
    EXPECT_NE(words().find("|Step|23|of 47: "), std::string::npos) << "its keys go on working";
    app_.press(Key::space);
    EXPECT_TRUE(app_.session().plays_steps);
}

TEST_F(Slides, of_steps_have_the_array_that_is_accessed_and_the_lit_line_whole) {
    step_view();
    present();
    EXPECT_NE(words().find(" reads x[0,0]"), std::string::npos) << words();
    ASSERT_NE(find_figure("x"), nullptr) << words();
    const auto row = [&](int line) {
        const auto top = [&](int of) { return app_.item("step/line " + std::to_string(of)).min.y; };
        return top(line + 1) - top(line);
    };
    const float one = row(36);
    EXPECT_GE(row(37), 2 * one) << "the lit line is longer than the pane";
    EXPECT_NE(words().find("shape.pad_h + i,|"), std::string::npos) << "its end: " << words();
    app_.keep_image("step-slide");
    app_.point_at("step/line 40");
    app_.wheel_here(-1.3F);
    app_.frames(4);
    const auto first_in_sight = [&] {
        int line = 1;
        while (!app_.has("step/line " + std::to_string(line))) ++line;
        return app_.item("step/line " + std::to_string(line)).min.y;
    };
    const float first = first_in_sight();
    app_.wheel_here(-1.3F);
    app_.frames(4);
    EXPECT_NEAR(std::remainder(first_in_sight() - first, one), 0, 0.5F) << "lines at the edge are whole";
}

TEST(SlidesOfAnySize, have_twelve_lines_of_source) {
    for (const auto& [width, height] : {std::pair{1280, 720}, {1366, 768}, {1024, 768}}) {
        Driver app(width, height);
        app.press(Key::two);
        ASSERT_TRUE(app.wait([&] { return app.shell().step().column(0).traced() && !app.shell().step().tracing(); }));
        app.press(Key::f5);
        app.frames(5);
        int lines = 0;
        for (int line = 1; line < 120; ++line) lines += app.has("step/line " + std::to_string(line));
        EXPECT_GE(lines, 12) << width;
    }
}

TEST_F(Slides, show_the_live_timing_alone_by_f8) {
    present();
    app_.press(Key::space);
    app_.press(Key::f8);
    ASSERT_TRUE(app_.wait([&] { return app_.shell().live().latest("onednn") != nullptr; }));
    app_.press(Key::space);
    app_.frames(3);
    const auto& figures = drawn_figures();
    const auto plot = std::ranges::find_if(figures, [](const DrawnFigure& each) { return each.is_plot; });
    ASSERT_NE(plot, figures.end());
    EXPECT_GT(plot->box.w, 0.9F * wide);
    EXPECT_GT(plot->box.h, 0.75F * high);
    EXPECT_FALSE(app_.has("live/scope"));
    app_.press(Key::f8);
    app_.frames(2);
    EXPECT_TRUE(app_.shell().layouts().result().pointed) << "the arrays again";
    app_.press(Key::escape);
    app_.frames(2);
    EXPECT_TRUE(app_.session().appearance.live_open) << "F8 folded nothing";
    present();
    app_.press(Key::f8);
    app_.press(Key::escape);
    present();
    app_.frames(2);
    EXPECT_TRUE(app_.shell().layouts().result().pointed) << "a slide begins with its view";
}

TEST_F(Slides, of_pages_have_no_controls_and_their_keys) {
    present();
    for (const TabId tab : {TabId("solutions"), TabId("balance"), TabId("formats")}) {
        app_.session().tab = tab;
        app_.frames(3);
        for (const char* control : {"solutions/A", "solutions/play", "balance/block", "formats/x"})
            EXPECT_FALSE(app_.has(control)) << tab->name;
    }
    app_.session().tab = "solutions";
    app_.frames(2);
    app_.press(Key::right);
    EXPECT_EQ(app_.session().pages.solution.product, 1);
}

TEST_F(Slides, have_no_text_smaller_than_a_45th_of_the_height) {
    for (std::size_t i = 0; i < ViewId::count; ++i) {
        app_.session().view = ViewId::at(i);
        app_.session().desktop_state.presenting = true;
        app_.frames(5);
        for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
            EXPECT_GE(font->FontSize, high / 45.0F) << ViewId::at(i)->name;
    }
}

TEST_F(Slides, dim_what_is_not_linked_and_s_lights_all_again) {
    present();
    app_.point_at(ImVec2{4, 4});
    const auto brightness = [this] {
        app_.frames(2);
        const gl::Image picture = app_.picture();
        double sum = 0;
        for (const std::uint8_t each : picture.rgba) sum += each;
        return sum;
    };
    const double lit = brightness();
    app_.press(Key::s);
    const double all = brightness();
    EXPECT_GT(all, 1.02 * lit) << "x has many cells that no pin is linked with";
    app_.press(Key::s);
    EXPECT_EQ(brightness(), lit);
    app_.press(Key::escape);
    app_.press(Key::s);
    EXPECT_TRUE(app_.session().desktop_state.spotlight) << "a key of slides alone";
}

TEST_F(Slides, go_through_scenes_in_a_slide_and_outside_of_it) {
    app_.press(Key::f7);
    app_.frames(2);
    ASSERT_EQ(app_.session().scenes.size(), 1U);
    EXPECT_EQ(app_.session().scenes.all()[0].title, "B1 skips 63 % of its multiplications: 10 of 27 are needed");
    step_view();
    app_.press(Key::f7);
    app_.press(Key::right);
    app_.press(Key::three);
    ASSERT_TRUE(app_.wait([&] { return app_.shell().compare().result() && !app_.shell().compare().loading(); }));
    app_.press(Key::f7);
    present();
    EXPECT_TRUE(app_.has("scene/place"));
    const ViewId view = app_.session().view;
    app_.session().view = view == "network" ? ViewId("compare") : ViewId("network");
    app_.frames(2);
    EXPECT_FALSE(app_.has("scene/place")) << "another view is no scene's";
    app_.session().view = view;
    app_.frames(2);
    EXPECT_NE(words().find("|3 / 3|"), std::string::npos) << words();
    app_.press(Key::page_up);
    app_.frames(3);
    EXPECT_EQ(app_.session().view, ViewId("step"));
    EXPECT_EQ(app_.session().step.sides[0].done, 1U) << "as it was kept";
    app_.press(Key::page_up);
    app_.frames(3);
    EXPECT_EQ(app_.session().view, ViewId("layout"));
    EXPECT_NE(words().find("|1 / 3|"), std::string::npos) << words();
    app_.press(Key::escape);
    app_.press(Key::page_down);
    app_.frames(3);
    EXPECT_EQ(app_.session().view, ViewId("step"));
    EXPECT_TRUE(app_.has("toolbar/run"));
}

TEST_F(Slides, are_renamed_and_found_in_the_palette) {
    app_.press(Key::f7);
    step_view();
    app_.press(Key::f7);
    run_from_palette("scene: rename");
    ASSERT_TRUE(app_.has("palette/title"));
    app_.press(Key::a, true);
    app_.type("How a kernel runs");
    app_.press(Key::enter);
    app_.frames(3);
    EXPECT_NE(app_.session().desktop_state.overlay, Overlay::palette);
    EXPECT_EQ(app_.session().scenes.all()[1].title, "How a kernel runs");
    EXPECT_EQ(app_.shell().history().undo_words().find("scene Step 1 of 47"), 0U)
        << app_.shell().history().undo_words();
    run_from_palette("scene B1 skips");
    EXPECT_EQ(app_.session().view, ViewId("layout"));
    run_from_palette("how a kernel runs");
    EXPECT_EQ(app_.session().view, ViewId("step"));
    present();
    EXPECT_NE(words().find("|How a kernel runs|"), std::string::npos) << words();
    app_.press(Key::right);
    app_.frames(2);
    EXPECT_EQ(words().find("|How a kernel runs|"), std::string::npos) << "it is not what was named any more";
    run_from_palette("scene: delete it");
    EXPECT_EQ(app_.session().scenes.size(), 1U);
    app_.press(Key::z, true);
    EXPECT_EQ(app_.session().scenes.size(), 2U);
}

TEST_F(Slides, leave_the_pages_of_images_to_a_session_without_scenes) {
    app_.type_into("workload/n", "3");
    app_.press(Key::escape);
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().builder().busy(); }));
    app_.press(Key::page_down);
    EXPECT_EQ(app_.session().choices.selection.image, 1);
    app_.press(Key::f7);
    app_.press(Key::page_down);
    EXPECT_EQ(app_.session().choices.selection.image, 1);
}

TEST_F(Slides, are_in_the_menu) {
    app_.click("toolbar/menu");
    app_.frames(2);
    app_.click("menu/keep-scene");
    app_.frames(2);
    EXPECT_EQ(app_.session().scenes.size(), 1U);
    ASSERT_FALSE(app_.session().notices.empty());
    EXPECT_EQ(app_.session().notices.back().text, "Kept as scene 1 of 1. PgUp and PgDn go through them.");
    app_.click("toolbar/menu");
    app_.frames(2);
    app_.click("menu/present");
    app_.frames(2);
    EXPECT_FALSE(app_.has("toolbar/menu"));
}

}  // namespace
}  // namespace convscope::app
