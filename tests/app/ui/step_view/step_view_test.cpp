// The Step view as a user uses it: events go in, the session, the replay and the picture are looked at.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "app/ui/step_view/step_watches.h"
#include "kernels/core/preset.h"
#include "tests/app/driver.h"
#include "visualizers/explain/code_text.h"

namespace convscope::app {
namespace {

class StepGui : public ::testing::Test {
protected:
    explicit StepGui(int width = 1600, int height = 1000) : app_(width, height) {}
    void SetUp() override {
        app_.press(Key::two);
        ASSERT_EQ(app_.session().view, ViewId("step"));
        settle();
    }
    void settle() {
        ASSERT_TRUE(app_.wait([&] { return !app_.shell().builder().busy(); }));
        app_.frames(2);  // the trace waits for the layer
        ASSERT_TRUE(app_.wait([&] { return !app_.shell().step().tracing(); }));
        app_.frames(2);
    }
    void open(const char* preset, const char* method) {
        set_workload(app_.session(), find_preset(preset).spec);
        choose_method(app_.session(), method);
        app_.frames(2);
        settle();
        ASSERT_TRUE(kernel());
        ASSERT_EQ(kernel()->plan.method.id, method);
    }
    void pick(const std::string& list, const std::string& item) {
        app_.click(list);
        app_.frames(2);
        app_.click(list + "/" + item);
        settle();
    }
    TracedKernel* kernel(std::size_t i = 0) { return app_.shell().step().column(i).traced(); }
    const std::string& problem() { return app_.shell().step().column(0).problem(); }
    StepSide& side(std::size_t i = 0) { return app_.session().step.sides[i]; }
    simt::ReplayState state() { return kernel()->trace.state(side().done); }

