// The lessons in the window: the catalogue, the keyboard, one's own layer, what is remembered.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "app/lessons/player.h"
#include "app/ui/input/reader_report.h"
#include "kernels/files/preset_folder.h"
#include "kernels/layers/preset.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

constexpr const char* small = TEST_LESSONS "/small.md";

class LessonsGui : public ::testing::Test {
protected:
    void open() {
        app_.shell().open(small);
        app_.frames(4);
        ASSERT_TRUE(app_.shell().lessons().player());
        ASSERT_TRUE(app_.wait([&] { return !app_.shell().builder().busy(); }));
        app_.frames(3);
    }
    /// Points about the figure until the block row is lit, and clicks there.
    void click_block_row(std::int64_t row) {
        for (float y = 150; y < 560; y += 14)
            for (float x = 300; x < 460; x += 10) {
                app_.point_at(ImVec2{x, y});
                const auto& group = app_.shell().layouts().result().group;
                if (!group || group->kind != LinkGroup::Kind::block_row || group->index != row) continue;
                app_.click_at({x, y});
                app_.point_at(ImVec2{20, 60});
                return;
            }
        ADD_FAILURE() << "no place lights block row " << row;
    }
    /// The array that is shown by this name, or begins with it.
    std::string title_of(const std::string& array) {
        ReaderReport report;
        ReaderReport::active = &report;
        report.begin_frame();
        app_.frames();
        const std::vector<ReaderNode>& nodes = report.finish();
        ReaderReport::active = nullptr;
        const auto found =
            std::ranges::find_if(nodes, [&](const ReaderNode& node) { return node.name.starts_with(array); });
        return found == nodes.end() ? "" : found->name;
    }
    lessons::Player& player() { return *app_.shell().lessons().player(); }
    const lessons::Ask& question() { return *player().open_question(); }

    Driver app_;
};

TEST_F(LessonsGui, key_six_shows_the_catalogue_and_a_click_opens_a_lesson) {
    app_.shell().open(small);
    app_.frames(2);
    app_.session().lesson.requested = LessonMove::leave;
    app_.frames(2);
    app_.press(Key::one);
    app_.press(Key::six);
    EXPECT_EQ(app_.session().view, ViewId("lessons"));
    for (int i = 0; i < 60 && app_.item("lessons/open small").max.y > app_.item("lessons/catalogue").max.y; ++i)
        app_.wheel("lessons/catalogue", -1);
    app_.click("lessons/open small");
    app_.frames(3);
    ASSERT_TRUE(app_.shell().lessons().player());
    EXPECT_EQ(player().lesson().id, "small");
    EXPECT_EQ(app_.session().view, ViewId("layout"));
}

TEST_F(LessonsGui, the_list_goes_on_with_the_first_that_is_not_finished) {
    app_.press(Key::six);
    app_.frames(2);
    const std::string all = std::to_string(app_.shell().lessons().lessons(app_.registry()).size());
    const auto leads_with = [&](const std::string& words) {
        EXPECT_NE(app_.words_on_screen().find(words), std::string::npos) << app_.words_on_screen();
    };
    leads_with("|0|of " + all + " lessons finished; next: Why zeros cost, 8 min|");
    app_.shell().lessons().put_progress("01-why-zeros-cost", {9, true, {}, {}, {}});
    app_.frames(2);
    leads_with("|1|of " + all + " lessons finished; next: ECR by hand, then on the executor, 10 min|");
    const auto width_of = [&](const char* part) { return app_.item(part).max.x - app_.item(part).min.x; };
    EXPECT_NEAR(width_of("lead/rest") / width_of("lead/share"), std::stof(all) - 1, 1);
    app_.press(Key::enter);
    app_.frames(3);
    ASSERT_TRUE(app_.shell().lessons().player());
    EXPECT_EQ(player().lesson().id, "02-ecr-by-hand");
}

