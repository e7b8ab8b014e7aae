// Preferences, by real events: palette, panels, size, notices, tour, settings, About.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <set>

#include "app/ui/input/focus.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

std::string clipboard() {
    const char* text = ImGui::GetClipboardText();
    return text ? text : "";
}

TEST(Palette, finds_by_a_few_letters_and_runs_with_enter) {
    Driver app;
    app.press(Key::k, true);
    ASSERT_TRUE(app.has("palette/search"));
    app.type("dark");
    app.press(Key::enter);
    EXPECT_FALSE(app.session().appearance.dark);
    EXPECT_NE(app.session().desktop_state.overlay, Overlay::palette);
    EXPECT_EQ(app.session().desktop_state.preferences.recent.front(), "Toggle light or dark theme");
    app.press(Key::k, true);
    app.press(Key::enter);  // what was run last stands first
    EXPECT_TRUE(app.session().appearance.dark);
}

TEST(Palette, picks_presets_methods_views_and_pages) {
    Driver app;
    auto run = [&app](const char* text) {
        app.press(Key::k, true);
        app.type(text);
        app.press(Key::enter);
    };
    run("vgg19 conv3_2");
    EXPECT_EQ(app.session().choices.workload.name, "vgg19/conv3_2");
    run("method im2col");
    EXPECT_EQ(app.session().choices.method, "im2col");
    run("roofline");
    EXPECT_EQ(app.session().view, ViewId("compare"));
    EXPECT_EQ(app.session().compare.page, ComparePage("roofline"));
    run("network alexnet");
    EXPECT_EQ(app.session().network.name, "alexnet");
    run("view layout");
    EXPECT_EQ(app.session().view, ViewId("layout"));
    app.press(Key::p, true);
    app.type("fig7");
    app.press(Key::enter);
    EXPECT_EQ(app.session().choices.workload.name, "examples/xu-fig7");
}

TEST(Palette, says_why_something_cannot_be_done) {
    Driver app;
    app.press(Key::k, true);
    app.type("method pecr1");
    app.press(Key::enter);
    EXPECT_EQ(app.session().desktop_state.overlay, Overlay::palette);
    EXPECT_EQ(app.session().choices.method, "");
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_NE(app.session().notices.back().text.find("pooling"), std::string::npos);
    app.press(Key::escape);
    EXPECT_NE(app.session().desktop_state.overlay, Overlay::palette);
}

TEST(Palette, goes_through_the_rows_by_arrows) {
    Driver app;
    app.press(Key::k, true);
    app.type("view:");
    app.press(Key::down);
    app.press(Key::down);
    app.press(Key::enter);
    EXPECT_EQ(app.session().view, ViewId("compare"));
}

TEST(Tooltips, are_on_every_control_of_every_view) {
    for (const ViewId view :
         {ViewId("layout"), ViewId("step"), ViewId("compare"), ViewId("sweep"), ViewId("network")}) {
        Driver app;
        app.session().view = view;
        app.wait([&app] { return !app.shell().compare().loading() && !app.shell().step().tracing(); });
        app.frames(2);
        EXPECT_EQ(focus_order().unexplained(), std::vector<std::string>{}) << view->name;
        for (const Key key : {Key::f1, Key::comma, Key::l, Key::e}) {
            app.press(key, key != Key::f1);
            app.frames(2);
            EXPECT_EQ(focus_order().unexplained(), std::vector<std::string>{}) << view->name;
            app.press(Key::escape);
        }
    }
}

TEST(Panels, fold_by_keys_and_come_back_where_they_were) {
    Driver app;
    const float width = app.session().appearance.left_width;
    app.press(Key::f9);
    EXPECT_FALSE(app.has("workload/h"));
    app.press(Key::f9);
    EXPECT_TRUE(app.has("workload/h"));
    EXPECT_EQ(app.session().appearance.left_width, width);
    app.press(Key::f10);
    EXPECT_FALSE(app.session().appearance.right_open);
    app.press(Key::f8);
    EXPECT_FALSE(app.has("live/methods"));
    app.click("fold live");
    EXPECT_TRUE(app.has("live/methods"));
    app.press(Key::f10);
}

