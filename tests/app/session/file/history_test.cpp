// Undo and redo of every kind of change, by real events; and the words for each.
#include <gtest/gtest.h>

#include "app/session/file/undo_label.h"
#include "app/session/navigation.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

std::string last_change(Driver& app) {
    return app.shell().history().undo_words();
}

/// Undo, then redo: both must bring back the whole state.
void expect_there_and_back(Driver& app, const SessionState& before) {
    const SessionState after = state_of(app.session());
    EXPECT_FALSE(after == before);
    const std::string words = last_change(app);
    app.press(Key::z, true);
    EXPECT_EQ(undo_label(state_of(app.session()), before), "") << words;
    EXPECT_EQ(app.shell().history().redo_words(), words);
    app.frames(3);
    app.press(Key::z, true, true);
    EXPECT_EQ(undo_label(state_of(app.session()), after), "") << words;
}

TEST(Undo, has_nothing_to_take_back_at_first_and_pictures_add_nothing) {
    Driver app;
    app.frames(20);
    EXPECT_EQ(app.shell().history().steps(), 1U);
    app.press(Key::z, true);
    EXPECT_EQ(app.session().choices.workload.name, "examples/xu-fig4");
}

TEST(Undo, takes_a_drag_as_one_step) {
    Driver app;
    const SessionState before = state_of(app.session());
    const ItemRect slider = app.item("workload/sparsity");
    app.drag({slider.min.x + 20, slider.centre().y}, {slider.max.x - 2, slider.centre().y});
    EXPECT_EQ(app.shell().history().steps(), 2U);
    EXPECT_TRUE(last_change(app).starts_with("zeros ")) << last_change(app);
    EXPECT_NE(last_change(app).find(" % -> "), std::string::npos) << last_change(app);
    expect_there_and_back(app, before);
}

TEST(Undo, takes_a_turn_of_the_wheel_as_one_step) {
    Driver app;
    app.wheel("workload/k", 1);
    app.wheel("workload/k", 1);
    app.frames(40);
    EXPECT_EQ(app.shell().history().steps(), 2U);
    EXPECT_EQ(last_change(app), "k 1 -> 3");
    app.press(Key::z, true);
    EXPECT_EQ(app.session().good.shape.k, 1);
}

TEST(Undo, takes_the_padding_of_a_side_and_same_as_a_step_each) {
    Driver app;
    app.click("workload/more");
    app.frames(2);
    const SessionState before = state_of(app.session());
    app.type_into("workload/pad_bottom", "2");
    app.frames(40);
    EXPECT_EQ(last_change(app), "pad 0 -> 0,2,0,0");
    expect_there_and_back(app, before);
    app.click("workload/pad_same");
    app.frames(40);
    EXPECT_EQ(last_change(app), "pad 0,2,0,0 -> 1");
    app.press(Key::z, true);
    EXPECT_EQ(app.session().good.shape.pad_extra_h, 2);
    app.frames(3);
    app.press(Key::z, true);
    EXPECT_FALSE(app.session().good.shape.padded_by_side());
}

TEST(Undo, of_a_pin_and_a_method_but_of_no_view_or_page) {
    Driver app;
    app.press(Key::two);
    app.press(Key::three, true);
    app.press(Key::w);
    EXPECT_EQ(last_change(app), "");
    app.press(Key::w);
    app.press(Key::one, true);

    SessionState before = state_of(app.session());
    app.press(Key::right);
    EXPECT_EQ(last_change(app), "pin F_data[1,3]");
    expect_there_and_back(app, before);

    before = state_of(app.session());
    app.press(Key::escape);
    EXPECT_EQ(last_change(app), "unpin F_data");
    expect_there_and_back(app, before);

    before = state_of(app.session());
    app.type_into("launch/block_x", "64");
    EXPECT_EQ(last_change(app).rfind("ecr1 block default -> 64x", 0), 0U) << last_change(app);
    expect_there_and_back(app, before);
}

TEST(Undo, of_a_whole_layer_names_the_layer) {
    Driver app;
    const SessionState before = state_of(app.session());
    app.click("toolbar/preset");
    app.frames(2);
    app.type_into("toolbar/preset search", "fig7");
    EXPECT_EQ(last_change(app), "layer examples/xu-fig4 -> examples/xu-fig7");
    expect_there_and_back(app, before);
}

/// A choice that the view makes by itself once the layer is there is no step of its own.
TEST(Undo, of_a_whole_layer_is_one_step_in_every_view) {
    for (const Key view : {Key::one, Key::two, Key::three, Key::four, Key::five}) {
        Driver app;
        app.press(view);
        app.frames(10);
        const WorkloadSpec before = app.session().choices.workload;
        app.click("toolbar/preset");
        app.frames(2);
        app.type_into("toolbar/preset search", "vgg19/conv5_1");
        ASSERT_TRUE(app.wait([&] { return app.session().good.shape.c == 512; }));
        app.frames(60);
        EXPECT_EQ(app.shell().history().steps(), 2U) << last_change(app);
        app.press(Key::z, true);
        EXPECT_EQ(app.session().choices.workload, before);
        app.frames(10);
        app.press(Key::z, true, true);
        EXPECT_EQ(app.session().choices.workload.name, "vgg19/conv5_1");
    }
}

