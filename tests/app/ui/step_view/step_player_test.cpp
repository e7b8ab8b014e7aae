#include "app/ui/step_view/step_player.h"

#include <gtest/gtest.h>

#include "tests/visualizers/step/traced.h"

namespace convscope::app {
namespace {

/// pecr2 has barriers; ecr1, on the same workload, has none.
class Player : public ::testing::Test {
protected:
    void ask(StepMove move) {
        player_.take(move, choice_, playing_, tracks_);
        pass(0);
    }
    void pass(double seconds) { player_.advance(choice_, playing_, tracks_, seconds, choice_.speed); }
    std::size_t at(std::size_t side = 0) const { return choice_.sides[side].done; }

    TracedBlock first_ = convscope::testing::traced("examples/xu-fig7", "pecr2");
    TracedBlock second_ = convscope::testing::traced("examples/xu-fig7", "pecr1");
    std::array<StepTrack, 2> tracks_{StepTrack{&first_.replay()}, StepTrack{}};
    StepChoice choice_;
    bool playing_ = false;
    StepPlayer player_;
};

TEST_F(Player, takes_a_step_and_takes_it_back_and_stays_within_the_ends) {
    EXPECT_EQ(at(), 1U);
    ask(StepMove::forward);
    EXPECT_EQ(at(), 2U);
    ask(StepMove::back);
    ask(StepMove::back);
    ask(StepMove::back);
    EXPECT_EQ(at(), 0U);
    ask(StepMove::last);
    EXPECT_EQ(at(), first_.size());
    ask(StepMove::forward);
    EXPECT_EQ(at(), first_.size());
    ask(StepMove::first);
    EXPECT_EQ(at(), 0U);
}

TEST_F(Player, goes_from_barrier_to_barrier_and_back) {
    std::vector<std::size_t> stops;
    for (choice_.sides[0].done = 0; at() < first_.size();) {
        ask(StepMove::next_barrier);
        stops.push_back(at());
    }
    EXPECT_EQ(stops.size(), 4U);  // three barriers and the end
    for (std::size_t i = stops.size() - 1; i-- > 0;) {
        ask(StepMove::previous_barrier);
        EXPECT_EQ(at(), stops[i]);
    }
    ask(StepMove::previous_barrier);
    EXPECT_EQ(at(), 0U);
}

TEST_F(Player, plays_at_its_speed_stops_at_the_end_and_begins_again) {
    choice_.speed = 10;
    ask(StepMove::play_or_pause);
    pass(0.55);
    EXPECT_EQ(at(), 6U);
    pass(0.06);  // a tenth of a second is not lost between frames
    EXPECT_EQ(at(), 7U);
    ask(StepMove::play_or_pause);
    pass(5);
    EXPECT_EQ(at(), 7U);
    ask(StepMove::play_or_pause);
    pass(1000);
    EXPECT_EQ(at(), first_.size());
    EXPECT_FALSE(playing_);
    ask(StepMove::play_or_pause);
    EXPECT_EQ(at(), 0U);
    EXPECT_TRUE(playing_);
    ask(StepMove::forward);  // a step by hand ends playing
    EXPECT_FALSE(playing_);
}

TEST_F(Player, moves_two_replays_together_each_to_its_own_barriers_and_end) {
    tracks_[1].replay = &second_.replay();
    ask(StepMove::forward);
    EXPECT_EQ(at(0), 2U);
    EXPECT_EQ(at(1), 2U);
    ask(StepMove::next_barrier);
    EXPECT_EQ(at(0), first_.replay().next_barrier(2));
    EXPECT_EQ(at(1), second_.size());
    scrub_to(choice_, tracks_, 5);
    EXPECT_EQ(at(0), 5U);
    EXPECT_EQ(at(1), 5U);
    choice_.sides[1].done = 1'000'000;  // of a longer trace that is being made
    pass(0);
    EXPECT_EQ(at(1), 1'000'000U);
    ask(StepMove::back);
    EXPECT_EQ(at(1), second_.size() - 1);
}

TEST_F(Player, play_stops_at_a_breakpoint_and_goes_on_behind_it) {
    const std::vector<std::size_t> stops{4, 5, 30};
    tracks_[0].stops = stops;
    choice_.speed = 10;
    ask(StepMove::play_or_pause);
    pass(0.2);
    EXPECT_EQ(at(), 3U);
    EXPECT_TRUE(playing_);
    pass(100);
    EXPECT_EQ(at(), 4U);
    EXPECT_FALSE(playing_);
    for (const std::size_t stop : {5U, 30U}) {
        ask(StepMove::play_or_pause);
        pass(100);
        EXPECT_EQ(at(), stop);
        EXPECT_FALSE(playing_);
    }
    ask(StepMove::play_or_pause);
    pass(1000);
    EXPECT_EQ(at(), first_.size());
}

TEST_F(Player, two_sides_stop_together_at_the_breakpoint_of_either) {
    const std::vector<std::size_t> stops{7};
    tracks_[1] = {&second_.replay(), stops};
    choice_.speed = 10;
    ask(StepMove::play_or_pause);
    pass(100);
    EXPECT_EQ(at(0), 7U);
    EXPECT_EQ(at(1), 7U);
    EXPECT_FALSE(playing_);
}

TEST_F(Player, goes_from_breakpoint_to_breakpoint_at_once) {
    const std::vector<std::size_t> stops{4, 30};
    tracks_[0].stops = stops;
    ask(StepMove::next_breakpoint);
    EXPECT_EQ(at(), 4U);
    ask(StepMove::next_breakpoint);
    EXPECT_EQ(at(), 30U);
    ask(StepMove::next_breakpoint);
    EXPECT_EQ(at(), 30U) << "behind the last there is none";
    ask(StepMove::previous_breakpoint);
    EXPECT_EQ(at(), 4U);
    ask(StepMove::previous_breakpoint);
    EXPECT_EQ(at(), 4U);
}

TEST_F(Player, without_a_trace_does_nothing) {
    tracks_[0] = {};
    ask(StepMove::forward);
    ask(StepMove::play_or_pause);
    pass(1);
    EXPECT_EQ(at(), 1U);
}

}  // namespace
}  // namespace convscope::app
