// What is in sight in windows of all sizes.
#include <gtest/gtest.h>

#include <string>

#include "tests/app/driver.h"

namespace convscope::app {
namespace {

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
    EXPECT_FALSE(app.session().help_open);
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
    app.click("menu/export");
    EXPECT_TRUE(app.session().export_open);
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

TEST(Gui, a_lesson_is_read_in_a_window_of_800_by_600) {
    Driver app(800, 600);
    app.session().lesson.requested_lesson = "01-why-zeros-cost";
    app.frames(4);
    ASSERT_TRUE(app.has("lesson/next"));
    EXPECT_LE(app.item("lesson/next").max.x, 800);
    EXPECT_FALSE(app.session().appearance.left_open) << "the panels on the left make room";
    app.click("lesson/leave");
    app.frames(3);
    EXPECT_TRUE(app.session().appearance.left_open);
}

}  // namespace
}  // namespace convscope::app
