#include "kernels/measure/live_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace convscope {
namespace {

constexpr double requested_pct = 1;

/// A round of samples that a measurement reports, with its row.
void round(LiveSeries& series, const std::vector<double>& times_us, Status status = Status::passed,
           std::int64_t waited = 0) {
    series.history.begin_round();
    Progress progress;
    progress.phase = "sampling";
    for (const double time_us : times_us) {
        ++progress.samples;
        progress.last_us = time_us;
        note_sample(series, progress, requested_pct);
    }
    for (std::int64_t i = 0; i < waited; ++i) {
        ++progress.waited;
        note_sample(series, progress, requested_pct);
    }
    Record record;
    record.method = series.method;
    record.status = status;
    record.status_reason = "timeout 0.3 s; the data holds 1 NaN and 0 infinite values";
    if (status != Status::cancelled) record.samples = static_cast<std::int64_t>(times_us.size());
    const SampleCounts counts{progress.samples, waited};
    if (status == Status::passed) {
        record.vendor_method = "vendor";
        record.status_reason.insert(record.status_reason.find(';'), counts.left_out());
        if (counts.too_busy()) set_too_busy(record, counts);
    }
    record.sm_clock_mhz = 1500;
    note_record(series, record, requested_pct);
}

std::vector<double> about(double us, int count = 40) {
    std::vector<double> times;
    for (int i = 0; i < count; ++i) times.push_back(us * (1 + 0.02 * std::sin(2.4 * i)));
    return times;
}

TEST(LiveSeries, the_row_is_of_all_rounds) {
    LiveSeries series;
    round(series, {10, 10, 11});
    EXPECT_EQ(series.latest->samples, 3);
    EXPECT_EQ(series.latest->time_median_us, 10);
    round(series, {12, 12, 12, 12});
    EXPECT_EQ(series.latest->samples, 7);
    EXPECT_EQ(series.latest->time_median_us, 12);
    EXPECT_EQ(series.latest->time_min_us, 10);
    EXPECT_EQ(series.latest->status_reason, "live timing, 7 samples; the data holds 1 NaN and 0 infinite values");
}

TEST(LiveSeries, settles_as_rounds_come_in_and_not_before) {
    LiveSeries series;
    round(series, about(100, 15));
    EXPECT_FALSE(series.settled);
    const double first = *series.latest->noise_pct;
    for (int i = 0; i < 20; ++i) round(series, about(100));
    EXPECT_TRUE(series.settled);
    EXPECT_LT(*series.latest->noise_pct, first / 2);
}

// Each look costs as much as all samples before it.
TEST(LiveSeries, is_looked_at_less_and_less_often) {
    LiveSeries series;
    std::vector<int> looks, expected;
    Progress progress;
    progress.phase = "sampling";
    for (int i = 1; i <= 200; ++i) {
        progress.samples = i;
        progress.last_us = 10;
        if (note_sample(series, progress, requested_pct)) looks.push_back(i);
    }
    for (int i = 1; i <= 200; i += 1 + i / 16) expected.push_back(i);
    EXPECT_EQ(looks, expected);
}

TEST(LiveSeries, one_that_drifts_is_not_settled) {
    LiveSeries series;
    for (int i = 0; i < 10; ++i) round(series, about(100));
    ASSERT_TRUE(series.settled);
    for (int i = 0; i < 4; ++i) round(series, about(110));
    EXPECT_FALSE(series.settled);
    ASSERT_TRUE(series.timing.drift);
    EXPECT_NE(series.latest->status_reason.find("drifts: 100"), std::string::npos) << series.latest->status_reason;
}

TEST(LiveSeries, a_round_that_was_cut_short_takes_nothing_back) {
    LiveSeries series;
    for (int i = 0; i < 10; ++i) round(series, about(100));
    const Record before = *series.latest;
    round(series, {150, 160}, Status::cancelled);
    EXPECT_EQ(series.latest->status, Status::passed);
    EXPECT_EQ(series.latest->samples, before.samples + 2);
    EXPECT_NEAR(*series.latest->time_median_us, *before.time_median_us, 0.2);
    EXPECT_LT(*series.latest->noise_pct, 1.1 * *before.noise_pct);
}

TEST(LiveSeries, rounds_too_short_for_a_median_add_up_to_one) {
    LiveSeries series;
    round(series, {100}, Status::timeout);
    EXPECT_EQ(series.latest->status, Status::timeout);
    round(series, {101}, Status::timeout);
    round(series, {102}, Status::timeout);
    EXPECT_EQ(series.latest->status, Status::passed);
    EXPECT_EQ(series.latest->time_median_us, 101);
}

TEST(LiveSeries, without_samples_that_count_has_no_time_and_says_why) {
    LiveSeries series;
    round(series, {}, Status::passed, 5);
    EXPECT_EQ(series.latest->status, Status::timeout);
    EXPECT_EQ(series.latest->status_reason, "Too busy: 5 of 5 samples waited for a core");
    EXPECT_FALSE(series.latest->time_median_us);
    EXPECT_EQ(series.timing.samples, 0U);
    round(series, {10, 10}, Status::passed, 7);
    EXPECT_EQ(series.latest->status_reason, "Too busy: 12 of 14 samples waited for a core") << "of all rounds";
    EXPECT_EQ(series.latest->samples, 2);
    EXPECT_EQ(series.timing.samples, 0U) << "the plot has no line either";
    round(series, {}, Status::cancelled, 1);
    EXPECT_EQ(series.latest->status_reason, "Too busy: 13 of 15 samples waited for a core") << "Stop changes nothing";
    EXPECT_FALSE(series.latest->time_median_us);
    round(series, {10, 10, 10, 10});
    EXPECT_EQ(series.latest->status, Status::passed) << "six count by now";
    EXPECT_EQ(series.latest->time_median_us, 10);
    EXPECT_EQ(series.latest->status_reason,
              "live timing, 6 samples (13 of 19 samples waited for a core, left out); the data holds 1 NaN and 0 "
              "infinite values");
}

TEST(LiveSeries, that_was_settled_stays_when_the_processor_becomes_busy) {
    LiveSeries series;
    for (int i = 0; i < 10; ++i) round(series, about(100));
    ASSERT_TRUE(series.settled);
    const std::optional<double> median = series.latest->time_median_us;
    for (int i = 0; i < 10; ++i) round(series, {}, Status::passed, 1000);
    EXPECT_TRUE(series.settled);
    EXPECT_EQ(series.latest->time_median_us, median);
    EXPECT_EQ(series.timing.median_us, median);
}

TEST(LiveSeries, has_no_ratio_to_a_baseline_without_a_time) {
    std::vector<LiveSeries> all(2);
    all[0].method = "ours";
    all[1].method = "vendor";
    round(all[0], about(100));
    round(all[1], about(200));
    set_ratios(all);
    EXPECT_TRUE(all[0].latest->speedup_vs_vendor);
    LiveSeries busy;
    busy.method = "vendor";
    round(busy, {}, Status::passed, 5);
    std::swap(all[1], busy);
    set_ratios(all);
    EXPECT_FALSE(all[0].latest->speedup_vs_vendor || all[0].latest->speedup_interval);
    EXPECT_TRUE(all[0].latest->time_median_us);
}

TEST(LiveSeries, keeps_its_baseline_through_a_round_without_a_time) {
    std::vector<LiveSeries> all(2);
    all[0].method = "ours";
    all[1].method = "vendor";
    for (LiveSeries& series : all) {
        for (int i = 0; i < 5; ++i) round(series, about(100));
        for (int i = 0; i < 3; ++i) round(series, {}, Status::timeout, 50);
        for (int i = 0; i < 5; ++i) round(series, about(100));
        round(series, {}, Status::timeout, 5);
    }
    set_ratios(all);
    EXPECT_EQ(all[0].latest->speedup_vs_vendor, 1);
}

TEST(LiveSeries, a_failure_ends_what_was_measured) {
    LiveSeries series;
    for (int i = 0; i < 5; ++i) round(series, about(100));
    Record failed;
    failed.status = Status::runtime_error;
    note_record(series, failed, requested_pct);
    EXPECT_EQ(series.latest->status, Status::runtime_error);
    EXPECT_FALSE(series.latest->time_median_us);
    EXPECT_EQ(series.timing.samples, 0U);
    EXPECT_EQ(series.history.count(), 0);
    EXPECT_FALSE(series.settled);
}

TEST(LiveSeries, ratios_are_of_the_whole_histories) {
    std::vector<LiveSeries> all(2);
    all[0].method = "ours";
    all[1].method = "vendor";
    for (int i = 0; i < 10; ++i) {
        round(all[0], about(100));
        round(all[1], about(200));
    }
    round(all[1], about(400, 10));
    set_ratios(all);
    EXPECT_NEAR(*all[0].latest->speedup_vs_vendor, 2, 0.05);
    ASSERT_TRUE(all[0].latest->speedup_interval);
    EXPECT_LT(all[0].latest->speedup_interval->first, 2);
    EXPECT_GT(all[0].latest->speedup_interval->second, 2);
    EXPECT_EQ(all[1].latest->speedup_vs_vendor, 1);
    EXPECT_FALSE(all[1].latest->speedup_interval);
}

TEST(LiveSeries, a_ratio_needs_two_times) {
    std::vector<LiveSeries> all(2);
    all[0].method = "ours";
    all[1].method = "vendor";
    round(all[0], {0.5, 0.5, 0.5});
    round(all[1], {0.25, 0.25, 0.25});
    set_ratios(all);
    EXPECT_EQ(all[0].latest->speedup_vs_vendor, 0.5);
    all[0].latest->speedup_vs_vendor.reset();
    all[1].timing.median_us = 0;  // below the clock's step
    set_ratios(all);
    EXPECT_FALSE(all[0].latest->speedup_vs_vendor);
}

TEST(LiveSeries, what_is_not_sampled_changes_nothing_and_a_round_that_begins_again_loses_its_samples) {
    LiveSeries series;
    round(series, {10, 10, 10});
    Progress progress;
    progress.phase = "verifying";
    progress.samples = 1;
    progress.last_us = 99;
    EXPECT_FALSE(note_sample(series, progress, requested_pct));
    EXPECT_EQ(series.history.count(), 3);
    progress.phase = "sampling";
    progress.samples = 0;  // those of the round were discarded
    EXPECT_FALSE(note_sample(series, progress, requested_pct));
    EXPECT_EQ(series.history.count(), 0);
}

TEST(LiveSeries, says_how_many_of_its_samples_are_kept_and_no_notes_where_there_are_none) {
    LiveSeries series;
    round(series, std::vector<double>(SampleHistory::capacity, 10));
    Record record;
    record.status_reason = "timeout 0.3 s";
    record.samples = static_cast<std::int64_t>(SampleHistory::capacity);
    note_record(series, record, requested_pct);
    EXPECT_EQ(series.latest->status_reason, "live timing, 8192 samples, 1 in 2 kept");
}

TEST(LiveSeries, one_that_was_throttled_in_a_round_was_throttled) {
    LiveSeries series;
    Record record;
    record.throttled = true;
    note_record(series, record, requested_pct);
    record.throttled = false;
    note_record(series, record, requested_pct);
    EXPECT_EQ(series.latest->throttled, true);
}

TEST(LiveSeries, a_row_without_samples_stays_as_it_is) {
    LiveSeries cut, late;
    round(cut, {}, Status::cancelled);
    ASSERT_TRUE(cut.latest);
    EXPECT_EQ(cut.latest->status, Status::cancelled);
    round(late, {}, Status::timeout);
    EXPECT_EQ(late.latest->status, Status::timeout);
    EXPECT_FALSE(late.latest->time_median_us);
}

TEST(LiveSeries, a_failed_row_takes_no_time_from_the_samples_after_it) {
    LiveSeries series;
    Record failed;
    failed.status = Status::incorrect;
    note_record(series, failed, requested_pct);
    Progress progress;
    progress.phase = "sampling";
    for (progress.samples = 1; progress.samples < 9; ++progress.samples) note_sample(series, progress, requested_pct);
    EXPECT_EQ(series.latest->status, Status::incorrect);
    EXPECT_FALSE(series.latest->time_median_us);
}

TEST(LiveSeries, a_ratio_needs_a_baseline_that_is_there) {
    std::vector<LiveSeries> all(4);
    const std::vector<double> times{4, 4, 4};
    all[1].method = "ours";
    round(all[1], times);
    all[2].method = "alone";
    round(all[2], times);
    all[2].latest->vendor_method.clear();
    all[3].method = "late";
    round(all[3], {4}, Status::timeout);
    set_ratios(all);  // the first has no row
    for (const LiveSeries& series : all)
        EXPECT_FALSE(series.latest && series.latest->speedup_vs_vendor) << series.method;
    all[0].method = "vendor";
    round(all[0], {2, 2, 2});
    all[1].timing.median_us = 0;  // below the clock's step
    set_ratios(all);
    EXPECT_FALSE(all[1].latest->speedup_vs_vendor);
    EXPECT_EQ(all[0].latest->speedup_vs_vendor, 1);
}

}  // namespace
}  // namespace convscope