TEST(Panels, give_the_view_the_whole_window_by_a_key_or_a_double_click) {
    Driver app;
    app.press(Key::f11);
    EXPECT_FALSE(app.has("workload/h"));
    EXPECT_FALSE(app.has("live/methods"));
    EXPECT_TRUE(app.has("tab/ECR"));
    app.press(Key::f11);
    EXPECT_TRUE(app.has("workload/h"));
    app.double_click("view/Layout");
    EXPECT_TRUE(app.session().desktop_state.maximised);
    app.double_click("view/Layout");
    EXPECT_FALSE(app.session().desktop_state.maximised);
}

TEST(Panels, are_put_back_by_a_command) {
    Driver app;
    const ImVec2 edge = app.item("left splitter").centre();
    app.drag(edge, {edge.x + 90, edge.y});
    app.press(Key::f10);
    app.press(Key::f8);
    app.press(Key::k, true);
    app.type("reset arrangement");
    app.press(Key::enter);
    EXPECT_EQ(app.session().appearance.left_width, Appearance{}.left_width);
    EXPECT_TRUE(app.session().appearance.right_open);
    EXPECT_TRUE(app.session().appearance.live_open);
}

TEST(Panels, are_resized_by_keys) {
    Driver app;
    while (focus_order().name() != "left splitter") app.press(Key::tab);
    const float width = app.session().appearance.left_width;
    app.press(Key::right);
    EXPECT_EQ(app.session().appearance.left_width, width + 8);
    EXPECT_EQ(focus_order().name(), "left splitter");
}

TEST(Scale, follows_the_keys_and_comes_back) {
    Driver app;
    for (int i = 0; i < 4; ++i) app.press(Key::equals, true);
    EXPECT_FLOAT_EQ(app.session().appearance.scale, 1.5F);
    app.frames(2);
    EXPECT_NEAR(look().scale, 1.5F, 1e-5F);
    for (int i = 0; i < 40; ++i) app.press(Key::minus, true);
    EXPECT_FLOAT_EQ(app.session().appearance.scale, 0.5F);
    for (int i = 0; i < 60; ++i) app.press(Key::equals, true);
    EXPECT_FLOAT_EQ(app.session().appearance.scale, 4.0F);
    app.press(Key::zero, true);
    EXPECT_FLOAT_EQ(app.session().appearance.scale, 1.0F);
}

TEST(Settings, change_theme_map_motion_symbols_and_units) {
    Driver app;
    app.press(Key::comma, true);
    auto pick = [&app](const std::string& list, const std::string& item) {
        app.click(list);
        app.frames(2);
        app.click(list + "/" + item);
        app.frames(2);
    };
    pick("settings/map", "cividis");
    EXPECT_EQ(app.session().desktop_state.preferences.map, ColorMap::cividis);
    pick("settings/motion", "reduced");
    EXPECT_TRUE(app.session().desktop_state.reduced_motion());
    EXPECT_LE(app.session().step.speed, 1);
    pick("settings/bytes", "KiB, MiB, GiB: steps of 1024");
    EXPECT_TRUE(app.session().desktop_state.preferences.binary_bytes);
    EXPECT_TRUE(app.has("formula/xu-1/q"));
    pick("settings/notation", "the papers': i_h, k_w, o_w");
    EXPECT_EQ(app.session().desktop_state.preferences.notation, Notation::paper);
    EXPECT_TRUE(app.has("formula/xu-1/i_w")) << "the cards follow";
    EXPECT_FALSE(app.has("formula/xu-1/q"));
    pick("settings/theme", "light");
    EXPECT_FALSE(app.session().appearance.dark);
    app.click("settings/copy presets");
    EXPECT_NE(clipboard().find("presets"), std::string::npos);
    app.click("settings/close");
    EXPECT_NE(app.session().desktop_state.overlay, Overlay::settings);
    app.session().desktop_state.preferences.binary_bytes = false;
    app.frames(1);
}

