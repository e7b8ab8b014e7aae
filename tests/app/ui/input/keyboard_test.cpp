// The keyboard, by real events: every control by Tab, views and pages by keys, and the sheet that lists them.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <set>

#include "app/ui/input/focus.h"
#include "app/ui/widgets/widgets.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

TEST(Keyboard, reaches_every_control_and_comes_round_again) {
    for (const ViewId view :
         {ViewId("layout"), ViewId("step"), ViewId("compare"), ViewId("sweep"), ViewId("network")}) {
        Driver app;
        app.session().view = view;
        app.wait([&app] { return !app.shell().compare().loading() && !app.shell().step().tracing(); });
        // A result that another thread makes may bring controls of its own.
        std::vector<std::string> there;
        int same = 0;
        ASSERT_TRUE(app.wait([&] {
            const std::vector<std::string> now = focus_order().names();
            same = now == there && !app.shell().sweep().busy(app.session()) ? same + 1 : 0;
            there = now;
            return same >= 20;
        }));
        const std::set<std::string> all(there.begin(), there.end());
        ASSERT_GT(all.size(), 15U);
        std::set<std::string> seen;
        for (std::size_t i = 0; i < there.size(); ++i) {
            app.press(Key::tab);
            ASSERT_TRUE(focus_order().on());
            seen.insert(focus_order().name());
        }
        for (const std::string& name : all) EXPECT_TRUE(seen.contains(name)) << view->name << ": " << name;
        const std::string last = focus_order().name();
        app.press(Key::tab);
        EXPECT_EQ(focus_order().name(), there.front());
        app.press(Key::tab, false, true);
        EXPECT_EQ(focus_order().name(), last);
        app.press(Key::escape);
        EXPECT_FALSE(focus_order().on());
    }
}

TEST(Keyboard, who_types_goes_on_typing_whatever_panel_appears) {
    Driver app;
    app.click("workload/n");
    app.press(Key::a, true);
    app.type("3");
    notify(app.session(), "Something was saved.");
    app.session().view = "step";  // its panel has never been there
    app.session().appearance.right_open = false;
    app.frames(3);
    app.session().view = "layout";
    app.frames(3);
    app.press(Key::two);  // a real keyboard sends the key and its letter
    app.type("2");
    app.press(Key::enter);
    EXPECT_EQ(app.session().good.shape.n, 32);
    EXPECT_EQ(app.session().view, ViewId("layout"));
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        const bool root = window->RootWindow == window, popup = (window->Flags & ImGuiWindowFlags_Popup) != 0;
        if (!root || popup || !window->WasActive || window->IsFallbackWindow) continue;
        EXPECT_TRUE(window->Flags & ImGuiWindowFlags_NoFocusOnAppearing) << window->Name;
    }
}

TEST(Keyboard, a_key_that_began_in_a_field_runs_no_command) {
    Driver app;
    app.press(Key::two);
    ASSERT_TRUE(app.wait([&] { return app.has("step/scrub") && !app.shell().step().tracing(); }));
    const std::size_t done = app.session().step.sides[0].done;
    app.click("workload/h");
    app.hold(Key::right, true);  // to the end of what stands in the field
    app.press(Key::enter);
    app.frames(120);  // it goes on repeating
    EXPECT_EQ(app.session().step.sides[0].done, done);
    app.hold(Key::right, false);
    app.press(Key::right);
    EXPECT_EQ(app.session().step.sides[0].done, done + 1);
}

TEST(Keyboard, what_is_typed_before_a_clicked_number_is_open_goes_into_it) {
    Driver app;
    for (const char* name : {"workload/h", "workload/h", "workload/w"}) {  // the second time it has been open before
        app.session().choices.workload.shape.h = app.session().choices.workload.shape.w = 5;
        edit_workload(app.session());
        app.frames(2);
        app.point_at(name);
        app.hold(true);
        app.type("2");  // in the frame of the press, as where a frame takes seconds
        app.hold(false);
        app.type("7");  // and in that of the release
        app.press(Key::enter);
        EXPECT_EQ(std::max(app.session().good.shape.h, app.session().good.shape.w), 27) << name;
    }
    EXPECT_EQ(app.session().view, ViewId("layout"));
}

