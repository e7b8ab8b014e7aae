// Controls that stay in sight in windows of all sizes.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <map>
#include <string>

#include "app/ui/input/reader_report.h"
#include "kernels/layers/preset.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

/// By their titles: the values in their cells, or their sizes where no digits have room.
std::map<std::string, std::string> arrays_read_out(Driver& app) {
    ReaderReport report;
    ReaderReport::active = &report;
    report.begin_frame();
    app.frames();
    std::map<std::string, std::string> arrays;
    for (const ReaderNode& node : report.finish())
        if (node.role == ControlRole::array) arrays[node.name] = node.value;
    ReaderReport::active = nullptr;
    return arrays;
}

TEST(Gui, nothing_needs_scrolling_at_1280_by_800) {
    Driver app(1280, 800);
    app.type_into("workload/c", "512");
    app.click("workload/pooling");
    app.press(Key::two, true);
    app.press(Key::space);
    for (const char* item : {"workload/sparsity", "launch/method", "launch/model", "live/methods", "row/onednn"}) {
        ASSERT_TRUE(app.has(item)) << item;
        EXPECT_LT(app.item(item).max.y, 800 - 28) << item;
    }
}

TEST(Gui, a_narrow_window_folds_the_inspector_which_can_be_unfolded) {
    Driver app(900, 600);
    EXPECT_FALSE(app.session().appearance.right_open);
    app.click("fold right");
    app.frames(2);
    EXPECT_TRUE(app.session().appearance.right_open);
}

TEST(Gui, survives_a_window_of_200_by_200) {
    Driver app(200, 200);
    app.frames(3);
    app.press(Key::f1);
    app.press(Key::escape);
    EXPECT_NE(app.session().desktop_state.overlay, Overlay::help);
}

TEST(Toolbar, keeps_run_in_sight_in_a_narrow_window) {
    for (const int width : {200, 320, 480, 640, 1024}) {
        Driver app(width, 480);
        app.frames(2);
        ASSERT_TRUE(app.has("toolbar/run")) << width;
        EXPECT_LE(app.item("toolbar/run").max.x, static_cast<float>(width)) << width;
        EXPECT_EQ(app.has("toolbar/preset"), width >= 480) << width;
    }
}

TEST(Toolbar, has_every_view_and_the_help_in_sight_at_800_by_600) {
    Driver app(800, 600);
    app.frames(2);
    for (const char* item : {"view/Layout", "view/Lessons", "toolbar/menu", "toolbar/help", "toolbar/preset"})
        EXPECT_LE(app.item(item).max.x, 800) << item;
    EXPECT_LE(app.item("view/Lessons").max.x, app.item("toolbar/menu").min.x);
    EXPECT_FALSE(app.has("toolbar/export")) << "it is under More";
    app.click("toolbar/menu");
    app.frames(2);
    EXPECT_GE(app.item("menu/export").min.y, app.item("toolbar/menu").max.y) << "the menu covers its button";
    app.click("menu/export");
    EXPECT_EQ(app.session().desktop_state.overlay, Overlay::export_dialog);
}

TEST(Overlays, stand_in_the_middle_and_have_close_at_the_right) {
    Driver app(1280, 800);
    const auto expect_card = [&](const char* window, const char* close) {
        app.frames(3);
        const ImGuiWindow* card = ImGui::FindWindowByName(window);
        ASSERT_TRUE(card) << window;
        EXPECT_NEAR(card->Pos.y + card->Size.y / 2, 400, 2) << window;
        EXPECT_NEAR(app.item(close).max.x, card->Pos.x + card->Size.x - 24, 16) << close;
        app.press(Key::escape);
        app.frames(2);
    };
    app.press(Key::f1);
    expect_card("##help", "help/close");
    app.session().desktop_state.overlay = Overlay::settings;
    expect_card("##settings", "settings/close");
    app.session().desktop_state.overlay = Overlay::about;
    expect_card("##about", "about/close");
    app.session().desktop_state.overlay = Overlay::notices;
    expect_card("##notices", "notices/close");
}

TEST(Toolbar, lists_the_views_where_they_do_not_fit_side_by_side) {
    Driver app(520, 480);
    app.frames(2);
    EXPECT_FALSE(app.has("view/Network"));
    EXPECT_LE(app.item("toolbar/help").max.x, 520);
    app.click("toolbar/views");
    app.frames(2);
    app.click("toolbar/views/Network");
    EXPECT_EQ(app.session().view, ViewId("network"));
}

TEST(Gui, steps_have_their_source_beside_the_arrays_at_800_by_600) {
    Driver app(800, 600);
    app.frames(2);
    EXPECT_TRUE(app.session().appearance.left_open);
    app.press(Key::two);
    ASSERT_TRUE(app.wait([&] { return app.has("step/splitter"); }));
    app.frames(2);
    EXPECT_FALSE(app.session().appearance.left_open) << "the panels on the left make room";
    const ItemRect edge = app.item("step/splitter");
    EXPECT_GT(edge.max.y - edge.min.y, edge.max.x - edge.min.x);
    compare_steps_with(app.session(), "ecr2");
    ASSERT_TRUE(app.wait([&] { return app.has("beside/splitter"); }));
    app.frames(2);
    for (const char* side : {"step", "beside"}) {
        const ItemRect below = app.item(std::string(side) + "/splitter");
        EXPECT_GT(below.min.y - app.item("step/method").max.y, 150) << "lines of source are in sight";
    }
    EXPECT_LT(app.item("step/scrub").max.x, app.item("step/speed").min.x);
    app.press(Key::one);
    app.frames(2);
    EXPECT_TRUE(app.session().appearance.left_open);
}