TEST_F(LessonsGui, the_list_says_where_the_open_lesson_is_from_its_first_step_on) {
    app_.press(Key::six);
    app_.frames(2);
    EXPECT_EQ(app_.words_on_screen().find("step 1 of"), std::string::npos);
    app_.press(Key::enter);
    app_.frames(3);
    ASSERT_TRUE(app_.shell().lessons().player());
    app_.click("view/Lessons");
    app_.frames(3);
    EXPECT_NE(app_.words_on_screen().find("step 1 of"), std::string::npos) << app_.words_on_screen();
    EXPECT_TRUE(app_.has("lessons/over " + player().lesson().id)) << "it goes on, or starts over";
}

TEST_F(LessonsGui, the_lesson_drives_the_views_which_stay_usable) {
    open();
    EXPECT_EQ(app_.session().tab, TabId("ecr"));
    ASSERT_TRUE(pinned(app_.session()));
    EXPECT_EQ(pinned(app_.session())->array, ArrayId::F_data);
    app_.click("lead");  // the views have the keys
    app_.press(Key::right);
    EXPECT_EQ(pinned(app_.session())->array, ArrayId::F_data);
    app_.click("view/Step");
    EXPECT_EQ(app_.session().view, ViewId("step"));
    EXPECT_TRUE(app_.has("lesson/next"));
    app_.click("view/Layout");
    app_.type_into("workload/h", "9");
    EXPECT_EQ(app_.session().good.shape.h, 9);
}

TEST_F(LessonsGui, presenting_keeps_the_lesson_beside_the_view) {
    open();
    app_.press(Key::f5);
    app_.frames(3);
    EXPECT_FALSE(app_.has("toolbar/run"));
    ASSERT_TRUE(app_.has("lesson/answer 2"));
    EXPECT_GT(app_.item("lesson/body").max.x - app_.item("lesson/body").min.x, 0.25F * 1600);
    EXPECT_GT(app_.item("lesson/body").min.x, 0.5F * 1600) << "the view has more than half of the window";
    EXPECT_LE(app_.item("lesson/answer 2").max.y, app_.item("lesson/body").max.y) << "what is asked is in sight";
    app_.type("81");
    app_.press(Key::enter);
    app_.frames(2);
    EXPECT_TRUE(app_.has("lesson/verdict 2"));
    app_.press(Key::escape);
    app_.frames(2);
    EXPECT_TRUE(app_.has("toolbar/run"));
    EXPECT_TRUE(app_.shell().lessons().player()) << "the lesson goes on";
}

TEST_F(LessonsGui, presenting_leaves_out_a_lead_that_the_step_hides) {
    app_.shell().open(SHIPPED_LESSONS "/02-ecr-by-hand.md");
    ASSERT_TRUE(app_.wait([&] { return app_.shell().lessons().player() && !app_.shell().builder().busy(); }));
    app_.frames(4);
    constexpr const char* hidden = "What is said here is hidden in this step.";
    EXPECT_EQ(app_.shell().layouts().result().lead.text(), hidden);
    app_.press(Key::f5);
    app_.frames(4);
    EXPECT_EQ(app_.words_on_screen().find(hidden), std::string::npos) << app_.words_on_screen();
    app_.keep_image("lesson-slide");
}

TEST_F(LessonsGui, presenting_in_their_own_view_has_the_lesson_alone) {
    open();
    app_.click("view/Lessons");
    app_.press(Key::f5);
    app_.frames(4);
    EXPECT_FALSE(app_.has("lessons/catalogue"));
    const ItemRect body = app_.item("lesson/body");
    EXPECT_GT(body.max.x - body.min.x, 0.7F * 1600);
    EXPECT_NEAR(body.centre().x, 800, 30);
    app_.type("81");
    app_.press(Key::enter);
    app_.frames(2);
    EXPECT_TRUE(app_.has("lesson/verdict 2"));
}

TEST_F(LessonsGui, presenting_keeps_what_a_task_is_done_with) {
    open();
    app_.press(Key::f5);
    app_.frames(3);
    EXPECT_FALSE(app_.has("workload/sparsity")) << "this step has no task";
    while (!player().has_tasks()) player().go_to(player().step() + 1);
    app_.frames(3);
    EXPECT_TRUE(app_.has("workload/sparsity"));
    EXPECT_LT(app_.item("workload/sparsity").max.x, app_.item("lesson/body").min.x);
}

