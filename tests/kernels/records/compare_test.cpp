#include "kernels/records/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include "kernels/records/record_key.h"
#include "tests/kernels/records/many_records.h"

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

/// With the records that its rows are of.
struct Compared : Comparison {
    std::shared_ptr<ComparedRecords> records;
};

Compared compare(const std::vector<Record>& base, const std::vector<Record>& other,
                 const CompareOptions& options = {}) {
    auto records = std::make_shared<ComparedRecords>();
    for (const Record& record : base) records->add(record);
    for (const Record& record : other) records->add(record);
    const auto first = static_cast<std::uint32_t>(base.size()), last = static_cast<std::uint32_t>(records->rows());
    return {compare_records(*records, {0, first}, {first, last}, options), records};
}

TEST(Compare, says_what_is_better) {
    const Compared found = compare(
        {timed("a", 10), timed("b", 10), timed("c", 10), timed("d", 10), failed("e"), failed("f"), timed("g", 1)},
        {timed("a", 8), timed("b", 12), timed("c", 10.05), failed("d"), timed("e", 3), failed("f"), timed("h", 1)});
    std::vector<std::string> verdicts;
    for (const ComparedRow& row : found.rows) verdicts.emplace_back(to_string(row.verdict));
    EXPECT_EQ(verdicts, (std::vector<std::string>{"improved", "worse", "unclear", "lost", "gained", "untimed"}));
    EXPECT_DOUBLE_EQ(found.rows[0].speedup->ratio, 1.25);
    ASSERT_EQ(found.only_in_base.size(), 1U);
    EXPECT_EQ(found.records->record(found.only_in_base[0]).method, "g");
    ASSERT_EQ(found.only_in_other.size(), 1U);
    EXPECT_EQ(found.records->record(found.only_in_other[0]).method, "h");
}

TEST(Compare, a_suspicious_time_is_no_time) {
    Record suspicious = timed("a", 1);
    suspicious.status = Status::suspicious;
    const ComparedRow row = compare({timed("a", 10)}, {suspicious}).rows.at(0);
    EXPECT_EQ(row.verdict, Verdict::lost);
    EXPECT_FALSE(row.speedup);
}

TEST(Compare, what_is_certain_and_small_is_tied) {
    const auto verdict = [](double base_us, double other_us, std::optional<double> noise_pct, CompareOptions options) {
        return compare({timed("a", base_us, noise_pct)}, {timed("a", other_us, noise_pct)}, options).rows[0].verdict;
    };
    EXPECT_EQ(verdict(10, 9.95, 0.01, {.between_pct = 0.01}), Verdict::tied) << "certain, and below 1 %";
    EXPECT_EQ(verdict(10, 10.001, 0.01, {.between_pct = 0.1}), Verdict::tied) << "all of the interval is below 1 %";
    EXPECT_EQ(verdict(10, 9.95, 0.01, {.tied_pct = 0, .between_pct = 0.01}), Verdict::improved);
    EXPECT_EQ(verdict(10, 9.95, 1, {.between_pct = 0.01}), Verdict::unclear) << "beyond 1 % on one side";
    EXPECT_EQ(verdict(10, 8, 30, {}), Verdict::unclear) << "noise";
    EXPECT_EQ(verdict(10, 8, {}, {}), Verdict::unclear) << "no interval";
}

TEST(Compare, a_row_that_stands_in_both_files_is_tied) {
    Record row = timed("a", 10);
    row.timestamp_utc = "2026-01-01T00:00:00Z";
    const ComparedRow same = compare({row}, {row}).rows.at(0);
    EXPECT_EQ(same.verdict, Verdict::tied);
    EXPECT_EQ(same.speedup->interval, std::pair(1.0, 1.0));
    Record later = row;
    later.timestamp_utc = "2026-01-01T00:00:01Z";
    EXPECT_EQ(compare({row}, {later}).rows.at(0).verdict, Verdict::unclear) << "another measurement, alike by chance";
}