TEST(Gui, the_lists_above_the_steps_cover_each_other_nowhere) {
    Driver app(1280, 720);
    app.press(Key::two);
    app.session().lesson.requested_lesson = "01-why-zeros-cost";
    ASSERT_TRUE(app.wait([&] { return app.has("lesson/next"); }));
    app.session().view = "step";
    set_workload(app.session(), find_preset("xu2022/lenet-conv2").spec);
    choose_method(app.session(), "ecr3");
    ASSERT_TRUE(app.wait([&] { return app.has("step/kernel"); }));
    app.frames(2);
    EXPECT_LE(app.item("step/method").max.x, app.item("step/kernel").min.x);
    EXPECT_LE(app.item("step/kernel").max.x, app.item("step/beside label").min.x);
    EXPECT_LE(app.item("step/beside label").max.x, app.item("step/beside").min.x);
    app.keep_image("step-lists");
    compare_steps_with(app.session(), "ecr3");
    ASSERT_TRUE(app.wait([&] { return app.has("beside/kernel"); }));
    app.frames(2);
    EXPECT_LE(app.item("step/kernel").max.x, app.item("step/beside").min.x);
    EXPECT_LE(app.item("step/beside").max.x, app.item("beside/kernel").min.x);
    EXPECT_LE(app.item("beside/kernel").max.x, app.item("fold right").min.x);
}

TEST(Gui, digits_stand_in_the_worked_example_at_scale_2_in_a_window_of_1920_by_1080_while_it_is_measured) {
    Driver app(1920, 1080);
    app.session().appearance.scale = 2;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return app.has("row/onednn"); }));
    app.frames(20);
    app.keep_image("scale-2-live");
    for (const auto& [array, value] : arrays_read_out(app))
        EXPECT_EQ(value.find(" x "), std::string::npos) << array << ": its size alone is said, " << value;
}

TEST(Gui, solutions_have_whole_titles_at_scale_2_in_a_window_of_1920_by_1080) {
    Driver app(1920, 1080);
    app.session().appearance.scale = 2;
    app.session().tab = "solutions";
    app.frames(3);
    if (app.has("solutions/batch")) app.click("solutions/batch");
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.session().pages.solution.b = false;
    app.frames(5);
    app.keep_image("scale-2-solutions");
    EXPECT_NE(app.words_on_screen().find("O, copied to n-h-w-c|"), std::string::npos) << app.words_on_screen();
}

TEST(Gui, why_a_launch_cannot_be_is_in_sight_in_a_low_window) {
    Driver app(800, 600);
    app.type_into("launch/block_x", "2048");
    app.frames(3);
    ASSERT_TRUE(app.has("launch/rejection"));
    EXPECT_LE(app.item("launch/rejection").max.y, 600 - 28);
}

TEST(Gui, a_sweep_says_what_it_would_measure_over_no_field_at_any_size) {
    for (const int width : {800, 1280, 1920}) {
        Driver app(width, 600);
        app.press(Key::four);
        app.frames(2);
        const ItemRect words = app.item("sweep/state"), field = app.item("sweep/csv");
        EXPECT_TRUE(words.max.x <= field.min.x || words.max.y <= field.min.y) << width;
        EXPECT_LE(words.max.y - words.min.y, 40) << width;
    }
}

TEST(Gui, lists_end_within_the_view_at_800_by_600) {
    Driver app(800, 600);
    app.press(Key::three);
    app.shell().compare().open_recorded("xu2022-scopes");
    ASSERT_TRUE(app.wait([&] { return app.has("compare/What is timed"); }));
    app.click("compare/What is timed");
    ASSERT_TRUE(app.wait([&] { return app.has("compare/layer"); }));
    EXPECT_LE(app.item("compare/layer").max.x, app.item("fold right").min.x);
}

TEST(Gui, a_lesson_is_read_in_a_window_of_800_by_600) {
    Driver app(800, 600);
    app.session().lesson.requested_lesson = "01-why-zeros-cost";
    app.frames(4);
    ASSERT_TRUE(app.has("lesson/next"));
    EXPECT_LE(app.item("lesson/next").max.x, 800);
    EXPECT_FALSE(app.session().appearance.left_open) << "the panels on the left make room";
    EXPECT_FALSE(app.has("live/methods")) << "and what has nothing to show yet";
    app.click("lesson/leave");
    app.frames(3);
    EXPECT_TRUE(app.session().appearance.left_open);
    app.press(Key::one);
    EXPECT_TRUE(app.has("live/methods"));
}

}  // namespace
}  // namespace convscope::app