TEST(Notices, can_be_read_again_and_copied) {
    Driver app;
    notify(app.session(), "Saved somewhere");
    notify(app.session(), "That cannot be", true);
    app.frames(2);
    EXPECT_EQ(app.session().desktop_state.past.size(), 2U);
    for (Notice& each : app.session().notices) each.age_s = 60;
    app.frames(2);
    EXPECT_TRUE(app.session().notices.empty());
    EXPECT_TRUE(app.has("status/notices"));
    app.click("status/notices");
    ASSERT_EQ(app.session().desktop_state.overlay, Overlay::notices);
    app.frames(2);
    app.click("notices/copy");
    EXPECT_NE(clipboard().find("That cannot be"), std::string::npos);
    app.press(Key::escape);
    app.press(Key::l, true);
    EXPECT_EQ(app.session().desktop_state.overlay, Overlay::notices);
}

TEST(Notices, lie_on_nothing) {
    Driver app;
    const auto end_of_live_timing = [] {
        const ImGuiWindow& live = *ImGui::FindWindowByName("live");
        return live.Pos.y + live.Size.y;
    };
    const float before = end_of_live_timing();
    for (int i = 0; i < 4; ++i) notify(app.session(), "notice " + std::to_string(i));
    app.frames(4);
    app.keep_image("notices");
    float top = 1000;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->WasActive && std::string(window->Name).starts_with("notice ")) top = std::min(top, window->Pos.y);
    ASSERT_LT(top, before);
    EXPECT_LE(end_of_live_timing(), top);
    app.session().notices.clear();
    app.frames(4);
    EXPECT_EQ(end_of_live_timing(), before) << "they are gone, and so is their room";
}

TEST(Notices, the_status_line_counts_what_went_wrong_and_nobody_has_read) {
    Driver app;
    notify(app.session(), "Saved somewhere");
    app.frames(2);
    const float read = app.item("status/notices").max.x - app.item("status/notices").min.x;
    notify(app.session(), "That cannot be", true);
    app.frames(2);
    EXPECT_NE(app.item("status/notices").max.x - app.item("status/notices").min.x, read) << "1 problem";
    app.press(Key::l, true);
    app.frames(2);
    app.press(Key::escape);
    app.frames(2);
    EXPECT_EQ(app.item("status/notices").max.x - app.item("status/notices").min.x, read) << "notices";
}

TEST(Notices, do_not_hold_anything_up) {
    Driver app;
    for (int i = 0; i < 8; ++i) notify(app.session(), "notice " + std::to_string(i));
    app.frames(2);
    app.click("tab/Output");
    EXPECT_EQ(app.session().tab, TabId("output"));
}

TEST(FirstTour, has_six_stops_and_does_not_come_back) {
    Driver app;
    EXPECT_FALSE(app.session().desktop_state.tour_stop);  // only a window of a first run begins it
    app.press(Key::k, true);
    app.type("take tour");
    app.press(Key::enter);
    app.frames(2);
    std::string words;
    for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(app.session().desktop_state.tour_stop);
        EXPECT_EQ(*app.session().desktop_state.tour_stop, i);
        {
            const TextCapture capture(words);
            app.frames(1);
        }
        app.click("tour/next");
        app.frames(2);
    }
    for (std::size_t i = 0; i < ViewId::count; ++i)
        EXPECT_NE(words.find(ViewId::at(i)->name), std::string::npos) << ViewId::at(i)->name;
    EXPECT_FALSE(app.session().desktop_state.tour_stop);
    EXPECT_TRUE(app.session().desktop_state.preferences.tour_seen);
}