TEST(Undo, of_the_steps_of_a_kernel) {
    Driver app;
    app.press(Key::two);
    ASSERT_TRUE(app.wait([&] { return !app.shell().step().tracing(); }));
    SessionState before = state_of(app.session());
    app.press(Key::right);
    EXPECT_EQ(last_change(app), "step 1 -> 2");
    expect_there_and_back(app, before);
    before = state_of(app.session());
    app.click("step/thread 2");
    EXPECT_EQ(last_change(app), "thread 0 -> 2");
    expect_there_and_back(app, before);
}

TEST(Undo, of_the_layouts_second_format_solution_and_block_row) {
    Driver app;
    SessionState before = state_of(app.session());
    app.click("layout/beside");
    app.frames(2);
    app.click("layout/beside/MEC");
    EXPECT_EQ(last_change(app), "second layout none -> mec");
    expect_there_and_back(app, before);
    app.press(Key::five, true);
    before = state_of(app.session());
    app.click("solutions/B");
    EXPECT_EQ(last_change(app), "solution automatic -> B");
    expect_there_and_back(app, before);
    app.point_at(ImVec2{4, 400});
    before = state_of(app.session());
    app.press(Key::right);
    EXPECT_EQ(last_change(app), "product 1 -> 2");
    expect_there_and_back(app, before);
    app.press(Key::six, true);
    before = state_of(app.session());
    app.type_into("balance/block", "3");
    EXPECT_EQ(last_change(app), "block row automatic -> 3");
    expect_there_and_back(app, before);
    // With fewer block rows the last is shown, and that is no change of its own.
    before = state_of(app.session());
    app.type_into("workload/h", "4");
    app.frames(5);
    expect_there_and_back(app, before);
}

TEST(Undo, of_the_compare_views_choices) {
    Driver app;
    app.press(Key::three);
    ASSERT_TRUE(app.wait([&] { return app.shell().compare().result() && !app.shell().compare().loading(); }));
    EXPECT_EQ(last_change(app), "") << "what the view opens by itself is not a step";
    app.click("compare/Roofline");
    EXPECT_EQ(last_change(app), "") << "a page is gone to, and not changed";
    SessionState before = state_of(app.session());
    app.type_into("compare/query", "im2col");
    EXPECT_EQ(last_change(app), "filter - -> im2col");
    expect_there_and_back(app, before);

    before = state_of(app.session());
    app.choose("compare/source", "compare/source/this run");
    EXPECT_EQ(last_change(app), "records the first -> this run");
    expect_there_and_back(app, before);
    ASSERT_TRUE(app.wait([&] { return !app.shell().compare().loading(); }));
}

TEST(Undo, of_the_sweeps_and_the_networks_choices) {
    Driver app;
    app.press(Key::four);
    app.frames(3);
    SessionState before = state_of(app.session());
    app.type_into("sweep/axis zeros", "0,0.5");
    EXPECT_FALSE(last_change(app).empty());
    expect_there_and_back(app, before);
    app.press(Key::five);
    app.frames(3);
    before = state_of(app.session());
    app.type_into("network/n", "4");
    EXPECT_EQ(last_change(app), "batch 1 -> 4");
    expect_there_and_back(app, before);
}

TEST(Undo, leaves_the_appearance_as_it_is) {
    Driver app;
    app.type_into("workload/w", "7");
    app.press(Key::t, true);
    app.press(Key::z, true);
    EXPECT_EQ(app.session().good.shape.w, 5);
    EXPECT_FALSE(app.session().appearance.dark);
}

TEST(Undo, all_the_way_back_and_forth_is_the_same) {
    Driver app;
    const SessionState first = state_of(app.session());
    app.type_into("workload/w", "7");
    app.press(Key::two);
    app.press(Key::three, true);
    app.type_into("workload/k", "3");
    const SessionState last = state_of(app.session());
    for (int i = 0; i < 12; ++i) app.press(Key::z, true);
    EXPECT_EQ(undo_label(first, moved(state_of(app.session()), {})), "");
    for (int i = 0; i < 12; ++i) app.press(Key::z, true, true);
    EXPECT_EQ(undo_label(last, state_of(app.session())), "");
}

TEST(ChangeInWords, names_what_the_rest_follows_from) {
    SessionState a, b;
    EXPECT_EQ(undo_label(a, b), "");
    b.choices.workload.sparsity = 0.8;
    EXPECT_EQ(undo_label(a, b), "zeros 0 % -> 80 %");
    b.choices.workload.seed = 4;
    b.network.n = 2;
    EXPECT_EQ(undo_label(a, b), "zeros 0 % -> 80 % and 2 more");
    a = b;
    a.choices.live_methods = {{"ecr1"}};
    b.choices.live_methods = {{"ecr1", "mec2"}};
    EXPECT_EQ(undo_label(a, b), "tick mec2 to measure");
    EXPECT_EQ(undo_label(b, a), "untick mec2 to measure");
}

}  // namespace
}  // namespace convscope::app