TEST_F(LessonsGui, presenting_keeps_the_bar_of_an_exercise) {
    open();
    app_.session().view = "kernel";
    app_.frames(3);
    app_.click("kernel/exercise/Vector add");
    app_.press(Key::f5);
    app_.frames(4);
    ASSERT_TRUE(app_.session().desktop_state.presenting);
    EXPECT_TRUE(app_.has("kernel/open"));
    EXPECT_FALSE(app_.has("toolbar/run"));
}

TEST_F(LessonsGui, a_step_begins_at_its_heading_whether_its_text_is_longer_than_the_column_or_not) {
    app_.shell().open(SHIPPED_LESSONS "/08-coalescing-and-banks.md");
    app_.frames(8);
    app_.press(Key::f5);
    for (int step = 0; step < player().steps(); ++step) {
        player().go_to(step);
        app_.frames(6);
        EXPECT_GE(app_.item("lesson/title").min.y, app_.item("lesson/body").min.y) << step;
    }
}

TEST_F(LessonsGui, what_a_step_pins_is_its_own) {
    app_.shell().open(SHIPPED_LESSONS "/01-why-zeros-cost.md");
    app_.frames(4);
    const auto go_to = [&](int step) {
        player().go_to(step);
        app_.frames(6);
        ASSERT_TRUE(app_.wait([&] { return !app_.shell().builder().busy(); }));
    };
    go_to(2);
    const lessons::Ask& windows = question();
    app_.type("4");
    app_.press(Key::enter);
    ASSERT_TRUE(app_.wait([&] { return player().given(windows) != nullptr; }));
    app_.frames(4);
    ASSERT_TRUE(pinned(app_.session())) << "the step shows what it asked about";
    go_to(3);
    EXPECT_FALSE(pinned(app_.session()));
}

TEST_F(LessonsGui, nothing_is_lit_that_a_task_may_ask_for) {
    ASSERT_TRUE(pinned(app_.session())) << "the app opens with an element lit";
    app_.shell().open(preset_folder() / "lessons/02-ecr-by-hand.md");
    app_.frames(4);
    ASSERT_TRUE(app_.shell().lessons().player());
    EXPECT_FALSE(pinned(app_.session()));
}

TEST_F(LessonsGui, everything_can_be_done_by_the_keyboard) {
    open();
    app_.type("81");  // the question's field has the keyboard
    app_.press(Key::enter);
    app_.frames(3);
    EXPECT_TRUE(player().given(std::get<lessons::Ask>(player().present().blocks[2])));
    app_.type("a");  // the first option
    app_.press(Key::enter);
    app_.frames(3);
    EXPECT_EQ(player().open_question(), nullptr);
    app_.press(Key::enter);
    EXPECT_EQ(player().step(), 1);
    app_.press(Key::h, true);
    app_.press(Key::page_up);
    app_.press(Key::page_up);
    EXPECT_EQ(player().step(), 0);
    for (int i = 0; i < 4 && player().step() == 0; ++i) app_.press(Key::page_down);
    EXPECT_EQ(player().step(), 1);
}

TEST_F(LessonsGui, enter_on_the_last_page_leaves_and_opens_nothing) {
    open();
    const std::string of_a_step = "Enter answers", of_the_end = "Enter leaves the lesson";
    const auto says = [this](const std::string& words) {
        return app_.words_on_screen().find(words) != std::string::npos;
    };
    player().go_to(player().steps());
    app_.frames(3);
    EXPECT_FALSE(says(of_a_step)) << "there is nothing to answer";
    EXPECT_TRUE(says(of_the_end)) << app_.words_on_screen();
    app_.press(Key::enter);
    app_.frames(3);
    EXPECT_FALSE(app_.shell().lessons().player());
    EXPECT_EQ(app_.session().view, ViewId("lessons"));
}