TEST(Compare, one_run_of_each_claims_no_more_than_runs_differ_by) {
    EXPECT_EQ(compare({timed("a", 10, 0.05)}, {timed("a", 9.7, 0.05)}).rows[0].verdict, Verdict::unclear);
    EXPECT_EQ(compare({timed("a", 10, 0.05)}, {timed("a", 9.3, 0.05)}).rows[0].verdict, Verdict::improved);
    Record base = timed("a", 10, 0.3), other = timed("a", 9.7, 0.3);
    EXPECT_EQ(compare({base}, {other}).rows[0].verdict, Verdict::unclear);
    base.noise_from = other.noise_from = "runs";
    EXPECT_EQ(compare({base}, {other}).rows[0].verdict, Verdict::improved) << "3 %, which several runs of each show";
    EXPECT_EQ(estimate_speedup(base, other)->from, "runs");
    base.device = other.device = "cpu";
    EXPECT_EQ(compare({base}, {other}).rows[0].verdict, Verdict::unclear);
    other.time_median_us = 2;
    EXPECT_EQ(compare({base}, {other}).rows[0].verdict, Verdict::improved);
}

// Records of the same thing whose medians differ by what their devices' are known to, and by their noise.
TEST(Compare, says_improved_or_worse_of_the_same_thing_once_in_a_hundred_times) {
    std::mt19937 random(1);
    for (const char* from : {"samples", "runs"}) {
        int wrong = 0, found = 0;
        constexpr int trials = 2000;
        const auto draw = [&](double median_us) {
            Record record = timed("a", median_us, 0.4);
            record.noise_from = from;
            const double deviation = std::hypot(spread_between_records_pct(record), 0.4 / 1.96) / 100;
            *record.time_median_us *= std::exp(std::normal_distribution<double>(0, deviation)(random));
            return record;
        };
        for (int i = 0; i < trials; ++i) {
            const Verdict same = compare({draw(10)}, {draw(10)}).rows[0].verdict;
            wrong += same == Verdict::improved || same == Verdict::worse ? 1 : 0;
            found += compare({draw(10)}, {draw(10 * 1.1)}).rows[0].verdict == Verdict::worse ? 1 : 0;
        }
        EXPECT_LE(wrong, trials * 15 / 1000) << from;
        EXPECT_GE(found, trials * 80 / 100) << from;
    }
}

TEST(Compare, the_interval_comes_from_noise_or_quartiles) {
    const auto estimate = [](const Record& base, const Record& other) { return estimate_speedup(base, other, 0); };
    const double z99_over_z95 = 2.575829 / 1.959964;
    const auto noise = estimate(timed("a", 10, 3), timed("a", 5, 4));
    EXPECT_EQ(noise->from, "noise");
    EXPECT_NEAR(std::log(noise->interval->second / 2), 0.05 * z99_over_z95, 1e-6) << "3 % and 4 % make 5 %";
    EXPECT_NEAR(noise->interval->first * noise->interval->second, 4, 1e-9);
    Record few = timed("a", 10, {});
    few.samples = 4;
    few.time_q1_us = 9.9;
    few.time_q3_us = 10.1;
    const auto quartiles = estimate(few, timed("a", 5, 0));
    EXPECT_EQ(quartiles->from, "quartiles");
    EXPECT_NEAR(std::log(quartiles->interval->second / 2), 2.575829 * 1.2533 * 0.2 / 1.349 / 2 / 10, 1e-6);
    few.noise_from = "samples";
    EXPECT_FALSE(estimate(few, timed("a", 5))->interval) << "its samples waited for a core and tell nothing";
    few.noise_from.clear();
    few.samples = 2;
    EXPECT_FALSE(estimate(few, timed("a", 5))->interval);
    EXPECT_FALSE(estimate(few, failed("a")));
}

