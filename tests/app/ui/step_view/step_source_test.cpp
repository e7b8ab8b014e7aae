// The Step view's source as a debugger: breakpoints, the line to run to, what names hold, watches.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "app/ui/step_view/step_watches.h"
#include "tests/app/ui/step_view/step_gui.h"
#include "visualizers/explain/code_text.h"

namespace convscope::app {
namespace {

using StepSourceGui = StepGui;

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

TEST_F(StepSourceGui, a_click_in_the_gutter_sets_a_breakpoint_and_play_stops_there) {
    const unsigned line = line_with("F_data[first + count] = value");
    app_.click(at_line("gutter", line));
    EXPECT_EQ(app_.session().step.marks.breakpoints, std::set<CodeLine>{ecr1_line(line)});
    app_.session().step.speed = 250;
    app_.press(Key::space);
    app_.frames(120);
    EXPECT_FALSE(app_.session().plays_steps);
    const std::size_t stop = side().done;
    EXPECT_EQ(kernel()->trace.code(kernel()->trace.replay().at(stop - 1).source).kernel_line, line);
    app_.press(Key::down, true);
    EXPECT_GT(side().done, stop) << "on to the next";
    app_.press(Key::up, true);
    EXPECT_EQ(side().done, stop);
    app_.click(at_line("gutter", line));
    EXPECT_TRUE(app_.session().step.marks.breakpoints.empty());
}

TEST_F(StepSourceGui, a_breakpoint_stands_where_play_can_stop) {
    // The line above has no step: the next one with a step is meant.
    const unsigned store = line_with("Ptr[thread] = kept");
    app_.click(at_line("gutter", store - 1));
    EXPECT_EQ(app_.session().step.marks.breakpoints, std::set<CodeLine>{ecr1_line(store)});
    app_.click(at_line("gutter", store - 1));
    EXPECT_TRUE(app_.session().step.marks.breakpoints.empty()) << "and again removes it";
    const auto lines = kernel()->trace.lines_of_steps(ecr1_line(1).file);
    app_.session().line.at = ecr1_line(*lines.rbegin() + 1);
    app_.press(Key::b);
    EXPECT_TRUE(app_.session().step.marks.breakpoints.empty());
    ASSERT_FALSE(app_.session().notices.empty());
    EXPECT_NE(app_.session().notices.back().text.find("no step of line"), std::string::npos);
}

TEST_F(StepSourceGui, runs_to_a_line_by_its_menu_and_by_a_key) {
    const unsigned store = line_with("Ptr[thread] = kept"), load = line_with("K_data[first + count] = filter");
    const auto present = [&] {
        return kernel()->trace.code(kernel()->trace.replay().at(side().done - 1).source).kernel_line;
    };
    app_.right_click(at_line("line", store));
    app_.frames(2);
    ASSERT_TRUE(app_.has("step/run to"));
    EXPECT_FALSE(app_.has("view menu/Copy for slides")) << "one menu at a time";
    app_.click("step/run to");
    EXPECT_EQ(present(), store);
    app_.click(at_line("line", load));
    app_.press(Key::r);
    EXPECT_EQ(present(), load) << "from the start, where none comes behind";
    EXPECT_FALSE(app_.session().plays_steps);
    // A line of no instruction: it is said, and nothing moves.
    const std::size_t before = side().done;
    app_.click(at_line("line", store + 1));
    app_.press(Key::r);
    EXPECT_EQ(side().done, before);
    ASSERT_FALSE(app_.session().notices.empty());
    EXPECT_NE(app_.session().notices.back().text.find("No step"), std::string::npos);
}

TEST_F(StepSourceGui, the_arrows_choose_a_line_and_b_sets_its_breakpoint) {
    const unsigned store = line_with("Ptr[thread] = kept");
    app_.click(at_line("line", store));
    app_.press(Key::up);
    app_.press(Key::up);
    app_.press(Key::down);
    ASSERT_TRUE(app_.session().line.at);
    EXPECT_EQ(*app_.session().line.at, ecr1_line(store - 1));
    app_.press(Key::b);
    EXPECT_TRUE(app_.session().step.marks.breakpoints.contains(ecr1_line(store))) << "the next with a step";
    app_.press(Key::b);
    EXPECT_TRUE(app_.session().step.marks.breakpoints.empty());
}

TEST_F(StepSourceGui, the_present_line_stays_at_a_third_of_the_height) {
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

TEST_F(StepSourceGui, a_name_that_is_pointed_at_shows_what_it_is_in_each_lane) {
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

TEST_F(StepSourceGui, expressions_are_watched_and_removed) {
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

TEST_F(StepSourceGui, the_edge_between_source_and_arrays_is_dragged_and_kept) {
    const ItemRect edge = app_.item("step/splitter");
    const float before = app_.session().appearance.step_source_width;
    app_.drag(edge.centre(), {edge.centre().x + 80, edge.centre().y});
    EXPECT_GT(app_.session().appearance.step_source_width, before);
    EXPECT_NEAR(app_.item("step/splitter").centre().x, edge.centre().x + 80, 2);
    app_.drag(app_.item("step/splitter").centre(), {0, edge.centre().y});
    EXPECT_GE(app_.session().appearance.step_source_width, 0.149F) << "both parts stay";
}

TEST_F(StepSourceGui, each_of_two_sides_keeps_its_own_source_and_chosen_line) {
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
    EXPECT_EQ(app_.session().line.side, 1U);
    const std::size_t done = side(0).done;
    app_.press(Key::b);
    app_.press(Key::r);
    EXPECT_EQ(app_.session().step.marks.breakpoints, (std::set<CodeLine>{{theirs, place.kernel_line}}));
    EXPECT_EQ(side(0).done, done) << "the other side stays";
}

}  // namespace
}  // namespace convscope::app
