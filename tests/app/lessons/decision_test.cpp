// Questions about times wait for an interval that decides them, or say that none does.
#include "app/lessons/decision.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "app/lessons/player.h"
#include "kernels/measure/sample_counts.h"
#include "tests/support/registries.h"

namespace convscope::lessons {
namespace {

using testing::registry;

/// A state in which im2col and ecr3 have been measured: medians with intervals of +- 'noise'.
class Measurements {
public:
    void put(const std::string& method, double us, double noise, bool reliable, bool complete) {
        Measured& measured = of_[method];
        measured.record.time_median_us = measured.timing.median_us = us;
        measured.timing.wide_interval_us = {us * (1 - noise), us * (1 + noise)};
        measured.reliable = reliable;
        measured.complete = complete;
    }
    /// All of its samples waited for a core.
    void put_too_busy(const std::string& method, bool complete) {
        Measured& measured = of_[method];
        measured = {};
        measured.record.method = method;
        set_too_busy(measured.record, {0, 5});
        measured.reliable = measured.complete = complete;
    }
    /// So slow that its time was up after a few samples.
    void put_without_interval(const std::string& method, double us) {
        put(method, us, 0, true, true);
        of_[method].timing.wide_interval_us.reset();
    }
    const Facts& facts() {
        LiveState state;
        state.registry = &registry();
        state.record = [this](const std::string& method, const std::string&) {
            const auto found = of_.find(method);
            return found == of_.end() ? nullptr : &found->second;
        };
        facts_.update(std::move(state));
        return facts_;
    }

private:
    std::map<std::string, Measured> of_;
    Facts facts_;
};

Lesson lesson(const std::string& block) {
    return read_lesson("lesson.md",
                       "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\nmoral = \"M\"\n+++\n\n## Step\n\n" + block,
                       registry())
        .lesson;
}

const char* const which_is_faster = R"(```ask
question = "Which is faster?"
predict = true
options = [["ecr3", 'time("ecr3") < time("im2col")'], ["im2col", 'time("ecr3") >= time("im2col")']]
right = "So it is."
wrong = "It is not."
```
)";

class MeasuredPrediction : public ::testing::Test {
protected:
    MeasuredPrediction() {
        player_.take_shows();
        ask_ = player_.open_question();
        player_.requested(*ask_).picked = 0;
        player_.commit(*ask_);
    }
    const Given* update() {
        player_.update(measured_.facts(), true);
        return player_.given(*ask_);
    }

    LessonProgress progress_;
    Player player_{lesson(which_is_faster), progress_};
    const Ask* ask_ = nullptr;
    Measurements measured_;
};

TEST_F(MeasuredPrediction, waits_for_a_measurement) {
    EXPECT_FALSE(update());
    EXPECT_TRUE(player_.wants_measurement());
    EXPECT_NE(player_.requested(*ask_).note.find("not measured yet"), std::string::npos);
}

TEST_F(MeasuredPrediction, is_not_marked_within_the_noise_and_is_once_the_intervals_part) {
    measured_.put("ecr3", 90, 0.3, true, false);
    measured_.put("im2col", 100, 0.3, true, false);
    EXPECT_FALSE(update());
    EXPECT_TRUE(player_.wants_measurement());
    EXPECT_EQ(player_.requested(*ask_).note,
              "not sure yet: ecr3 90.0 us (63.0 us to 117 us), im2col 100 us (70.0 us to 130 us)");
    measured_.put("ecr3", 90, 0.02, true, false);
    measured_.put("im2col", 100, 0.02, true, false);
    ASSERT_TRUE(update());
    EXPECT_TRUE(player_.given(*ask_)->right);
    EXPECT_EQ(player_.given(*ask_)->words, "So it is.");
}

TEST_F(MeasuredPrediction, is_not_marked_on_a_few_samples_however_far_apart_they_are) {
    measured_.put("ecr3", 10, 0.1, false, false);
    measured_.put("im2col", 100, 0.1, true, true);
    EXPECT_FALSE(update());
}

TEST_F(MeasuredPrediction, says_that_there_were_too_few_samples_where_no_interval_counts) {
    measured_.put("ecr3", 700, 0.01, false, true);
    measured_.put("im2col", 100, 0.01, true, true);
    ASSERT_TRUE(update());
    EXPECT_TRUE(player_.given(*ask_)->undecided);
    EXPECT_EQ(player_.given(*ask_)->words.find("Too few samples in the time there is to tell on this machine: ecr3"),
              0U)
        << player_.given(*ask_)->words;
}

TEST_F(MeasuredPrediction, is_too_close_to_tell_when_a_complete_measurement_does_not_decide) {
    measured_.put("ecr3", 99.5, 0.01, true, true);
    measured_.put("im2col", 100, 0.01, true, false);
    EXPECT_FALSE(update()) << "im2col may still tell";
    measured_.put("im2col", 100, 0.01, true, true);
    ASSERT_TRUE(update());
    EXPECT_TRUE(player_.given(*ask_)->undecided);
    EXPECT_FALSE(player_.given(*ask_)->right);
    EXPECT_TRUE(player_.given(*ask_)->first_right) << "nobody was wrong";
    EXPECT_TRUE(progress_.missed.empty());
    EXPECT_EQ(player_.given(*ask_)->words.find("Too close to tell on this machine: ecr3 99.5 us"), 0U)
        << player_.given(*ask_)->words;
}

TEST_F(MeasuredPrediction, without_an_interval_is_too_close_to_tell) {
    measured_.put("ecr3", 90, 0.01, true, true);
    measured_.put_without_interval("im2col", 1e6);
    ASSERT_TRUE(update());
    EXPECT_TRUE(player_.given(*ask_)->undecided);
}

TEST_F(MeasuredPrediction, is_never_too_close_to_tell_where_no_sample_counts) {
    measured_.put("ecr3", 2770, 0.01, true, true);
    measured_.put_too_busy("im2col", false);
    EXPECT_FALSE(update());
    EXPECT_TRUE(player_.wants_measurement()) << "a quiet moment may come";
    EXPECT_EQ(player_.requested(*ask_).note, "im2col: Too busy: 5 of 5 samples waited for a core");
    measured_.put_too_busy("im2col", true);
    ASSERT_TRUE(update());
    EXPECT_TRUE(player_.given(*ask_)->undecided);
    EXPECT_TRUE(player_.given(*ask_)->first_right) << "nobody was wrong";
    EXPECT_EQ(player_.given(*ask_)->words, "im2col: Too busy: 5 of 5 samples waited for a core.");
}

TEST(MeasuredRatio, says_that_the_processor_is_too_busy_for_its_baseline) {
    const Method* const vendor = registry().vendor_best(DeviceKind::cpu);
    if (!vendor) GTEST_SKIP() << "built without oneDNN";
    Measurements measured;
    measured.put("ecr3", 90, 0.01, true, true);
    measured.put_too_busy(vendor->info().id, true);
    try {
        measured.facts().call("ratio", "ecr3", {});
        FAIL() << "there is a ratio";
    } catch (const NotKnown& missing) {
        EXPECT_EQ(missing.why, vendor->info().id + ": Too busy: 5 of 5 samples waited for a core");
        EXPECT_TRUE(missing.never_known);
        EXPECT_FALSE(missing.needs_measurement);
    }
}

TEST(MeasuredTask, is_done_when_the_intervals_say_so) {
    LessonProgress progress;
    Player player(lesson("```do\ntask = \"Make it twice as fast.\"\nuntil = '2 * time(\"ecr3\") < time(\"im2col\")'\n"
                         "solve = { sparsity = 0.9 }\n```\n"),
                  progress);
    player.take_shows();
    Measurements measured;
    measured.put("ecr3", 45, 0.2, true, true);
    measured.put("im2col", 100, 0.2, true, true);
    player.update(measured.facts(), true);
    EXPECT_TRUE(player.open_task());
    measured.put("ecr3", 45, 0.01, true, true);
    measured.put("im2col", 100, 0.01, true, true);
    player.update(measured.facts(), true);
    EXPECT_FALSE(player.open_task());
}

