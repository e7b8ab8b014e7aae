#include "kernels/measure/sample_history.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

TEST(SampleHistory, counts_those_that_waited_over_all_rounds_and_keeps_none) {
    SampleHistory history;
    for (int round = 0; round < 3; ++round) {
        history.begin_round();
        history.add(1, 10);
        for (int waited = 1; waited <= 4; ++waited) {
            history.set_waited_in_round(waited);
            history.add(1, 10);  // the sample that was reported before is reported again
        }
    }
    EXPECT_EQ(history.counts().counted, 3);
    EXPECT_EQ(history.counts().waited, 12);
    EXPECT_EQ(history.kept(), (std::vector<double>{10, 10, 10}));
}

TEST(SampleHistory, keeps_all_until_it_is_full_and_then_covers_the_whole_time_evenly) {
    SampleHistory history;
    constexpr std::int64_t many = 100000;
    for (std::int64_t i = 0; i < many; ++i) {
        history.add(i + 1, static_cast<double>(i));
        if (i == 5000) {
            EXPECT_EQ(history.stride(), 1);
        }
    }
    EXPECT_EQ(history.count(), many);
    EXPECT_LT(history.kept().size(), SampleHistory::capacity);
    EXPECT_GE(history.kept().size(), SampleHistory::capacity / 2);
    for (std::size_t i = 0; i < history.kept().size(); ++i)
        ASSERT_EQ(history.kept()[i], static_cast<double>(i) * static_cast<double>(history.stride()));
    EXPECT_GT(history.kept().back(), many - 1 - static_cast<double>(history.stride()));
}

TEST(SampleHistory, goes_on_with_each_round_and_drops_what_the_round_discarded) {
    SampleHistory history;
    for (int i = 1; i <= 3; ++i) history.add(i, i);
    history.begin_round();
    for (int i = 1; i <= 3; ++i) history.add(i, 10 * i);
    // Two of the round's have been discarded: the next one is its second.
    history.add(2, 50);
    EXPECT_EQ(history.kept(), (std::vector<double>{1, 2, 3, 10, 50}));
    history.keep_in_round(0);
    EXPECT_EQ(history.kept(), (std::vector<double>{1, 2, 3})) << "the rounds before stay";
    EXPECT_EQ(history.count(), 3);
}

}  // namespace
}  // namespace convscope
