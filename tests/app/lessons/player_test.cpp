// One open lesson without a window: what is in view, what is checked, what is remembered.
#include "app/lessons/player.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/lessons/show_state.h"
#include "tests/support/registries.h"

namespace convscope::lessons {
namespace {

using testing::registry;

class LessonPlayer : public ::testing::Test {
protected:
    LessonPlayer() : player_(read_lesson(std::filesystem::path(LESSONS) / "small.md", registry()).lesson, progress_) {}

    /// Does as the app does each frame.
    void frame() {
        const Player::Shows shows = player_.take_shows();
        if (shows.again) state_.begin_again();
        for (const Show& show : shows.list) state_.apply(show);
        std::string problem;
        player_.update(state_.facts(problem), true);
    }
    const Ask& ask(std::size_t step, std::size_t index) {
        std::vector<const Ask*> all;
        for (const Block& block : player_.lesson().steps[step].blocks)
            if (const Ask* each = std::get_if<Ask>(&block)) all.push_back(each);
        return *all.at(index);
    }
    void answer(const Ask& question, const std::string& typed) {
        player_.requested(question).typed = typed;
        player_.commit(question);
        frame();
    }

    LessonProgress progress_;
    Player player_;
    ShowState state_{registry()};
};

TEST_F(LessonPlayer, checks_numbers_and_keeps_the_words_of_that_moment) {
    frame();
    const Ask& dense = ask(0, 0);
    answer(dense, "80");
    EXPECT_FALSE(player_.given(dense));
    answer(dense, "82");
    ASSERT_TRUE(player_.given(dense));
    EXPECT_FALSE(player_.given(dense)->right);
    EXPECT_EQ(player_.given(dense)->words, "It is 81: 9 windows of 9 values.");
}

TEST_F(LessonPlayer, writes_the_values_of_that_moment_into_mathematics) {
    frame();
    Problems problems;
    const TextReader reader{&registry(), &problems};
    std::string problem;
    const std::string words = written_out(reader.read("So $k_w = {= s}$.", 1), state_.facts(problem));
    EXPECT_EQ(words, "So $k_w = {\\text{3}}$.");
    // It reads as what it was.
    const Text again = reader.read(words, 1);
    ASSERT_TRUE(again.at(0).runs.at(1).math);
    EXPECT_EQ(plain_text(again[0].runs[1].math->math), "k_w = 3");
    EXPECT_TRUE(problems.empty());
}

TEST_F(LessonPlayer, a_first_wrong_answer_brings_a_hint_and_not_the_solution) {
    frame();
    const Ask &dense = ask(0, 0), &half = ask(0, 1);
    answer(dense, "80");
    EXPECT_FALSE(player_.given(dense));
    EXPECT_EQ(player_.open_question(), &dense);
    EXPECT_EQ(player_.requested(dense).rejection, "80 is too small.");
    EXPECT_TRUE(player_.requested(dense).hint);
    answer(dense, "81 multiplications");
    EXPECT_TRUE(player_.given(dense)->right);
    EXPECT_FALSE(player_.given(dense)->first_right);
    EXPECT_TRUE(progress_.missed.contains(dense.key));

    player_.requested(half).picked = 1;
    player_.commit(half);
    frame();
    EXPECT_EQ(player_.requested(half).rejection, "'Half or less' is not right.");
    player_.give_up(half);
    frame();
    ASSERT_TRUE(player_.given(half));
    EXPECT_FALSE(player_.given(half)->right);
}

TEST_F(LessonPlayer, a_percentage_may_be_rounded) {
    Lesson lesson =
        read_lesson("lesson.md",
                    "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\nmoral = \"M\"\n+++\n\n## Step\n\n```ask\n"
                    "question = \"?\"\nanswer = \"100 * (1 - 105 / 225)\"\nunit = \"%\"\n```\n",
                    registry())
            .lesson;
    for (const auto& [typed, right] : {std::pair{"53", true},
                                       {"53.3 %", true},
                                       {"54", false},
                                       {"52.8", false},
                                       {"0.53", true},
                                       {"8/15", true},
                                       {"0.53 %", false},
                                       {"0.6", false}}) {
        LessonProgress progress;
        Player player(lesson, progress);
        player.take_shows();
        const Ask& share = *player.open_question();
        player.requested(share).typed = typed;
        player.commit(share);
        std::string problem;
        player.update(state_.facts(problem), true);
        EXPECT_EQ(player.given(share) != nullptr, right) << typed;
        if (std::string(typed) == "0.53") {
            EXPECT_EQ(player.given(share)->answer, "53") << "its unit stands behind it";
        }
    }
}

TEST_F(LessonPlayer, keeps_a_question_as_it_stood_when_it_was_answered) {
    Lesson lesson = read_lesson("lesson.md",
                                "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\nmoral = \"M\"\n+++\n\n## Step\n\n"
                                "```show\npreset = \"examples/xu-fig4\"\n```\n\n"
                                "```ask\nquestion = \"Of {= h} rows?\"\nanswer = \"3\"\npredict = true\n```\n\n"
                                "```show\npreset = \"lenet/conv2\"\n```\n",
                                registry())
                        .lesson;
    LessonProgress progress;
    Player player(lesson, progress);
    const auto frame = [&] {
        for (const Show& show : player.take_shows().list) state_.apply(show);
        std::string problem;
        player.update(state_.facts(problem), true);
    };
    frame();
    const Ask& rows = *player.open_question();
    player.requested(rows).typed = "3";
    player.commit(rows);
    frame();
    frame();
    ASSERT_TRUE(player.given(rows));
    EXPECT_EQ(player.given(rows)->question, "Of 5 rows?") << "the layer that follows has more";
}

TEST_F(LessonPlayer, what_is_asked_is_hidden_until_the_step_is_left) {
    Lesson lesson = read_lesson("lesson.md",
                                "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\nmoral = \"M\"\n+++\n\n## Step\n\n"
                                "```show\nhide = [\"F_data\", \"summary\"]\n```\n\n"
                                "```ask\nquestion = \"A?\"\nanswer = \"1\"\npredict = true\n```\n\n"
                                "```show\nhide = [\"cards\"]\n```\n\n"
                                "```ask\nquestion = \"B?\"\nanswer = \"2\"\n```\n",
                                registry())
                        .lesson;
    LessonProgress progress;
    Player player(lesson, progress);
    const auto answer = [&](const char* typed) {
        const Ask& open = *player.open_question();
        player.requested(open).typed = typed;
        player.commit(open);
        player.take_shows();
        std::string problem;
        player.update(state_.facts(problem), true);
    };
    EXPECT_EQ(player.hidden(), (std::vector<std::string>{"F_data", "summary"}));
    answer("1");
    EXPECT_EQ(player.hidden(), std::vector<std::string>{"cards"});
    answer("2");
    EXPECT_EQ(player.hidden(), std::vector<std::string>{"cards"}) << "it may tell the next step's answer";
    player.go_to(1);
    EXPECT_TRUE(player.hidden().empty());
    player.go_to(0);
    EXPECT_TRUE(player.hidden().empty()) << "nothing is asked any more";
    player.repeat_step();
    EXPECT_EQ(player.hidden().size(), 2U);
}

TEST_F(LessonPlayer, what_is_no_number_is_said_and_not_checked) {
    frame();
    answer(ask(0, 0), "many");
    EXPECT_FALSE(player_.given(ask(0, 0)));
    EXPECT_NE(player_.requested(ask(0, 0)).note.find("'many' is not a number"), std::string::npos);
}

TEST_F(LessonPlayer, chooses_among_options) {
    frame();
    const Ask& half = ask(0, 1);
    player_.requested(half).picked = 0;
    player_.commit(half);
    frame();
    ASSERT_TRUE(player_.given(half));
    EXPECT_TRUE(player_.given(half)->right);
    EXPECT_EQ(player_.given(half)->answer, "More than half");
}

TEST_F(LessonPlayer, a_prediction_hides_what_follows_until_it_is_made) {
    player_.go_to(1);
    frame();
    EXPECT_EQ(player_.visible(), 2U);
    std::string problem;
    const double before = *std::get<Ask>(player_.present().blocks[1]).answer->evaluate(state_.facts(problem)).value;
    const Ask& all = ask(1, 0);
    answer(all, "81");
    frame();
    ASSERT_TRUE(player_.given(all));
    EXPECT_TRUE(player_.given(all)->right) << player_.given(all)->words;
    EXPECT_EQ(player_.visible(), player_.present().blocks.size());
    EXPECT_LT(before, 81);
    EXPECT_EQ(player_.result(), (std::pair{1, 1}));
}

TEST_F(LessonPlayer, a_task_ticks_itself_and_show_me_does_it) {
    player_.go_to(2);
    frame();
    const Task* task = player_.open_task();
    ASSERT_TRUE(task);
    player_.solve(*task);
    frame();
    frame();
    EXPECT_TRUE(player_.done(*task));
    EXPECT_FALSE(player_.open_task());
    player_.repeat_step();
    EXPECT_TRUE(player_.open_task());
}

TEST_F(LessonPlayer, waits_for_a_measurement_and_says_so) {
    player_.go_to(3);
    frame();
    const Ask& faster = ask(3, 0);
    player_.requested(faster).picked = 1;
    player_.commit(faster);
    frame();
    frame();
    EXPECT_FALSE(player_.given(faster));
    EXPECT_TRUE(player_.wants_measurement());
    EXPECT_NE(player_.requested(faster).note.find("not measured yet"), std::string::npos);
}

TEST_F(LessonPlayer, comes_to_an_end_with_what_was_missed) {
    player_.go_to(player_.steps());
    EXPECT_TRUE(player_.at_end());
    EXPECT_FALSE(progress_.finished) << "nothing was answered";
    for (const Step& step : player_.lesson().steps)
        for (const Block& block : step.blocks)
            if (const Task* task = std::get_if<Task>(&block)) progress_.tasks.insert(task->key);
    for (const Step& step : player_.lesson().steps)
        for (const Block& block : step.blocks)
            if (const Ask* ask = std::get_if<Ask>(&block)) {
                EXPECT_FALSE(progress_.finished) << ask->key;
                progress_.answers[ask->key] = {};
                player_.go_to(player_.steps());
            }
    EXPECT_TRUE(progress_.finished);
    EXPECT_EQ(player_.result(), (std::pair{0, 1}));
    ASSERT_EQ(player_.missed().size(), 1U);
    EXPECT_EQ(player_.missed()[0].first, 1);
}

TEST(LessonNumber, is_read_as_people_type_it) {
    EXPECT_EQ(typed_number("81", ""), 81);
    EXPECT_EQ(typed_number(" 1 000 ", ""), 1000);
    EXPECT_EQ(typed_number("1,000", ""), 1000);
    EXPECT_EQ(typed_number("0,5", ""), 0.5);
    EXPECT_EQ(typed_number("0,125", ""), 0.125);
    EXPECT_EQ(typed_number("-,125", ""), -0.125);
    EXPECT_EQ(typed_number("10,125", ""), 10125);
    EXPECT_EQ(typed_number("1/4", ""), 0.25);
    EXPECT_EQ(typed_number("63 %", "%"), 63);
    EXPECT_EQ(typed_number("63%", ""), 63);
    EXPECT_EQ(typed_number("1'000_000", ""), 1000000);
    EXPECT_EQ(typed_number(",125", ""), 0.125);
    EXPECT_EQ(typed_number("-0,125", ""), -0.125);
    EXPECT_EQ(typed_number("1,000/4", ""), 250);
    EXPECT_EQ(typed_number("12 us", "us"), 12);
    EXPECT_EQ(typed_number("-3e2", ""), -300);
    for (const char* bad : {"", "many", "1/0", "1/", "x/4", "12x", "1,5x", "nan", "inf"})
        EXPECT_FALSE(typed_number(bad, "")) << bad;
}

}  // namespace
}  // namespace convscope::lessons