TEST(FirstTour, covers_nothing_that_it_is_about_and_keeps_its_buttons_in_place) {
    Driver app(1280, 800);
    app.session().desktop_state.tour_stop = 0;
    app.frames(2);
    const ImVec2 next = app.item("tour/next").min;
    for (int stop = 0; stop < 6; ++stop) {
        app.frames(2);
        const ImGuiWindow* card = ImGui::FindWindowByName("tour card");
        ASSERT_TRUE(card);
        if (stop == 1) {
            EXPECT_GT(card->Pos.x, 640) << "the left panel is what it is about";
        } else {
            EXPECT_LT(card->Pos.x + card->Size.x, app.item("tab/ECR").min.x) << stop;
            EXPECT_EQ(app.item("tour/next").min.y, next.y) << stop;
            EXPECT_EQ(app.item("tour/next").min.x, next.x) << stop;
        }
        EXPECT_LE(app.item("tour/next").max.y, card->Pos.y + card->Size.y) << stop;
        app.press(Key::right);
    }
}

TEST(FirstTour, is_led_by_keys_and_nothing_acts_behind_it) {
    Driver app;
    app.session().desktop_state.tour_stop = 0;
    app.frames(2);
    app.press(Key::enter);
    EXPECT_EQ(app.session().desktop_state.tour_stop, 1);
    app.press(Key::right);
    EXPECT_EQ(app.session().desktop_state.tour_stop, 2);
    app.press(Key::left);
    EXPECT_EQ(app.session().desktop_state.tour_stop, 1);
    const SessionState before = state_of(app.session());
    app.press(Key::six);
    app.press(Key::three);
    app.press(Key::down);
    app.press(Key::w);
    app.type("?");
    app.press(Key::k, true);
    app.frames(2);
    EXPECT_EQ(state_of(app.session()), before);
    EXPECT_FALSE(overlay_open(app.session()));
    EXPECT_EQ(app.session().desktop_state.tour_stop, 1);
    app.session().desktop_state.tour_stop = 3;
    // Tab goes round its buttons, which are pressed as before.
    app.press(Key::tab);
    EXPECT_EQ(focus_order().name(), "tour/next");
    app.press(Key::tab);
    EXPECT_EQ(focus_order().name(), "tour/back");
    app.press(Key::enter);
    app.frames(2);
    EXPECT_EQ(app.session().desktop_state.tour_stop, 2);
    app.press(Key::escape);
    EXPECT_FALSE(app.session().desktop_state.tour_stop);
    EXPECT_FALSE(focus_order().on());
    app.press(Key::three);
    EXPECT_EQ(app.session().view, ViewId("compare"));
}

TEST(FirstTour, gives_the_keyboard_back_when_a_button_in_the_ring_ends_it) {
    for (const Key key : {Key::enter, Key::space}) {
        Driver app;
        app.session().desktop_state.tour_stop = 0;
        app.frames(2);
        while (focus_order().name() != "tour/skip") {
            app.press(Key::tab);
            ASSERT_TRUE(focus_order().on());
        }
        app.press(key);
        app.frames(2);
        EXPECT_FALSE(app.session().desktop_state.tour_stop);
        EXPECT_FALSE(focus_order().on());
        app.press(Key::three);
        EXPECT_EQ(app.session().view, ViewId("compare"));
    }
}

TEST(FirstTour, can_be_left_at_any_time_and_holds_nothing_up) {
    for (const bool by_key : {true, false}) {
        Driver app(1280, 800);
        app.session().desktop_state.tour_stop = 0;
        app.frames(2);
        app.click("tour/next");
        app.click("tab/Output");
        EXPECT_EQ(app.session().tab, TabId("output"));
        app.frames(2);
        if (by_key)
            app.press(Key::escape);
        else
            app.click("tour/skip");
        EXPECT_FALSE(app.session().desktop_state.tour_stop);
        EXPECT_TRUE(app.session().desktop_state.preferences.tour_seen);
        EXPECT_TRUE(pinned(app.session()));
    }
}

TEST(About, has_the_versions_and_copies_them) {
    Driver app;
    app.press(Key::k, true);
    app.type("about");
    app.press(Key::enter);
    app.frames(2);
    app.click("about/copy");
    for (const char* what : {"convscope: ", "OpenGL: ", "Dear ImGui: ", "cpu: ", "fonts: "})
        EXPECT_NE(clipboard().find(what), std::string::npos) << clipboard();
}

}  // namespace
}  // namespace convscope::app
