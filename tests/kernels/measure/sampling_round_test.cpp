// Which samples of a round count, and when there are enough, without a clock.
#include "kernels/measure/sampling_round.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace convscope {
namespace {

class Sampling : public ::testing::Test {
protected:
    Sampling() {
        options_.min_samples = 8;
        options_.max_samples = 40;
        options_.min_time_s = 0;
        options_.timeout_s = 10;
        options_.max_noise_pct = 1;
    }
    void add(int count, double time_us, bool lengthened = false, double spent_s = 0.001) {
        for (int i = 0; i < count; ++i) round_.add(time_us, spent_s, lengthened);
    }
    /// Samples that never settle.
    void add_unsteady(int count) {
        for (int i = 0; i < count; ++i) round_.add(i % 2 == 0 ? 10 : 20, 0.001, false);
    }
    Record finished(bool stopped = false) const {
        Record record;
        round_.finish(record, stopped, "");
        return record;
    }

    MeasureOptions options_;
    SamplingRound round_{options_};
};

TEST_F(Sampling, is_enough_with_the_fewest_that_settle) {
    add(7, 10);
    EXPECT_FALSE(round_.satisfied());
    add(1, 10);
    EXPECT_TRUE(round_.satisfied());
    EXPECT_FALSE(round_.over());
    EXPECT_EQ(round_.fraction(), 1);
    EXPECT_EQ(finished().status_reason, "noise 0 % reached");
}

TEST_F(Sampling, without_a_sample_has_no_time) {
    for (const bool stopped : {true, false}) {
        const Record record = finished(stopped);
        EXPECT_EQ(record.status, stopped ? Status::cancelled : Status::timeout);
        EXPECT_FALSE(record.time_median_us);
    }
    add(2, 1000, true, 0);
    EXPECT_EQ(finished(true).status, Status::cancelled) << "who stops it so early has not waited for a quiet moment";
}

TEST_F(Sampling, looks_again_a_quarter_later) {
    add_unsteady(8);
    Progress progress;
    round_.describe(progress);
    const double at_first = progress.noise_pct;
    EXPECT_DOUBLE_EQ(at_first, *summarize({{10, 20, 10, 20, 10, 20, 10, 20}}).noise_pct());
    add(1, 10);
    round_.describe(progress);
    EXPECT_EQ(progress.noise_pct, at_first) << "8 and a quarter are 10";
    add(1, 10);
    round_.describe(progress);
    EXPECT_DOUBLE_EQ(progress.noise_pct, 50);
    EXPECT_EQ(progress.samples, 10);
    EXPECT_EQ(progress.last_us, 10);
    EXPECT_EQ(progress.median_us, 10);
    EXPECT_EQ(progress.q1_us, 10);
    EXPECT_EQ(progress.q3_us, 20);
}

TEST_F(Sampling, ends_at_the_most_and_says_how_far_it_is) {
    add_unsteady(20);
    EXPECT_DOUBLE_EQ(round_.fraction(), 0.5);
    add_unsteady(19);
    EXPECT_FALSE(round_.over());
    EXPECT_DOUBLE_EQ(round_.fraction(), 39 / 40.0);
    add_unsteady(1);
    EXPECT_TRUE(round_.over());
    EXPECT_EQ(finished().status_reason, "max samples");
}

TEST_F(Sampling, ends_with_its_time) {
    round_.add(10, 4, false);
    EXPECT_DOUBLE_EQ(round_.fraction(), 0.4);
    round_.add(20, 5.95, false);
    EXPECT_DOUBLE_EQ(round_.fraction(), 0.99) << "one that goes on is not complete";
    round_.add(20, 0.05, false);
    EXPECT_TRUE(round_.over());
    EXPECT_EQ(finished().status, Status::passed);
    EXPECT_EQ(finished().status_reason, "timeout 10 s");
}

TEST_F(Sampling, samples_in_which_threads_had_to_wait_are_left_out) {
    options_.max_samples = 100;
    add(54, 1000, true);
    add(6, 10);
    const Record record = finished(true);
    EXPECT_EQ(record.time_median_us, 10) << "up to nine for each that counts";
    EXPECT_EQ(record.status_reason, "stopped (54 of 60 samples waited for a core, left out)");
    add(1, 1000, true);
    EXPECT_EQ(finished(true).status, Status::timeout);
    EXPECT_EQ(finished(true).status_reason, "Too busy: 55 of 61 samples waited for a core");
    EXPECT_FALSE(finished(true).time_median_us);
    EXPECT_EQ(finished(true).samples, 6) << "that count";
}

TEST_F(Sampling, without_an_interval_is_no_time_where_others_had_to_wait) {
    add(5, 10);
    EXPECT_EQ(finished(true).status, Status::passed) << "a slow method, on a machine of its own";
    add(1, 1000, true);
    EXPECT_EQ(finished(true).status_reason, "Too busy: 1 of 6 samples waited for a core");
    EXPECT_FALSE(finished(true).time_median_us);
    add(1, 10);
    EXPECT_EQ(finished(true).time_median_us, 10) << "six have an interval";
    EXPECT_TRUE(finished(true).noise_pct);
}

TEST_F(Sampling, that_has_twenty_that_count_has_enough) {
    options_.max_samples = 100;
    add_unsteady(20);
    add(1000, 1000, true, 0);
    EXPECT_EQ(finished().status, Status::passed);
    EXPECT_EQ(finished().time_median_us, 15);
}

TEST_F(Sampling, goes_on_while_one_in_ten_counts) {
    add(1, 10);
    add(9, 1000, true, 0.5);
    EXPECT_FALSE(round_.over());
    add(1, 1000, true, 0.5);
    EXPECT_TRUE(round_.over());
}

TEST_F(Sampling, gives_up_waiting_for_a_quiet_moment_after_a_fifth_of_the_time) {
    add(2, 1000, true, 1);
    EXPECT_FALSE(round_.over()) << "two samples have no median";
    round_.add(1000, 0, true);
    EXPECT_TRUE(round_.over());
    EXPECT_EQ(finished().status_reason, "Too busy: 3 of 3 samples waited for a core");
}

TEST_F(Sampling, gives_up_waiting_for_a_quiet_moment_after_the_most_samples) {
    add(39, 1000, true, 0);
    EXPECT_FALSE(round_.over());
    add(1, 1000, true, 0);
    EXPECT_TRUE(round_.over());
    EXPECT_EQ(finished().status_reason, "Too busy: 40 of 40 samples waited for a core");
}

TEST_F(Sampling, says_what_makes_the_interval_doubtful_where_there_is_one) {
    options_.max_samples = 100;
    add(50, 10);
    add(50, 20);
    EXPECT_EQ(finished().status_reason,
              "noise 0 % reached, 33 % with the samples after that; the time drifts: 10 us, then 20 us");
}

// Sampling goes on while another candidate needs samples.
TEST_F(Sampling, states_the_noise_that_the_row_has_in_the_end) {
    options_.max_samples = 1000;
    add(8, 10);
    ASSERT_EQ(finished().status_reason, "noise 0 % reached");
    for (int i = 0; i < 24; ++i) round_.add(10 + 0.01 * (i % 2), 0, false);
    EXPECT_EQ(finished().status_reason, fmt::format("noise {:.2g} % reached", *finished().noise_pct));
    EXPECT_GT(*finished().noise_pct, 0);
    add_unsteady(100);
    EXPECT_EQ(finished().status_reason,
              fmt::format("noise 0 % reached, {:.2g} % with the samples after that", *finished().noise_pct));
    EXPECT_GT(*finished().noise_pct, 1);
    add(2000, 1000, true, 0);
    EXPECT_EQ(finished().status_reason,
              fmt::format("noise 0 % reached, {:.2g} % with the samples after that (2000 of 2132 samples waited for a "
                          "core, left out)",
                          *finished().noise_pct));
}

TEST_F(Sampling, discarded_samples_are_taken_again) {
    add_unsteady(10);
    round_.discard_from(10, "nothing");
    EXPECT_EQ(finished(true).status_reason, "stopped") << "none was discarded";
    Progress progress;
    round_.describe(progress);
    EXPECT_GT(progress.noise_pct, 0) << "what was seen stays";
    round_.discard_from(4, "a pause");
    EXPECT_EQ(round_.taken(), 4U);
    EXPECT_EQ(finished(true).status_reason, "stopped; 6 samples discarded: a pause");
    round_.describe(progress);
    EXPECT_EQ(progress.noise_pct, 0) << "what is left has not been looked at";
    EXPECT_EQ(progress.median_us, 15);
    add(4, 15);
    round_.describe(progress);
    EXPECT_GT(progress.noise_pct, 0) << "at the fewest again";
}

TEST_F(Sampling, discarding_takes_an_end_back_where_there_is_time) {
    add(8, 10);
    round_.discard_from(2, "a pause");
    EXPECT_FALSE(round_.satisfied());
    round_.add(10, 20, false);
    round_.discard_from(2, "a pause");
    EXPECT_TRUE(round_.over()) << "the time is spent";
    EXPECT_EQ(finished().status_reason, "timeout 10 s after 2 of at least 3 samples");
}

TEST_F(Sampling, too_few_for_a_median_are_a_timeout_or_a_stop) {
    add(2, 10);
    EXPECT_EQ(finished(true).status, Status::cancelled);
    EXPECT_FALSE(finished(true).time_median_us);
    EXPECT_EQ(finished(true).status_reason, "stopped after 2 of at least 3 samples");
    round_.add(30, 20, false);
    EXPECT_EQ(finished().status, Status::passed);
    SamplingRound slow(options_);
    slow.add(10, 20, false);
    Record record;
    slow.finish(record, false, "a note");
    EXPECT_EQ(record.status, Status::timeout);
    EXPECT_EQ(record.status_reason, "timeout 10 s after 1 of at least 3 samples");
    EXPECT_EQ(record.time_median_us, 10);
}

}  // namespace
}  // namespace convscope