TEST_F(LessonsGui, the_palette_finds_lessons_and_exercises) {
    app_.press(Key::k, true);
    app_.type("exercise vector");
    app_.frames(2);
    EXPECT_TRUE(app_.has("palette/Exercise Vector add"));
    app_.press(Key::escape);
    app_.press(Key::escape);
    app_.press(Key::k, true);
    app_.type("lesson mec step");
    app_.press(Key::enter);
    app_.frames(4);
    ASSERT_TRUE(app_.shell().lessons().player());
    EXPECT_EQ(player().lesson().id, "06-mec-step-by-step");
}

TEST_F(LessonsGui, the_exercises_are_a_click_from_the_lessons) {
    app_.press(Key::six);
    app_.frames(2);
    app_.click("lessons/exercises");
    app_.frames(3);
    EXPECT_EQ(app_.session().view, ViewId("kernel"));
    EXPECT_TRUE(app_.has("kernel/exercise/Vector add"));
}

TEST_F(LessonsGui, digits_are_the_questions_wherever_a_person_is) {
    open();
    const lessons::Ask& dense = question();
    app_.press(Key::five);
    app_.type("5");
    EXPECT_EQ(app_.session().view, ViewId("layout"));
    EXPECT_EQ(player().requested(dense).typed, "5");
    app_.press(Key::enter);
    app_.frames(3);
    EXPECT_EQ(player().requested(dense).rejection, "5 is too small.");
    // After a click into the view the keyboard is the view's, but for what a number is written with.
    app_.click("view/Network");
    EXPECT_EQ(app_.session().view, ViewId("network"));
    app_.type("8");
    app_.press(Key::one);
    app_.type("1");
    app_.frames(3);
    EXPECT_EQ(app_.session().view, ViewId("network"));
    EXPECT_EQ(player().requested(dense).typed, "81");
    app_.press(Key::enter);
    app_.frames(3);
    EXPECT_TRUE(player().given(dense)->right);
}

TEST_F(LessonsGui, enter_counts_in_the_frame_of_the_number_before_it) {
    open();
    const lessons::Ask& dense = question();
    app_.type_at_once("5", Key::enter);
    app_.frames(6);
    EXPECT_EQ(player().requested(dense).rejection, "5 is too small.");
    app_.click("view/Network");  // out of the field
    player().requested(dense).typed.clear();
    app_.frames(6);
    app_.type_at_once("81", Key::enter);
    app_.frames(6);
    ASSERT_TRUE(player().given(dense));
    EXPECT_TRUE(player().given(dense)->right);
}

TEST_F(LessonsGui, arrows_are_the_views_until_a_number_is_typed) {
    app_.shell().open(SHIPPED_LESSONS "/08-coalescing-and-banks.md");
    ASSERT_TRUE(app_.wait([&] { return app_.session().view == ViewId("step") && !app_.shell().step().tracing(); }));
    app_.frames(8);
    ASSERT_TRUE(player().open_number());
    const std::size_t before = app_.session().step.sides[0].done;
    app_.press(Key::right);
    app_.frames(2);
    EXPECT_EQ(app_.session().step.sides[0].done, before + 1);
    app_.type("4");
    app_.frames(2);
    EXPECT_EQ(player().requested(question()).typed, "4");
}

TEST_F(LessonsGui, pages_turn_while_a_number_is_typed) {
    open();
    app_.type("8");
    for (int i = 0; i < 4 && player().step() == 0; ++i) app_.press(Key::page_down);
    EXPECT_EQ(player().step(), 1);
}

TEST_F(LessonsGui, shows_the_steps_own_view_and_state_again) {
    open();
    app_.type_into("workload/h", "9");
    app_.click("view/Network");
    app_.click("lesson/show again");
    app_.frames(3);
    EXPECT_EQ(app_.session().view, ViewId("layout"));
    EXPECT_EQ(app_.session().good.name, "examples/xu-fig4");
    EXPECT_EQ(player().step(), 0);
}

TEST_F(LessonsGui, pages_and_letters_are_the_lessons_not_the_views) {
    open();
    app_.session().layer.whole = true;
    app_.session().choices.workload.shape.n = 4;
    edit_workload(app_.session());
    const std::int64_t image = app_.session().choices.selection.image;
    const Aggregate shown = app_.session().layer.aggregate;
    app_.press(Key::page_down);
    app_.press(Key::a);
    EXPECT_EQ(app_.session().choices.selection.image, image);
    EXPECT_EQ(app_.session().layer.aggregate, shown);
}

