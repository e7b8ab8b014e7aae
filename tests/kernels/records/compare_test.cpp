#include "kernels/records/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace convscope {
namespace {

Record timed(const std::string& method, double median_us, std::optional<double> noise_pct = 0.5) {
    Record r;
    r.device = "cuda:0";
    r.device_name = "NVIDIA H100";
    r.method = method;
    r.timing_scope = "kernel";
    r.samples = 20;
    r.time_median_us = median_us;
    r.noise_pct = noise_pct;
    return r;
}

Record failed(const std::string& method) {
    Record r = timed(method, 0);
    r.time_median_us.reset();
    r.status = Status::runtime_error;
    return r;
}

Record sampled(const std::string& method, double mean_us, double deviation, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> draw(mean_us, deviation);
    Record r = timed(method, mean_us);
    for (std::size_t i = 0; i < count; ++i) r.samples_us.push_back(draw(random));
    std::vector<double> sorted = r.samples_us;
    std::sort(sorted.begin(), sorted.end());
    r.time_median_us = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    r.samples = static_cast<std::int64_t>(count);
    return r;
}

Comparison compare(std::vector<Record> base, std::vector<Record> other, double tied_pct = 1) {
    return compare_records({"a.csv", std::move(base), {}, {}}, {"a.csv", std::move(other), {}, {}}, tied_pct);
}

TEST(Compare, says_what_is_better) {
    const Comparison found = compare(
        {timed("a", 10), timed("b", 10), timed("c", 10), timed("d", 10), failed("e"), failed("f"), timed("g", 1)},
        {timed("a", 8), timed("b", 12), timed("c", 10.05), failed("d"), timed("e", 3), failed("f"), timed("h", 1)});
    std::vector<std::string> verdicts;
    for (const ComparedRow& row : found.rows) verdicts.emplace_back(to_string(row.verdict));
    EXPECT_EQ(verdicts, (std::vector<std::string>{"improved", "worse", "tied", "lost", "gained", "untimed"}));
    EXPECT_DOUBLE_EQ(found.rows[0].speedup->ratio, 1.25);
    ASSERT_EQ(found.only_in_base.size(), 1U);
    EXPECT_EQ(found.only_in_base[0].method, "g");
    ASSERT_EQ(found.only_in_other.size(), 1U);
    EXPECT_EQ(found.only_in_other[0].method, "h");
}

TEST(Compare, what_is_certain_and_small_is_tied) {
    EXPECT_EQ(compare({timed("a", 10, 0.01)}, {timed("a", 9.95, 0.01)}).rows[0].verdict, Verdict::tied);
    EXPECT_EQ(compare({timed("a", 10, 0.01)}, {timed("a", 9.95, 0.01)}, 0).rows[0].verdict, Verdict::improved);
    EXPECT_EQ(compare({timed("a", 10, 30)}, {timed("a", 8, 30)}).rows[0].verdict, Verdict::tied) << "noise";
    EXPECT_EQ(compare({timed("a", 10, {})}, {timed("a", 8, {})}).rows[0].verdict, Verdict::tied) << "no interval";
}

TEST(Compare, the_interval_comes_from_noise_or_quartiles) {
    const auto noise = estimate_speedup(timed("a", 10, 3), timed("a", 5, 4));
    EXPECT_EQ(noise->from, "noise");
    EXPECT_NEAR(noise->interval->second / 2, std::exp(0.05), 1e-6) << "3 % and 4 % make 5 %";
    EXPECT_NEAR(noise->interval->first * noise->interval->second, 4, 1e-9);
    Record few = timed("a", 10, {});
    few.samples = 4;
    few.time_q1_us = 9.9;
    few.time_q3_us = 10.1;
    const auto quartiles = estimate_speedup(few, timed("a", 5, 0));
    EXPECT_EQ(quartiles->from, "quartiles");
    EXPECT_NEAR(std::log(quartiles->interval->second / 2), 1.96 * 1.2533 * 0.2 / 1.349 / 2 / 10, 1e-5);
    few.samples = 2;
    EXPECT_FALSE(estimate_speedup(few, timed("a", 5))->interval);
    EXPECT_FALSE(estimate_speedup(few, failed("a")));
}

// The bootstrap's interval must hold the true ratio about as often as it says, for odd and for even counts.
TEST(Compare, the_bootstrap_covers_the_truth) {
    for (const std::size_t count : {20U, 41U}) {
        int covered = 0;
        constexpr int trials = 400;
        for (unsigned i = 0; i < trials; ++i) {
            const auto found =
                estimate_speedup(sampled("a", 12, 0.4, count, 2 * i), sampled("a", 10, 0.2, count, 2 * i + 1));
            ASSERT_EQ(found->from, "samples");
            covered += found->interval->first <= 1.2 && 1.2 <= found->interval->second ? 1 : 0;
        }
        EXPECT_GT(covered, trials * 90 / 100) << count << " samples";
        EXPECT_LT(covered, trials * 995 / 1000) << count << " samples";
    }
}

TEST(Compare, devices_of_one_kind_match_and_are_named) {
    Record other = timed("a", 5);
    other.device = "cuda:3";
    other.device_name = "NVIDIA H200";
    other.driver_version = "580";
    const Comparison found = compare({timed("a", 10)}, {other});
    ASSERT_EQ(found.rows.size(), 1U);
    EXPECT_EQ(found.differences,
              (std::vector<std::string>{"device_name: NVIDIA H100 and NVIDIA H200", "driver_version: none and 580"}));
    Record cpu = timed("a", 5);
    cpu.device = "cpu";
    EXPECT_TRUE(compare({timed("a", 10)}, {cpu}).rows.empty());
    // With two of a kind in a file it takes the name to tell them apart.
    const Comparison two = compare({timed("a", 10), other}, {other});
    ASSERT_EQ(two.rows.size(), 1U);
    EXPECT_EQ(two.rows[0].base.device_name, "NVIDIA H200");
    EXPECT_EQ(two.only_in_base.size(), 1U);
}

TEST(Compare, the_latest_row_of_a_point_counts) {
    Record old = timed("a", 10), fresh = timed("a", 20);
    old.timestamp_utc = "2026-11-20T22:00:00Z";
    fresh.timestamp_utc = "2026-11-20T23:00:00Z";
    const Comparison found = compare({fresh, old}, {timed("a", 10)});
    ASSERT_EQ(found.rows.size(), 1U);
    EXPECT_EQ(found.rows[0].speedup->ratio, 2);
}

TEST(Compare, summarises_by_the_geometric_mean) {
    const Comparison found = compare({timed("a", 10), timed("b", 10), timed("b", 7), failed("c")},
                                     {timed("a", 5), timed("b", 20), failed("c")});
    const ComparisonSummary all = summarise(found.rows);
    EXPECT_EQ(all.timed, 2U);
    const double b = 7.0 / 20;
    EXPECT_NEAR(*all.geometric_mean, std::sqrt(2 * b), 1e-12);
    const double half = 1.959964 * std::hypot(0.005 / 1.959964, 0.005 / 1.959964);
    EXPECT_NEAR(std::log(all.interval->second / *all.geometric_mean), std::sqrt(2.0) * half / 2, 1e-9);
    EXPECT_EQ(all.rows.at(Verdict::untimed), 1U);
    const auto methods = summarise_methods(found.rows);
    ASSERT_EQ(methods.size(), 3U);
    EXPECT_EQ(methods[1].first, "b");
    EXPECT_NEAR(*methods[1].second.geometric_mean, b, 1e-12);
    EXPECT_FALSE(methods[2].second.geometric_mean);
    EXPECT_FALSE(summarise({}).geometric_mean);
}

}  // namespace
}  // namespace convscope
