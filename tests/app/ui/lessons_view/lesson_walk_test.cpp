// Walks through every lesson as a user would, by real events: once with wrong answers, once with right ones. What is
// right is asked of the lesson's own expressions in the live state; tasks are done by 'Show me'.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/lessons/player.h"
#include "app/session/method_choice.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

using lessons::Ask;
using lessons::Block;
using lessons::Player;
using lessons::Task;

std::vector<std::string> every_lesson() {
    std::vector<std::string> files{TEST_LESSONS "/small.md"};
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(SHIPPED_LESSONS, none))
        if (entry.path().extension() == ".md" && entry.path().stem() != "README")
            files.push_back(entry.path().string());
    std::ranges::sort(files);
    return files;
}

bool is_measured(const Ask& ask) {
    bool measured = ask.answer && !ask.answer->measured_values().empty();
    for (const lessons::Option& option : ask.options)
        measured = measured || !option.condition.measured_values().empty();
    return measured;
}

class LessonWalk : public ::testing::TestWithParam<std::string> {
protected:
    /// Exercises are begun in the user's folder.
    void SetUp() override { setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1); }
    void TearDown() override { unsetenv("XDG_DATA_HOME"); }

    Player& player() { return *app_.shell().lessons().player(); }

    /// Turns the wheel over the lesson until a widget of it is in sight.
    void bring(const std::string& name) {
        for (int i = 0; i < 80; ++i) {
            ASSERT_TRUE(app_.has(name)) << name;
            const ItemRect body = app_.item("lesson/body"), item = app_.item(name);
            if (item.centre().y > body.min.y + 12 && item.centre().y < body.max.y - 12) return;
            app_.wheel("lesson/body", item.centre().y < body.min.y + 12 ? 1.0F : -1.0F);
        }
        FAIL() << name << " cannot be scrolled to";
    }
    void click(const std::string& name) {
        bring(name);
        app_.click(name);
    }

    double value(const lessons::Expression& expression) {
        lessons::Answer answer;
        // A running measurement has its first value in a moment.
        app_.wait([&] { return (answer = expression.evaluate(app_.shell().lessons().facts())).value.has_value(); });
        EXPECT_TRUE(answer.value) << expression.text() << ": " << answer.why;
        return answer.value.value_or(0);
    }
    /// The right answer in the present state: the number as a user would type it, or the option's place.
    std::string right_answer(const Ask& ask) {
        if (ask.answer) return fmt::format("{:.12g}", value(*ask.answer));
        for (std::size_t i = 0; i < ask.options.size(); ++i)
            if (value(ask.options[i].condition) != 0) return std::to_string(i);
        ADD_FAILURE() << "no option is right: " << ask.key;
        return "0";
    }

    void commit(const Ask& ask, std::size_t block, const std::string& answer) {
        if (ask.answer) {
            bring(fmt::format("lesson/answer {}", block));
            app_.type_into(fmt::format("lesson/answer {}", block), answer);
        } else {
            click(fmt::format("lesson/option {}/{}", block, answer));
            click(fmt::format("lesson/commit {}", block));
        }
        ASSERT_TRUE(app_.wait([&] { return player().given(ask) || !player().requested(ask).waiting; }))
            << ask.key << ": " << player().requested(ask).note;
        app_.frames(2);
    }

    /// Before a question: the app has built and traced what the step shows.
    void settle() {
        ASSERT_TRUE(app_.wait([&] {
            return !app_.shell().builder().busy() && !app_.shell().step().tracing() &&
                   !app_.shell().lessons().busy(app_.session());
        }));
        app_.frames(4);
        ASSERT_TRUE(app_.wait([&] { return !app_.shell().step().tracing(); }));
    }

    void wrong(const Ask& ask, std::size_t block) {
        SCOPED_TRACE("wrong: " + ask.key);
        // A prediction does not tell yet which option is wrong.
        std::string answer = "123456789.5";
        if (!ask.answer) answer = !ask.predict && right_answer(ask) == "0" ? "1" : "0";
        commit(ask, block, answer);
        if (HasFatalFailure()) return;
        if (!ask.predict) {
            // A time may come out differently when measured again; then this answer is the right one.
            if (player().given(ask) && is_measured(ask)) return;
            // Only a second wrong answer, or giving up, brings the solution.
            ASSERT_FALSE(player().given(ask));
            EXPECT_FALSE(player().requested(ask).rejection.empty());
            if (ask.answer)
                commit(ask, block, answer);
            else
                click(fmt::format("lesson/solution {}", block));
            app_.frames(2);
            if (HasFatalFailure()) return;
        }
        ASSERT_TRUE(player().given(ask));
        const lessons::Given given = *player().given(ask);
        known_[ask.key] = right_answer(ask);
        if ((ask.answer || !ask.predict) && !is_measured(ask)) {
            EXPECT_FALSE(given.right);
            EXPECT_EQ(given.words.empty(), ask.wrong.empty());
        }
        EXPECT_EQ(given.words.find("?"), std::string::npos) << given.words;
    }

    void right(const Ask& ask, std::size_t block) {
        SCOPED_TRACE("right: " + ask.key);
        commit(ask, block, ask.predict ? known_[ask.key] : right_answer(ask));
        if (HasFatalFailure()) return;
        // A time may change while it is answered; the second answer is taken in any case.
        if (!player().given(ask) && is_measured(ask)) commit(ask, block, right_answer(ask));
        if (HasFatalFailure()) return;
        ASSERT_TRUE(player().given(ask));
        // Then, or where it is taken back, it need not be right.
        if (!player().given(ask)->right && is_measured(ask)) return;
        EXPECT_TRUE(player().given(ask)->right) << player().given(ask)->answer;
    }

    bool all_measured() {
        return std::ranges::all_of(live_methods(app_.session(), app_.registry()),
                                   [&](const std::string& id) { return app_.shell().live().latest(id) != nullptr; });
    }

    void task(const Task& task, std::size_t block) {
        SCOPED_TRACE("task: " + task.key);
        ASSERT_TRUE(task.solve);
        // A user waits for the figures that the step is about before going on.
        ASSERT_TRUE(app_.wait([&] { return !app_.shell().live().wanted() || all_measured(); }));
        click(fmt::format("lesson/show me {}", block));
        ASSERT_TRUE(app_.wait([&] { return player().done(task); }));
        app_.frames(2);
        EXPECT_TRUE(app_.has(fmt::format("lesson/done {}", block)));
    }

    void walk(bool rightly) {
        for (int step = 0; step < player().steps(); ++step) {
            ASSERT_EQ(player().step(), step);
            SCOPED_TRACE(player().present().title);
            const std::vector<Block>& blocks = player().present().blocks;
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                settle();
                ASSERT_LT(i, player().visible());
                const Ask* ask = std::get_if<Ask>(&blocks[i]);
                if (ask) rightly ? right(*ask, i) : wrong(*ask, i);
                if (const Task* todo = std::get_if<Task>(&blocks[i]); todo && !player().done(*todo)) task(*todo, i);
                ASSERT_FALSE(HasFatalFailure());
            }
            app_.click("lesson/next");
            app_.frames(3);
        }
        EXPECT_TRUE(player().at_end());
        EXPECT_TRUE(app_.has("lesson/moral"));
        app_.keep_image(fmt::format("end-of-{}-{}", player().lesson().id, rightly ? "right" : "wrong"));
        const std::size_t answered = lesson_findings(player().progress(), player().lesson()).size();
        for (std::size_t i = 0; i < answered; ++i) {
            ASSERT_TRUE(app_.has(fmt::format("lesson/asked {}", i)));
            ASSERT_TRUE(app_.has(fmt::format("lesson/found {}", i)));
            EXPECT_LT(app_.item(fmt::format("lesson/asked {}", i)).max.y,
                      app_.item(fmt::format("lesson/found {}", i)).max.y);
        }
        EXPECT_FALSE(app_.has(fmt::format("lesson/found {}", answered)));
    }

    TempFolder folder_;
    Driver app_;
    std::map<std::string, std::string> known_;  ///< right answers, by question
};