TEST_F(LessonsGui, letters_are_the_questions_until_a_view_is_clicked_into) {
    open();
    ASSERT_TRUE(player().open_number());
    const Aggregate before = app_.session().layer.map_aggregate;
    app_.press(Key::a);
    app_.type("a");
    app_.frames(3);
    app_.press(Key::a);
    app_.type("b1");
    app_.frames(3);
    EXPECT_EQ(app_.session().layer.map_aggregate, before);
    EXPECT_EQ(player().requested(question()).typed, "ab1");
    app_.click("lead");
    app_.press(Key::a);
    app_.type("a");
    app_.frames(3);
    EXPECT_NE(app_.session().layer.map_aggregate, before);
    EXPECT_EQ(player().requested(question()).typed, "ab1");
}

TEST_F(LessonsGui, letters_at_a_number_move_no_trace) {
    app_.shell().open(SHIPPED_LESSONS "/04d-bytes-and-sectors.md");
    ASSERT_TRUE(app_.wait([&] { return app_.shell().lessons().player() && !app_.shell().builder().busy(); }));
    app_.frames(3);
    while (player().step() < 2) {
        app_.click("lesson/next");
        app_.frames(3);
    }
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().step().tracing(); }));
    ASSERT_TRUE(player().open_number());
    const std::size_t before = app_.session().step.sides[0].done;
    for (const auto& [key, letter] : {std::pair{Key::f, "f"}, {Key::o, "o"}, {Key::u, "u"}, {Key::r, "r"}}) {
        app_.press(key);
        app_.type(letter);
        app_.frames(2);
    }
    EXPECT_EQ(app_.session().step.sides[0].done, before);
    EXPECT_EQ(player().requested(*player().open_number()).typed, "four");
}

TEST_F(LessonsGui, a_teachers_lesson_is_read_again_when_it_is_saved) {
    const TempFolder folder;
    const std::filesystem::path file = folder / "lesson.md";
    std::ifstream from(small);
    const std::string text{std::istreambuf_iterator<char>(from), {}};
    std::ofstream(file) << text;
    app_.shell().open(file);
    app_.frames(3);
    ASSERT_FALSE(app_.session().lesson.open.empty());
    const std::string title = app_.shell().lessons().player()->lesson().title;
    std::string changed = text;
    const std::size_t at = changed.find(title);
    ASSERT_NE(at, std::string::npos);
    changed.replace(at, title.size(), "Another title");
    std::ofstream(file) << changed;
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(2));
    EXPECT_TRUE(app_.shell().busy()) << "frames come without an event";
    EXPECT_TRUE(app_.wait([&] { return app_.shell().lessons().player()->lesson().title == "Another title"; }));
    std::ofstream(file) << "no lesson";
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(4));
    EXPECT_TRUE(app_.wait([&] { return !app_.session().notices.empty() && app_.session().notices.back().problem; }));
    EXPECT_EQ(app_.shell().lessons().player()->lesson().title, "Another title") << "what is broken changes nothing";
}

TEST_F(LessonsGui, leaving_gives_the_own_session_back) {
    app_.type_into("workload/w", "7");
    app_.press(Key::three, true);
    const SessionState own = state_of(app_.session());
    open();
    EXPECT_EQ(app_.session().good.name, "examples/xu-fig4");
    app_.type_into("workload/h", "9");
    app_.click("lesson/leave");
    app_.frames(3);
    EXPECT_FALSE(app_.shell().lessons().player());
    EXPECT_EQ(app_.session().good.shape.w, 7);
    EXPECT_EQ(app_.session().tab, TabId("lowering"));
    EXPECT_EQ(state_of(app_.session()).choices, own.choices);
}