TEST(Keyboard, enter_counts_in_the_frame_of_what_is_typed_before_it) {
    Driver app;
    const auto five = [&] {
        app.session().choices.workload.shape.h = 5;
        edit_workload(app.session());
        app.frames(2);
    };
    five();
    app.click("workload/h");
    app.press(Key::a, true);
    app.type_at_once("27", Key::enter);
    EXPECT_EQ(app.session().good.shape.h, 27) << "in a field that is open";
    five();
    app.point_at("workload/h");
    app.hold(true);
    app.type_at_once("36", Key::enter);
    app.hold(false);
    app.frames(8);
    EXPECT_EQ(app.session().good.shape.h, 36) << "while it is being clicked";
    five();
    app.press(Key::f2);
    while (focus_order().name() != "workload/h") app.press(Key::tab);
    app.type_at_once("18", Key::enter);
    app.frames(8);
    EXPECT_EQ(app.session().good.shape.h, 18) << "in the ring";
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

TEST(Keyboard, ctrl_p_takes_the_preset_that_is_typed_whatever_was_taken_before) {
    Driver app;
    for (const char* name : {"lenet/conv2", "lenet/conv1", "shapes/conv3", "shapes/conv1"}) {
        app.press(Key::p, true);
        app.type(name);
        app.press(Key::enter);
        EXPECT_EQ(app.session().good.name, name);
    }
}

TEST(Keyboard, presses_types_and_leaves_the_view_its_keys) {
    Driver app;
    app.press(Key::f2);
    ASSERT_EQ(focus_order().name(), "workload/n");
    for (int i = 0; i < 2; ++i) app.press(Key::tab);
    ASSERT_EQ(focus_order().name(), "workload/h");
    app.press(Key::enter);
    app.press(Key::a, true);
    app.type("9");
    app.press(Key::enter);
    EXPECT_EQ(app.session().good.shape.h, 9);
    EXPECT_TRUE(focus_order().on());
    while (focus_order().name() != "workload/pooling") {
        ASSERT_TRUE(focus_order().on());
        app.press(Key::tab);
    }
    app.press(Key::space);
    EXPECT_TRUE(app.session().good.shape.pooled());
    app.press(Key::enter);
    app.frames(1);
    EXPECT_FALSE(app.session().good.shape.pooled());
    app.press(Key::enter);
    app.frames(1);
    EXPECT_TRUE(app.session().good.shape.pooled());
    EXPECT_FALSE(app.shell().live().wanted());  // Space was the control's
    const auto pin = pinned(app.session());
    app.press(Key::down);  // the ring moves, the element does not
    EXPECT_EQ(pinned(app.session()), pin);
    app.press(Key::f4);
    EXPECT_FALSE(focus_order().on());
    app.press(Key::space);
    EXPECT_TRUE(app.shell().live().wanted());
    app.press(Key::space);
}

TEST(Keyboard, opens_a_list_picks_from_it_and_is_not_trapped) {
    Driver app;
    app.press(Key::f3);
    while (focus_order().name() != "launch/method") {
        ASSERT_TRUE(focus_order().on());
        app.press(Key::tab);
    }
    app.press(Key::space);
    app.frames(2);
    ASSERT_TRUE(app.has("launch/method/ecr2"));
    app.press(Key::escape);
    app.frames(2);
    EXPECT_FALSE(app.has("launch/method/ecr2"));
    EXPECT_TRUE(pinned(app.session()));
    app.press(Key::escape);
    EXPECT_FALSE(focus_order().on());
    EXPECT_TRUE(pinned(app.session()));
    app.press(Key::escape);
    EXPECT_FALSE(pinned(app.session()));
}

TEST(Keyboard, arrows_and_letters_move_in_a_list_that_a_click_has_opened) {
    Driver app;
    app.press(Key::two);
    ASSERT_TRUE(app.wait([&] { return app.has("step/beside") && !app.shell().step().tracing(); }));
    const std::size_t done = app.session().step.sides[0].done;
    app.click("launch/method");
    app.frames(2);
    ASSERT_TRUE(app.has("launch/method/ecr2"));
    app.press(Key::down);
    EXPECT_EQ(focus_order().name(), "launch/method/ecr2") << "the one below what is chosen";
    app.press(Key::down);
    EXPECT_EQ(focus_order().name(), "launch/method/ecr3");
    app.press(Key::up);
    EXPECT_EQ(focus_order().name(), "launch/method/ecr2");
    app.type("i");
    EXPECT_EQ(focus_order().name(), "launch/method/im2col");
    app.press(Key::enter);
    app.frames(2);
    EXPECT_FALSE(app.has("launch/method/ecr2"));
    EXPECT_EQ(app.session().choices.method, "im2col");
    EXPECT_FALSE(focus_order().on()) << "the keyboard is the view's again";
    EXPECT_EQ(app.session().step.sides[0].done, done);

    app.click("toolbar/preset");
    app.frames(2);
    app.type("fig7");
    app.frames(2);
    app.press(Key::down);
    EXPECT_EQ(focus_order().name(), "preset/examples/xu-fig7");
    app.press(Key::enter);
    app.frames(2);
    EXPECT_EQ(app.session().choices.workload.name, "examples/xu-fig7");
}

TEST(Keyboard, what_is_typed_goes_into_the_field_in_the_ring) {
    Driver app;
    const ViewId view = app.session().view;
    const auto go_to = [&](const std::string& name) {
        while (focus_order().name() != name) {
            app.press(Key::tab);
            ASSERT_TRUE(focus_order().on());
        }
    };
    go_to("workload/h");
    const auto type_key = [&](Key key, const char* letter) {  // as a keyboard does: the key and its letter
        app.type(letter);
        app.press(key);
        app.frames(2);
    };
    type_key(Key::one, "1");
    type_key(Key::two, "2");
    app.press(Key::tab);
    app.frames(2);
    EXPECT_EQ(app.session().choices.workload.shape.h, 12);
    EXPECT_EQ(focus_order().name(), "workload/w");
    type_key(Key::nine, "9");
    app.press(Key::enter);
    app.frames(2);
    EXPECT_EQ(app.session().choices.workload.shape.w, 9);
    EXPECT_EQ(app.session().view, view) << "no digit was a command";
}

TEST(Keyboard, the_arrows_of_a_number_step_it_and_do_not_lead_away) {
    Driver app;
    while (focus_order().name() != "workload/h") {
        app.press(Key::tab);
        ASSERT_TRUE(focus_order().on());
    }
    const std::int64_t h = app.session().choices.workload.shape.h;
    app.press(Key::up);
    app.press(Key::up);
    app.frames(2);
    EXPECT_EQ(app.session().choices.workload.shape.h, h + 2);
    EXPECT_EQ(focus_order().name(), "workload/h");
}

TEST(Keyboard, goes_from_panel_to_panel_and_lets_go_on_a_click) {
    Driver app;
    std::set<std::string> firsts;
    for (int i = 0; i < 4; ++i) {
        app.press(Key::f6);
        firsts.insert(focus_order().name());
    }
    EXPECT_EQ(firsts.size(), 4U);
    EXPECT_TRUE(std::ranges::any_of(firsts, [](const std::string& name) { return name.starts_with("toolbar/"); }))
        << "one of them is the toolbar";
    app.click_at({640, 500});
    EXPECT_FALSE(focus_order().on());
}

TEST(Keyboard, stays_within_what_stands_above_the_panels) {
    Driver app;
    app.press(Key::comma, true);
    ASSERT_EQ(app.session().desktop_state.overlay, Overlay::settings);
    app.frames(2);
    for (const std::string& name : focus_order().names()) EXPECT_TRUE(name.starts_with("settings/")) << name;
    app.press(Key::tab);
    EXPECT_EQ(focus_order().name(), "settings/theme");
    app.press(Key::escape);
    EXPECT_NE(app.session().desktop_state.overlay, Overlay::settings);
}

TEST(Keyboard, walks_over_what_the_pinned_element_is_linked_with) {
    Driver app;
    const ElementRef begin = *pinned(app.session());
    ASSERT_EQ(begin.array, ArrayId::F_data);
    std::set<ArrayId> arrays;
    for (int i = 0; i < 8; ++i) {
        app.press(Key::right, false, true);
        ASSERT_TRUE(pinned(app.session()));
        arrays.insert(pinned(app.session())->array);
    }
    EXPECT_GE(arrays.size(), 5U);  // x, w, y, F_data, K_data, Ptr
    while (pinned(app.session())->array != begin.array) app.press(Key::left, false, true);
    EXPECT_EQ(pinned(app.session()), begin);
}

TEST(Keyboard, says_what_the_control_in_the_ring_is_for) {
    Driver app;
    app.press(Key::f2);
    app.frames(1);
    EXPECT_NE(focus_order().meaning().find("Images in the batch"), std::string::npos);
}

TEST(Keyboard, changes_views_and_pages) {
    Driver app;
    app.press(Key::tab, true);
    EXPECT_EQ(app.session().view, ViewId("step"));
    app.press(Key::tab, true, true);
    EXPECT_EQ(app.session().view, ViewId("layout"));
    app.press(Key::page_down, true);
    EXPECT_EQ(app.session().tab, TabId("pecr"));
    app.press(Key::page_up, true);
    EXPECT_EQ(app.session().tab, TabId("ecr"));
}

TEST(Help, has_the_keys_of_all_groups_in_sight_at_1280_by_800) {
    Driver app(1280, 800);
    app.press(Key::f1);
    app.frames(2);
    ASSERT_TRUE(app.has("help/close"));
    EXPECT_LT(app.item("help/close").max.y, 800);
    app.press(Key::escape);
    EXPECT_NE(app.session().desktop_state.overlay, Overlay::help);
}

}  // namespace
}  // namespace convscope::app