TEST(ComparedRecords, match_as_point_key_says) {
    std::vector<Record> records = testing::many_records(400);
    records.push_back(records[0]);
    for (const auto& change : std::vector<std::function<void(Record&)>>{
             [](Record& r) { r.device = "cuda:1"; }, [](Record& r) { r.device = "cpu"; },
             [](Record& r) { r.shape.pad_extra_h = 1; }, [](Record& r) { r.shape.groups = 2; },
             [](Record& r) { r.shape.pool_h = r.shape.pool_w = r.shape.pool_stride = 2; },
             [](Record& r) { r.block.reset(); }, [](Record& r) { r.grid->z = 7; }, [](Record& r) { r.seed = ~0ULL; },
             [](Record& r) { r.sparsity_target = 1e-9; }, [](Record& r) { r.tunables = "a=1"; },
             [](Record& r) { r.cache_mode = "cold"; }, [](Record& r) { r.time_median_us = 3; },
             [](Record& r) { r.dtype = "tf32"; }}) {
        records.push_back(records[0]);
        change(records.back());
    }
    ComparedRecords compared;
    for (const Record& record : records) compared.add(record);
    ASSERT_EQ(compared.rows(), records.size());
    for (std::size_t a = 0; a < records.size(); ++a) {
        EXPECT_EQ(point_text(compared.record(a)), point_text(records[a]));
        for (const std::size_t b : {std::size_t{0}, a / 2, a}) {
            const bool same = point_key(records[a]) == point_key(records[b]);
            EXPECT_EQ(compared.same_point(a, b), same) << a << ' ' << b;
            if (same) {
                EXPECT_EQ(compared.point_hash(a), compared.point_hash(b));
            }
        }
    }
}

TEST(ComparedRecords, give_back_what_comparing_looks_at) {
    Record record = testing::many_records(1).front();
    record.shape.pad_extra_w = 1;
    record.noise_from = "runs";
    ComparedRecords compared;
    compared.add(record);
    const Record back = compared.record(0);
    EXPECT_EQ(point_key(back), point_key(record));
    EXPECT_EQ(back.dtype, record.dtype);
    EXPECT_EQ(back.driver_version, record.driver_version);
    EXPECT_EQ(back.timestamp_utc, record.timestamp_utc);
    EXPECT_EQ(back.samples, record.samples);
    EXPECT_EQ(back.status, record.status);
    EXPECT_EQ(back.time_median_us, record.time_median_us);
    EXPECT_EQ(back.time_q1_us, record.time_q1_us);
    EXPECT_EQ(back.time_q3_us, record.time_q3_us);
    EXPECT_EQ(back.noise_pct, record.noise_pct);
    EXPECT_EQ(back.noise_from, "runs");
    EXPECT_EQ(compared.text(0, &Record::device_name), record.device_name);
}

TEST(Compare, devices_of_one_kind_match_and_are_named) {
    Record other = timed("a", 5);
    other.device = "cuda:3";
    other.device_name = "NVIDIA H200";
    other.driver_version = "580";
    const Compared found = compare({timed("a", 10)}, {other});
    ASSERT_EQ(found.rows.size(), 1U);
    EXPECT_EQ(found.differences,
              (std::vector<std::string>{"device_name: NVIDIA H100 and NVIDIA H200", "driver_version: none and 580"}));
    EXPECT_TRUE(compare({timed("a", 10)}, {}).differences.empty()) << "a file without a row has no device";
    Record cpu = timed("a", 5);
    cpu.device = "cpu";
    EXPECT_TRUE(compare({timed("a", 10)}, {cpu}).rows.empty());
    // With two of a kind in a file it takes the name to tell them apart.
    const Compared two = compare({timed("a", 10), other}, {other});
    ASSERT_EQ(two.rows.size(), 1U);
    EXPECT_EQ(two.records->record(two.rows[0].base).device_name, "NVIDIA H200");
    EXPECT_EQ(two.only_in_base.size(), 1U);
}

TEST(Compare, the_latest_row_of_a_point_counts) {
    Record old = timed("a", 10), fresh = timed("a", 20);
    old.timestamp_utc = "2026-11-20T22:00:00Z";
    fresh.timestamp_utc = "2026-11-20T23:00:00Z";
    const Compared found = compare({fresh, old}, {timed("a", 10)});
    ASSERT_EQ(found.rows.size(), 1U);
    EXPECT_EQ(found.rows[0].speedup->ratio, 2);
}