TEST_F(LessonsGui, plots_hold_the_cache_of_a_step_and_a_task_knows_what_they_hold) {
    const TempFolder folder;
    app_.shell().open(folder.write("caches.md",
                                   "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\nmoral = \"M\"\n+++\n\n## Step\n\n"
                                   "```show\nview = \"compare\"\nrecorded = \"zeros-vgg19-fc\"\npage = \"lines\"\n"
                                   "layer = \"vgg19/fc6\"\ncache = \"cold\"\n```\n\n"
                                   "```do\ntask = \"Hold hot.\"\nuntil = 'cache(\"hot\")'\n```\n"));
    app_.frames(4);
    ASSERT_TRUE(app_.shell().lessons().player());
    const auto* task = std::get_if<lessons::Task>(&player().present().blocks.at(1));
    ASSERT_TRUE(task);
    const auto held = [this] {
        const auto result = app_.shell().compare().result();
        if (!result || result->fixed.empty()) return std::string();
        for (const FixedColumn& each : result->fixed[0])
            if (each.column == "cache_mode") return each.value;
        return std::string();
    };
    ASSERT_TRUE(app_.wait([&] { return held() == "cold"; }));
    EXPECT_FALSE(player().done(*task));
    app_.click("compare/chip 0 cache_mode");
    app_.frames(2);
    app_.click("compare/chip/hot");
    ASSERT_TRUE(app_.wait([&] { return held() == "hot"; }));
    EXPECT_TRUE(app_.wait([&] { return player().done(*task); }));
}

TEST_F(LessonsGui, leaving_keeps_a_kernel_that_was_opened_meanwhile) {
    const TempFolder folder;
    const std::string file =
        folder
            .write("mine.cu",
                   "// convscope: grid = 1, block = 1, y = out(1)\n__global__ void mine(int* y) { *y = 1; }\n")
            .string();
    open();
    open_kernel_file(app_.session(), file);
    app_.frames(3);
    ASSERT_TRUE(app_.shell().lessons().own());
    EXPECT_EQ(app_.shell().lessons().own()->kernel.file, file) << "what an autosave would bring back";
    app_.session().lesson.requested = LessonMove::leave;
    app_.frames(3);
    EXPECT_FALSE(app_.shell().lessons().player());
    EXPECT_EQ(app_.session().kernel.file, file);
}

TEST_F(LessonsGui, the_own_layer_stays_and_its_answers_hold) {
    app_.type_into("workload/w", "7");
    open();
    app_.click("lesson/own layer");
    app_.frames(3);
    EXPECT_EQ(app_.session().good.shape.w, 7);
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().builder().busy(); }));
    player().requested(question()).typed = "135";  // 3 x 5 windows of 9
    player().commit(question());
    app_.frames(3);
    EXPECT_TRUE(player().given(std::get<lessons::Ask>(player().present().blocks[2]))->right);
    player().go_to(1);
    app_.frames(3);
    EXPECT_EQ(app_.session().good.shape.w, 7);
}

TEST_F(LessonsGui, describe_an_own_layer_that_does_not_suit_is_rejected) {
    app_.type_into("workload/h", "4");
    app_.shell().open(SHIPPED_LESSONS "/06-mec-step-by-step.md");
    app_.frames(6);
    app_.click("lesson/own layer");
    app_.frames(3);
    EXPECT_FALSE(app_.session().lesson.own_layer);
    EXPECT_EQ(app_.session().good.name, "examples/cho-fig1");
    ASSERT_FALSE(app_.session().notices.empty());
    EXPECT_NE(app_.session().notices.back().text.find("a higher map would do"), std::string::npos);
}

TEST_F(LessonsGui, the_view_does_not_say_what_is_asked_until_it_is_answered) {
    app_.shell().open(SHIPPED_LESSONS "/06-mec-step-by-step.md");
    app_.frames(6);
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().builder().busy(); }));
    app_.frames(3);
    const auto says = [&](const char* words) {
        return app_.shell().layouts().result().lead.text().find(words) != std::string::npos;
    };
    EXPECT_TRUE(app_.session().lesson.hides("L"));
    EXPECT_FALSE(says("105"));
    EXPECT_TRUE(says("hidden"));
    for (const char* answer : {"105", "53"}) {
        app_.frames(4);
        app_.type(answer);
        app_.press(Key::enter);
        app_.frames(4);
    }
    EXPECT_EQ(player().open_question(), nullptr);
    EXPECT_FALSE(says("105")) << "as long as one is in the step";
    EXPECT_TRUE(app_.session().lesson.hides("L"));
}

