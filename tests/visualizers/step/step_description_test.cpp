#include "visualizers/step/step_description.h"

#include <gtest/gtest.h>

#include "tests/visualizers/step/traced.h"

namespace convscope {
namespace {

/// Number of the first step at which the thread does this, after which the sentence begins so; 0 where there is none.
std::size_t step_with(TracedBlock& block, unsigned thread, const std::string& begin) {
    for (std::size_t done = 1; done <= block.size(); ++done)
        if (words_of_moment(block, done, thread).starts_with(begin)) return done;
    return 0;
}

TEST(MomentWords, tell_xu_figure_4_to_the_digit) {
    TracedBlock block = testing::traced("examples/xu-fig4", "ecr1");
    // T2's window holds 15 and 8 in its first row, 23 in its second: F_data 15 8 23 8, Ptr 4, y 38.
    EXPECT_NE(step_with(block, 1, "T2 reads x[0,2] = 15 from global memory"), 0U);
    EXPECT_NE(step_with(block, 1, "T2 writes 23 to F_data[11] in shared memory"), 0U);
    EXPECT_NE(step_with(block, 1, "T2 writes 4 to Ptr[1] in shared memory"), 0U);
    EXPECT_NE(step_with(block, 1, "T2 multiplies 23 by 1 and adds it to 15: 38"), 0U);
    const std::size_t stored = step_with(block, 1, "T2 writes 38 to y[0,1] in global memory");
    ASSERT_NE(stored, 0U);
    EXPECT_EQ(words_of_moment(block, stored, 1),
              "T2 writes 38 to y[0,1] in global memory, T1 and T3 with it: sector 0 of line 0.");
    EXPECT_EQ(block.state(stored).threads[1].multiplications, 4);
    EXPECT_NE(words_of_moment(block, 0, 1).find("Before the first step"), std::string::npos);
}

TEST(MomentWords, name_threads_briefly) {
    EXPECT_EQ(thread_names({0}), "T1");
    EXPECT_EQ(thread_names({0, 2}), "T1 and T3");
    EXPECT_EQ(thread_names({0, 1, 2, 3}), "T1 to T4");
    EXPECT_EQ(thread_names({0, 1, 4, 8}), "4 threads from T1 to T9");
    EXPECT_EQ(block_name({1, 0, 0}, {3, 1, 1}), "B2");
    EXPECT_EQ(block_name({1, 0, 2}, {3, 1, 4}), "B(1,0,2)");
}

TEST(MomentWords, say_why_a_lane_is_idle) {
    TracedBlock block = testing::traced("examples/xu-fig7", "pecr2");
    std::size_t active = 0;
    for (std::size_t done = 1; done <= block.size(); ++done) {
        EXPECT_EQ(lane_state(block, done, 16), LaneState::absent);
        active += lane_state(block, done, 1) == LaneState::active;
    }
    EXPECT_GT(active, 10U);
    EXPECT_EQ(lane_state(block, block.size(), 1), LaneState::finished);
}

TEST(MomentWords, end_a_race_with_both_sides) {
    TracedBlock block = testing::traced("examples/xu-fig7", "pecr0");
    ASSERT_TRUE(block.finding());
    EXPECT_TRUE(block.stopped_at(block.size()));
    // Who wrote last before the check stopped the block does nothing in this step.
    for (unsigned thread = 0; thread < 32; ++thread)
        EXPECT_NE(lane_state(block, block.size(), thread), LaneState::active);
    EXPECT_EQ(thread_of(block, block.finding()->found()), 1U);
    EXPECT_EQ(words_of_moment(block, block.size(), 0),
              "The check ends the run here: T2 writes Data[0] in line 43, T1 writes Data[0] in line 43, and no barrier "
              "comes between.");
}

}  // namespace
}  // namespace convscope