TEST(Decision, of_what_is_not_measured_is_the_states) {
    Measurements none;
    const auto answer = [](double value) { return [value](const FactSource&) { return Answer{value, {}, false}; }; };
    EXPECT_EQ(decide(answer(1), {}, none.facts()).kind, Decision::Kind::decided);
    EXPECT_TRUE(decide(answer(1), {}, none.facts()).right);
    EXPECT_FALSE(decide(answer(0), {}, none.facts()).right);
}

// Every corner of the box of the intervals is looked at: of 30 values there are 10^9.
TEST(ManyMeasurements, are_not_decided_at_once) {
    std::set<std::string> ids;
    for (const auto& method : registry().methods()) ids.insert(method->info().id);
    ASSERT_GT(ids.size(), 25U);
    std::string sum;
    Measurements measured;
    for (const std::string& id : ids) {
        sum += fmt::format("{}time(\"{}\")", sum.empty() ? "" : " + ", id);
        measured.put(id, 100, 0.01, true, false);
    }
    const Lesson many =
        lesson(fmt::format("```ask\nquestion = \"Which?\"\npredict = true\noptions = [[\"a\", '{0} > "
                           "0'], [\"b\", '{0} <= 0']]\n```\n",
                           sum));
    LessonProgress progress;
    Player player(many, progress);
    player.take_shows();
    const Ask* ask = player.open_question();
    ASSERT_TRUE(ask);
    player.requested(*ask).picked = 0;
    player.commit(*ask);
    player.update(measured.facts(), true);
    EXPECT_FALSE(player.given(*ask));
}

}  // namespace
}  // namespace convscope::lessons