TEST_F(LessonsGui, with_the_output_goes_what_tells_its_size) {
    app_.shell().open(SHIPPED_LESSONS "/02-ecr-by-hand.md");
    app_.frames(6);
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().builder().busy() && !app_.shell().layout_moves(); }));
    const auto block_rows = [&] {
        std::set<std::int64_t> found;
        for (float y = 150; y < 560; y += 14)
            for (float x = 300; x < 460; x += 10) {
                app_.point_at(ImVec2{x, y});
                if (const auto& group = app_.shell().layouts().result().group)
                    if (group->kind == LinkGroup::Kind::block_row) found.insert(group->index);
            }
        return found;
    };
    EXPECT_FALSE(app_.has("layout/legend block rows"));
    EXPECT_EQ(block_rows(), (std::set<std::int64_t>{0})) << "B1, which the step is about";
    app_.session().lesson.requested = LessonMove::leave;
    app_.frames(4);
    app_.press(Key::one);
    EXPECT_TRUE(app_.has("layout/legend block rows"));
    EXPECT_EQ(block_rows().size(), 3U);
}

TEST_F(LessonsGui, what_no_step_names_is_as_on_the_first_screen_and_comes_back) {
    const auto shown = [&] { return app_.shell().layouts().result(); };
    app_.press(Key::escape);
    app_.frames(2);
    const std::string first = shown().lead.text();
    click_block_row(1);
    const std::string second = shown().lead.text();
    ASSERT_NE(second, first) << "B2 is taken apart";
    ASSERT_TRUE(shown().group);
    StepMarks marks;
    marks.breakpoints.insert({"kernels/ecr/ecr1_kernel.h", 40});
    marks.watches = {"sum"};
    app_.session().step.marks = marks;
    EXPECT_EQ(app_.session().pages.block, 1);
    app_.session().pages.balance.by_channel = true;
    open();
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().layout_moves(); }));
    EXPECT_EQ(shown().lead.text(), first);
    EXPECT_FALSE(shown().group);
    EXPECT_EQ(app_.session().step.marks, StepMarks{});
    EXPECT_EQ(app_.session().pages, PageChoice{});
    app_.press(Key::escape);
    app_.frames(2);
    click_block_row(1);
    EXPECT_EQ(shown().lead.text(), second) << "within a lesson it can be chosen all the same";
    app_.session().lesson.requested = LessonMove::show_again;
    app_.frames(4);
    EXPECT_EQ(shown().lead.text(), first);
    app_.session().lesson.requested = LessonMove::leave;
    app_.frames(4);
    EXPECT_EQ(shown().lead.text(), second);
    ASSERT_TRUE(shown().group);
    EXPECT_EQ(shown().group->index, 1);
    EXPECT_EQ(app_.session().step.marks, marks);
    EXPECT_EQ(app_.session().pages.block, 1);
    EXPECT_TRUE(app_.session().pages.balance.by_channel);
}

TEST_F(LessonsGui, of_ecr_shows_the_block_row_that_it_asks_about_whatever_was_clicked_before) {
    app_.press(Key::escape);
    app_.frames(2);
    EXPECT_EQ(title_of("F_data of"), "F_data of B1");
    click_block_row(1);
    const auto click_output = [&](std::int64_t row) {
        for (float y = 130; y < 900; y += 30)
            for (float x = 290; x < 1320; x += 30) {
                app_.point_at(ImVec2{x, y});
                const auto& pointed = app_.shell().layouts().result().pointed;
                if (!pointed || pointed->array != ArrayId::y || pointed->cell.row != row) continue;
                app_.click_at({x, y});
                app_.point_at(ImVec2{20, 60});
                return;
            }
    };
    click_output(1);
    ASSERT_TRUE(pinned(app_.session()));
    EXPECT_EQ(pinned(app_.session())->array, ArrayId::y);
    EXPECT_EQ(title_of("F_data of"), "F_data of B2");
    app_.press(Key::six);
    app_.frames(2);
    app_.click("lessons/open 02-ecr-by-hand");
    app_.frames(6);
    ASSERT_TRUE(app_.shell().lessons().player());
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().builder().busy() && !app_.shell().layout_moves(); }));
    EXPECT_FALSE(pinned(app_.session()));
    EXPECT_EQ(title_of("F_data of B"), "") << "it is asked for";
    for (int step = 1; step <= 2; ++step) {
        app_.click("lesson/next");
        app_.frames(4);
    }
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().layout_moves(); }));
    ASSERT_EQ(player().step(), 2) << "What does Ptr hold for T2?";
    EXPECT_FALSE(pinned(app_.session()));
    EXPECT_EQ(title_of("F_data of"), "F_data of B1") << "T2 is the second thread of the block that is shown";
}