TEST_P(LessonWalk, wrong_then_right_and_out_again) {
    const SessionState own = state_of(app_.session());
    app_.shell().open(GetParam());
    app_.frames(3);
    ASSERT_TRUE(app_.shell().lessons().player())
        << (app_.session().notices.empty() ? "" : app_.session().notices.back().text);
    const std::string id = player().lesson().id;

    walk(false);
    ASSERT_FALSE(HasFatalFailure());
    const auto [none, questions] = player().result();
    EXPECT_TRUE(app_.shell().lessons().progress(id).finished);
    EXPECT_LE(none, questions);

    click("lesson/start over");
    app_.frames(3);
    EXPECT_EQ(player().step(), 0);
    EXPECT_TRUE(app_.shell().lessons().progress(id).answers.empty());
    walk(true);
    ASSERT_FALSE(HasFatalFailure());
    EXPECT_EQ(player().result(), (std::pair{questions, questions}));

    app_.click("lesson/next");
    app_.frames(3);
    EXPECT_FALSE(app_.shell().lessons().player());
    EXPECT_EQ(app_.session().view, ViewId("lessons"));
    app_.session().view = own.view;
    EXPECT_EQ(state_of(app_.session()), own);
}

std::string name_of(const ::testing::TestParamInfo<std::string>& file) {
    std::string name = std::filesystem::path(file.param).stem().string();
    for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Every, LessonWalk, ::testing::ValuesIn(every_lesson()), name_of);

}  // namespace
}  // namespace convscope::app