TEST(Compare, summarises_by_the_geometric_mean) {
    const Compared found = compare({timed("a", 10), timed("b", 10), timed("b", 7), failed("c")},
                                   {timed("a", 5), timed("b", 20), failed("c")});
    const ComparisonSummary all = summarise(found.rows);
    EXPECT_EQ(all.timed, 2U);
    const double b = 7.0 / 20;
    EXPECT_NEAR(*all.geometric_mean, std::sqrt(2 * b), 1e-12);
    const double half = std::log(found.rows[0].speedup->interval->second / 2);
    EXPECT_NEAR(std::log(all.interval->second / *all.geometric_mean), half, 1e-9) << "rows may err together";
    EXPECT_EQ(all.rows.at(Verdict::untimed), 1U);
    const auto methods = summarise_methods(*found.records, found.rows);
    ASSERT_EQ(methods.size(), 3U);
    EXPECT_EQ(methods[1].first, "b");
    EXPECT_NEAR(*methods[1].second.geometric_mean, b, 1e-12);
    EXPECT_FALSE(methods[2].second.geometric_mean);
    EXPECT_FALSE(summarise({}).geometric_mean);
}

TEST(Compare, what_is_certain_and_a_little_slower_is_tied_too) {
    const CompareOptions options{.between_pct = 0.01};
    EXPECT_EQ(compare({timed("a", 9.95, 0.01)}, {timed("a", 10, 0.01)}, options).rows[0].verdict, Verdict::tied);
    EXPECT_EQ(std::string(to_string(Verdict::tied)), "tied");
}

TEST(Compare, a_summary_without_an_interval_has_none) {
    const Compared found = compare({timed("a", 10), timed("b", 10)}, {timed("a", 5), timed("b", 5, {})});
    EXPECT_TRUE(summarise({found.rows[0]}).interval);
    EXPECT_FALSE(summarise(found.rows).interval);
    EXPECT_DOUBLE_EQ(*summarise(found.rows).geometric_mean, 2);
}

TEST(Compare, a_method_of_several_points_has_one_summary) {
    Record large = timed("a", 40), slower = timed("a", 20);
    large.shape.h = slower.shape.h = 100;
    const Compared found = compare({timed("a", 10), large}, {timed("a", 10), slower});
    const auto methods = summarise_methods(*found.records, found.rows);
    ASSERT_EQ(methods.size(), 1U);
    EXPECT_DOUBLE_EQ(*methods[0].second.geometric_mean, std::sqrt(2.0));
}

TEST(Compare, devices_of_a_kind_are_told_apart_where_either_file_has_several) {
    Record other = timed("a", 5), more = timed("a", 2);
    other.device_name = "NVIDIA H200";
    const Compared found = compare({timed("a", 10)}, {more, other});
    ASSERT_EQ(found.rows.size(), 1U);
    EXPECT_DOUBLE_EQ(found.rows[0].speedup->ratio, 5);
    ASSERT_EQ(found.only_in_other.size(), 1U);
    EXPECT_EQ(found.records->record(found.only_in_other[0]).device_name, "NVIDIA H200");
}

TEST(Compare, an_interval_needs_one_of_both_rows_and_is_wide_where_the_host_is_timed) {
    EXPECT_FALSE(estimate_speedup(timed("a", 10), timed("a", 5, {}))->interval);
    EXPECT_FALSE(estimate_speedup(timed("a", 10, {}), timed("a", 5))->interval);
    Record waited = timed("a", 10, {});
    waited.time_q1_us = 9;
    EXPECT_FALSE(estimate_speedup(waited, timed("a", 5))->interval) << "one quartile alone";
    waited.time_q3_us = 11;
    EXPECT_TRUE(estimate_speedup(waited, timed("a", 5))->interval);
    waited.samples = 2;
    EXPECT_FALSE(estimate_speedup(waited, timed("a", 5))->interval);
    Record setup = timed("a", 5);
    setup.timing_scope = "setup";
    EXPECT_EQ(spread_between_records_pct(setup), 20);
}

}  // namespace
}  // namespace convscope