    Driver app_;
};

TEST_F(StepGui, opens_on_the_first_step_of_the_worked_example) {
    ASSERT_TRUE(kernel());
    EXPECT_EQ(kernel()->plan.method.id, "ecr1");
    EXPECT_EQ(side().done, 1U);
    EXPECT_EQ(problem(), "");
}

TEST_F(StepGui, a_trace_of_gigabytes_is_made_once_it_is_agreed_to) {
    open("examples/xu-fig4", "ecr1");
    WorkloadSpec spec = find_preset("vgg19/conv1_2").spec;
    spec.shape.n = 8;
    set_workload(app_.session(), spec);
    choose_method(app_.session(), "ecr3");
    app_.frames(2);
    settle();
    EXPECT_TRUE(app_.has("step/agree")) << problem();
    EXPECT_EQ(kernel()->plan.method.id, "ecr1") << "the block before stays";
    open("examples/xu-fig4", "ecr2");
    EXPECT_FALSE(app_.has("step/agree"));
}

TEST_F(StepGui, a_block_and_a_thread_are_picked_by_a_click) {
    app_.click("step/block 1");
    settle();
    EXPECT_EQ(side().block, (Dim3{1, 0, 0}));
    EXPECT_EQ(kernel()->trace.trace().block, (Dim3{1, 0, 0}));
    app_.click("step/thread 2");
    EXPECT_EQ(side().thread, 2U);
    app_.click("step/lane 0");
    EXPECT_EQ(side().thread, 0U);
}

TEST_F(StepGui, twenty_steps_on_and_twenty_back_land_on_the_same_state_and_picture) {
    app_.press(Key::home);
    for (int i = 0; i < 8; ++i) app_.press(Key::right);
    const simt::ReplayState before = state();
    const gl::Image picture = app_.picture();
    for (int i = 0; i < 20; ++i) app_.press(Key::right);
    EXPECT_EQ(side().done, 28U);
    EXPECT_FALSE(state() == before);
    EXPECT_NE(app_.picture().rgba, picture.rgba);
    for (int i = 0; i < 20; ++i) app_.press(Key::left);
    EXPECT_EQ(side().done, 8U);
    EXPECT_TRUE(state() == before);
    EXPECT_EQ(app_.picture().rgba, picture.rgba);
}

TEST_F(StepGui, space_plays_and_pauses_and_measures_nothing) {
    app_.session().step.speed = 60;
    app_.press(Key::space);
    EXPECT_TRUE(app_.session().step.playing);
    EXPECT_TRUE(app_.shell().busy());
    app_.frames(10);
    EXPECT_GT(side().done, 5U);
    app_.click("step/play");
    EXPECT_FALSE(app_.session().step.playing);
    const std::size_t paused = side().done;
    app_.frames(10);
    EXPECT_EQ(side().done, paused);
    EXPECT_FALSE(app_.shell().live().wanted());
}

TEST_F(StepGui, the_bar_is_scrubbed_by_the_mouse) {
    const ItemRect scale = app_.item("step/scrub");
    app_.drag({scale.min.x + 5, scale.centre().y}, {scale.max.x - 1, scale.centre().y});
    EXPECT_EQ(side().done, kernel()->trace.size());
    app_.drag({scale.max.x - 5, scale.centre().y}, {scale.min.x - 30, scale.centre().y});
    EXPECT_EQ(side().done, 0U);
}

TEST_F(StepGui, barriers_are_reached_by_keys_and_buttons) {
    open("examples/xu-fig7", "pecr2");
    const simt::Replay& replay = kernel()->trace.replay();
    const std::size_t first = replay.next_barrier(1), second = replay.next_barrier(first);
    ASSERT_LT(second, replay.size());
    app_.press(Key::right, true);
    EXPECT_EQ(side().done, first);
    app_.press(Key::right, false, true);
    EXPECT_EQ(side().done, second);
    app_.press(Key::left, true);
    EXPECT_EQ(side().done, first);
    app_.click("step/next barrier");
    EXPECT_EQ(side().done, second);
    app_.press(Key::end);
    EXPECT_EQ(side().done, replay.size());
    app_.click("step/first");
    EXPECT_EQ(side().done, 0U);
}

TEST_F(StepGui, a_method_is_chosen_above_and_its_kernel_beside_it) {
    open("xu2022/lenet-conv2", "ecr3");
    ASSERT_TRUE(app_.has("step/kernel"));
    pick("step/kernel", "ecr3_convert");
    EXPECT_EQ(kernel()->plan.launch().kernel, "ecr3_convert");
    pick("step/method", "im2col");
    EXPECT_EQ(kernel()->plan.launch().kernel, "im2col_lower");
    EXPECT_EQ(problem(), "");
}

TEST_F(StepGui, two_kernels_stand_side_by_side_and_step_together) {
    pick("step/beside", "ecr2");
    ASSERT_TRUE(kernel(1));
    EXPECT_EQ(kernel(1)->plan.method.id, "ecr2");
    app_.press(Key::home);
    for (int i = 0; i < 5; ++i) app_.press(Key::right);
    EXPECT_EQ(side(0).done, 5U);
    EXPECT_EQ(side(1).done, 5U);
    app_.click("beside/thread 4");
    EXPECT_EQ(side(1).thread, 4U);
    EXPECT_EQ(side(0).thread, 0U);
    pick("step/beside", "nothing");
    EXPECT_FALSE(app_.has("beside/threads"));
}

TEST_F(StepGui, the_launch_panel_sets_the_block_of_threads) {
    app_.type_into("launch/block_x", "2");
    settle();
    EXPECT_EQ(kernel()->plan.launch().block.x, 2);
    EXPECT_TRUE(app_.has("step/block 5"));  // three rows of two tiles
}

TEST_F(StepGui, a_block_outside_the_grid_is_rejected_and_leaves_the_picture) {
    app_.click("step/block 2");
    settle();
    const TracedKernel* before = kernel();
    app_.type_into("workload/h", "4");  // two block rows are left
    settle();
    EXPECT_NE(problem().find("block 2,0,0 is outside the grid of ecr1, which is 2x1x1"), std::string::npos)
        << problem();
    EXPECT_EQ(kernel(), before);
    app_.click("step/block 1");
    settle();
    EXPECT_EQ(problem(), "");
    EXPECT_EQ(kernel()->workload.shape.h, 4);
}

TEST_F(StepGui, a_method_without_a_kernel_of_ours_is_rejected_and_leaves_the_picture) {
    const TracedKernel* before = kernel();
    choose_method(app_.session(), "onednn");
    app_.frames(3);
    EXPECT_NE(problem().find("onednn"), std::string::npos) << problem();
    EXPECT_EQ(kernel(), before);
    pick("step/method", "ecr1");
    EXPECT_EQ(problem(), "");
}

TEST_F(StepGui, a_race_is_shown_with_its_sentence_and_the_run_ends_there) {
    open("examples/xu-fig7", "pecr0");
    ASSERT_TRUE(kernel()->trace.finding());
    app_.press(Key::end);
    EXPECT_TRUE(kernel()->trace.stopped_at(side().done));
}

class StepGuiInSmall : public StepGui {
protected:
    StepGuiInSmall() : StepGui(800, 600) {}
};

TEST_F(StepGuiInSmall, arrays_that_do_not_fit_are_scrolled) {
    open("examples/xu-fig4", "ecr1");
    compare_steps_with(app_.session(), "ecr2");
    ASSERT_TRUE(app_.wait([this] { return app_.has("beside/splitter"); }));
    app_.frames(2);
    float hidden = 0;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && std::string(window->Name).find("/arrays_") != std::string::npos)
            hidden = window->ScrollMax.y;
    EXPECT_GT(hidden, 0);
}

TEST_F(StepGui, the_palette_finds_the_steps_and_shows_the_view) {
    app_.press(Key::one);
    app_.press(Key::k, true);
    app_.frames(2);
    app_.type_into("palette/search", "to the last step");
    app_.frames(2);
    EXPECT_EQ(app_.session().view, ViewId("step"));
    EXPECT_EQ(side().done, kernel()->trace.size());
}

TEST_F(StepGui, a_large_layer_is_stepped_through) {
    set_workload(app_.session(), find_preset("vgg19/conv5_1").spec);
    choose_method(app_.session(), "ecr3");
    side().kernel = "ecr3_convert";
    app_.frames(2);
    settle();
    ASSERT_TRUE(kernel());
    EXPECT_EQ(kernel()->plan.launch().kernel, "ecr3_convert") << problem();
    app_.press(Key::right);
    EXPECT_EQ(side().done, 2U);
}

/// The first line of the kernel's own file that holds these words.
unsigned line_with(const std::string& words) {
    unsigned line = 0;
    for (const std::string_view each : lines_of(simt::place_of_kernel("ecr1").source->text)) {
        ++line;
        if (each.find(words) != std::string_view::npos) return line;
    }
    throw std::runtime_error("no line has " + words);
}

std::string at_line(const char* part, unsigned line) {
    return std::string("step/") + part + " " + std::to_string(line);
}

/// The kernel's own file as it stands in a breakpoint.
CodeLine ecr1_line(unsigned line) {
    return {simt::place_of_kernel("ecr1").source->path, line};
}

TEST_F(StepGui, a_click_in_the_gutter_sets_a_breakpoint_and_play_stops_there) {
    const unsigned line = line_with("F_data[first + count] = value");
    app_.click(at_line("gutter", line));
    EXPECT_EQ(app_.session().step.marks.breakpoints, std::set<CodeLine>{ecr1_line(line)});
    app_.session().step.speed = 250;
    app_.press(Key::space);
    app_.frames(120);
    EXPECT_FALSE(app_.session().step.playing);
    const std::size_t stop = side().done;
    EXPECT_EQ(kernel()->trace.code(kernel()->trace.replay().at(stop - 1).source).kernel_line, line);
    app_.press(Key::down, true);
    EXPECT_GT(side().done, stop) << "on to the next";
    app_.press(Key::up, true);
    EXPECT_EQ(side().done, stop);
    app_.click(at_line("gutter", line));
    EXPECT_TRUE(app_.session().step.marks.breakpoints.empty());
}

TEST_F(StepGui, a_breakpoint_stands_where_play_can_stop) {
    // The line above has no step: the next one with a step is meant.
    const unsigned store = line_with("Ptr[thread] = kept");
    app_.click(at_line("gutter", store - 1));
    EXPECT_EQ(app_.session().step.marks.breakpoints, std::set<CodeLine>{ecr1_line(store)});
    app_.click(at_line("gutter", store - 1));
    EXPECT_TRUE(app_.session().step.marks.breakpoints.empty()) << "and again removes it";
    const auto lines = kernel()->trace.lines_of_steps(ecr1_line(1).file);
    app_.session().step.chosen = ecr1_line(*lines.rbegin() + 1);
    app_.press(Key::b);
    EXPECT_TRUE(app_.session().step.marks.breakpoints.empty());
    ASSERT_FALSE(app_.session().notices.empty());
    EXPECT_NE(app_.session().notices.back().text.find("no step of line"), std::string::npos);
}

TEST_F(StepGui, runs_to_a_line_by_its_menu_and_by_a_key) {
    const unsigned store = line_with("Ptr[thread] = kept"), load = line_with("K_data[first + count] = filter");
    const auto present = [&] {
        return kernel()->trace.code(kernel()->trace.replay().at(side().done - 1).source).kernel_line;
    };
    app_.right_click(at_line("line", store));
    app_.frames(2);
    ASSERT_TRUE(app_.has("step/run to"));
    EXPECT_FALSE(app_.has("step/copy picture")) << "one menu at a time";
    app_.click("step/run to");
    EXPECT_EQ(present(), store);
    app_.click(at_line("line", load));
    app_.press(Key::r);
    EXPECT_EQ(present(), load) << "from the start, where none comes behind";
    EXPECT_FALSE(app_.session().step.playing);
    // A line of no instruction: it is said, and nothing moves.
    const std::size_t before = side().done;
    app_.click(at_line("line", store + 1));
    app_.press(Key::r);
    EXPECT_EQ(side().done, before);
    ASSERT_FALSE(app_.session().notices.empty());
    EXPECT_NE(app_.session().notices.back().text.find("No step"), std::string::npos);
}

TEST_F(StepGui, the_arrows_choose_a_line_and_b_sets_its_breakpoint) {
    const unsigned store = line_with("Ptr[thread] = kept");
    app_.click(at_line("line", store));
    app_.press(Key::up);
    app_.press(Key::up);
    app_.press(Key::down);
    ASSERT_TRUE(app_.session().step.chosen);
    EXPECT_EQ(*app_.session().step.chosen, ecr1_line(store - 1));
    app_.press(Key::b);
    EXPECT_TRUE(app_.session().step.marks.breakpoints.contains(ecr1_line(store))) << "the next with a step";
    app_.press(Key::b);
    EXPECT_TRUE(app_.session().step.marks.breakpoints.empty());
}

TEST_F(StepGui, the_present_line_stays_at_a_third_of_the_height) {
    // Through all of the kernel, with the pane that shows it.
    float lowest = 1e9F, highest = 0;
    for (int i = 0; i < 20; ++i) {
        app_.press(Key::right);
        const CodePlace& place = kernel()->trace.code(kernel()->trace.replay().at(side().done - 1).source);
        const float y = app_.item(at_line("line", place.kernel_line)).min.y;
        lowest = std::min(lowest, y);
        highest = std::max(highest, y);
    }
    EXPECT_EQ(lowest, highest);
}

TEST_F(StepGui, a_name_that_is_pointed_at_shows_what_it_is_in_each_lane) {
    for (int i = 0; i < 21; ++i) app_.press(Key::right);
    const ItemRect line = app_.item(at_line("line", line_with("F_data[first + count] = value")));
    std::set<std::string> seen;
    for (float x = line.min.x + 2; x < line.min.x + 280; x += 6) {
        app_.point_at(ImVec2{x, line.centre().y});
        for (const char* name : {"F_data", "first", "count", "value"})
            if (app_.has(std::string("step/values ") + name)) seen.insert(name);
    }
    EXPECT_EQ(seen, (std::set<std::string>{"F_data", "first", "count", "value"}));
    app_.keep_image("step-values");
    app_.point_at(ImVec2{line.max.x - 2, line.centre().y});
    EXPECT_FALSE(app_.has("step/values value"));
}

TEST_F(StepGui, expressions_are_watched_and_removed) {
    app_.type_into("watch/add", "F_data[first] + 1");
    app_.type_into("watch/add", "sum");
    EXPECT_EQ(app_.session().step.marks.watches, (std::vector<std::string>{"F_data[first] + 1", "sum"}));
    app_.press(Key::end);
    const auto watched_value = [&](const char* text) {
        return watched({*kernel(), side()}, text).lanes.at(side().thread).value;
    };
    EXPECT_EQ(watched_value("F_data[first] + 1"), 16);
    app_.click("watch/remove 1");
    EXPECT_EQ(app_.session().step.marks.watches, (std::vector<std::string>{"sum"}));
    app_.press(Key::z, true);
    EXPECT_EQ(app_.session().step.marks.watches.size(), 2U) << "undo";
    app_.type_into("watch/add", "max(first, 2), , F_data[first + 1]");
    EXPECT_EQ(app_.session().step.marks.watches.size(), 4U);
    EXPECT_EQ(app_.session().step.marks.watches[2], "max(first, 2)");
    EXPECT_EQ(app_.session().step.marks.watches[3], "F_data[first + 1]");
}

TEST_F(StepGui, the_edge_between_source_and_arrays_is_dragged_and_kept) {
    const ItemRect edge = app_.item("step/splitter");
    const float before = app_.session().appearance.step_source_width;
    app_.drag(edge.centre(), {edge.centre().x + 80, edge.centre().y});
    EXPECT_GT(app_.session().appearance.step_source_width, before);
    EXPECT_NEAR(app_.item("step/splitter").centre().x, edge.centre().x + 80, 2);
    app_.drag(app_.item("step/splitter").centre(), {0, edge.centre().y});
    EXPECT_GE(app_.session().appearance.step_source_width, 0.149F) << "both parts stay";
}

TEST_F(StepGui, each_of_two_sides_keeps_its_own_source_and_chosen_line) {
    pick("step/beside", "ecr2");
    ASSERT_TRUE(kernel(1));
    const std::string theirs = simt::place_of_kernel("ecr2").source->path;
    for (int step = 0; step < 12; ++step) {
        app_.press(Key::right);
        for (const std::size_t i : {0U, 1U}) {
            const CodePlace& place = kernel(i)->trace.code(kernel(i)->trace.replay().at(side(i).done - 1).source);
            EXPECT_TRUE(app_.has((i == 0 ? "step/line " : "beside/line ") + std::to_string(place.kernel_line)))
                << "also while a called function runs";
        }
    }
    const CodePlace& place = kernel(1)->trace.code(kernel(1)->trace.replay().at(side(1).done - 1).source);
    app_.click("beside/line " + std::to_string(place.kernel_line));
    EXPECT_EQ(app_.session().step.chosen_side, 1U);
    const std::size_t done = side(0).done;
    app_.press(Key::b);
    app_.press(Key::r);
    EXPECT_EQ(app_.session().step.marks.breakpoints, (std::set<CodeLine>{{theirs, place.kernel_line}}));
    EXPECT_EQ(side(0).done, done) << "the other side stays";
}

TEST(StepWindow, survives_200_by_200) {
    Driver small(200, 200);
    small.press(Key::two);
    small.frames(3);
    EXPECT_EQ(small.session().view, ViewId("step"));
}

}  // namespace
}  // namespace convscope::app