TEST_F(LessonsGui, the_slider_does_not_show_the_share_of_zeros_that_is_asked_for) {
    app_.shell().open(SHIPPED_LESSONS "/01-why-zeros-cost.md");
    app_.frames(6);
    const auto slider = [&](double zeros) {
        app_.session().choices.workload.source = Source::uniform;
        app_.session().choices.workload.sparsity = zeros;
        edit_workload(app_.session());
        app_.frames(6);
        const ItemRect rect = app_.item("workload/sparsity");
        const gl::Image picture = app_.picture();
        std::vector<std::array<int, 3>> pixels;
        for (int y = static_cast<int>(rect.min.y); y < static_cast<int>(rect.max.y); ++y)
            for (int x = static_cast<int>(rect.min.x); x < static_cast<int>(rect.max.x); ++x)
                pixels.push_back({picture.at(x, y).r, picture.at(x, y).g, picture.at(x, y).b});
        return pixels;
    };
    EXPECT_EQ(slider(0.1), slider(0.8));
}

TEST_F(LessonsGui, what_is_done_is_remembered_and_can_be_forgotten) {
    const TempFolder folder;
    const std::filesystem::path file = folder / "lessons.toml";
    app_.shell().lessons().keep_progress_in(file, app_.session());
    open();
    app_.type_into("lesson/answer 2", "80");
    app_.frames(3);
    EXPECT_EQ(lessons::load_progress(file).book.at("small").missed.size(), 1U);
    app_.type_into("lesson/answer 2", "80");
    app_.frames(3);
    EXPECT_EQ(lessons::load_progress(file).book.at("small").answers.size(), 1U);
    // As another run of the app would.
    LessonGuide later;
    later.keep_progress_in(file, app_.session());
    EXPECT_EQ(later.progress("small").answers.size(), 1U);
    later.forget(app_.session(), "small");
    EXPECT_TRUE(lessons::load_progress(file).book.empty());
}

TEST_F(LessonsGui, an_answer_with_a_full_stop_is_no_list) {
    app_.shell().open(SHIPPED_LESSONS "/01-why-zeros-cost.md");
    ASSERT_TRUE(app_.wait([&] { return app_.shell().lessons().player() && !app_.shell().builder().busy(); }));
    player().go_to(lessons::step_of(player().lesson(), "How many windows cover the value in its corner, x[0, 0]?") - 1);
    app_.frames(4);
    while (player().open_question()->key.find("in its corner") == std::string::npos)
        player().give_up(*player().open_question());
    player().give_up(*player().open_question());
    app_.frames(4);
    for (int i = 0; i < 40 && app_.words_on_screen().find("Without") == std::string::npos; ++i)
        app_.wheel("lesson/body", -1);
    EXPECT_NE(app_.words_on_screen().find("1. Without"), std::string::npos) << app_.words_on_screen();
}

TEST_F(LessonsGui, a_broken_lesson_is_named_with_its_line) {
    app_.shell().open(TEST_LESSONS "/broken.md");
    ASSERT_FALSE(app_.session().notices.empty());
    EXPECT_NE(app_.session().notices.back().text.find("broken.md:1:1: "), std::string::npos)
        << app_.session().notices.back().text;
    EXPECT_FALSE(app_.shell().lessons().player());
}

}  // namespace
}  // namespace convscope::app
