#include "kernels/measure/isolated/separate_runs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/measure/isolated/verdict.h"
#include "kernels/measure/sample_counts.h"
#include "tests/kernels/measure/isolated/fault_injection.h"

namespace convscope {
namespace {

using Answer = SpeedVerdict::Answer;

class SeparateRuns : public ::testing::Test {
protected:
    static PointRequest request(const std::vector<std::string>& methods) {
        PointRequest request;
        request.spec.shape.h = request.spec.shape.w = 4;
        request.spec.shape.r = request.spec.shape.s = 3;
        request.device = "fake";
        request.options.min_time_s = 0;
        request.options.min_samples = 8;
        request.options.max_samples = 100;
        request.options.runs = min_runs;
        request.options.recheck_share = 0;
        for (const std::string& id : methods) request.candidates.push_back({id, {}});
        return request;
    }
    std::vector<Record> measure(const std::vector<std::string>& methods) {
        PointSinks sinks;
        sinks.measure.record = [&](const Record& row) { recorded_.push_back(row); };
        return measure_in_runs(measurer_, request(methods), sinks, {});
    }
    SpeedVerdict verdict(const std::string& first, const std::string& second, double time_limit_s = 120) {
        asked_ = {request({first, second})};
        asked_.time_limit_s = time_limit_s;
        PointSinks sinks;
        sinks.measure.record = [&](const Record& row) { recorded_.push_back(row); };
        return find_verdict(measurer_, asked_, sinks, {});
    }

    testing::FakeLab lab_ = testing::fault_injection(false);
    IsolatedMeasurer measurer_{*lab_.registry, {FAULTY_PROCESS}};
    VerdictRequest asked_;
    std::vector<Record> recorded_;
};

TEST_F(SeparateRuns, become_one_row_whose_interval_holds_what_they_differ_by) {
    const std::vector<Record> rows = measure({"varies", "good", "baseline"});
    ASSERT_EQ(rows.size(), 3U);
    ASSERT_EQ(recorded_.size(), 3U);
    const Record& varies = rows[0];
    EXPECT_EQ(varies.status, Status::passed);
    EXPECT_EQ(varies.noise_from, "runs");
    EXPECT_EQ(varies.status_reason, "6 runs, each in a process of its own");
    ASSERT_EQ(varies.samples_us.size(), static_cast<std::size_t>(varies.samples));
    const auto [low, high] = std::ranges::minmax(varies.samples_us);
    EXPECT_GT(high, low);
    EXPECT_DOUBLE_EQ(*varies.noise_pct, 100 * (high - low) / 2 / *varies.time_median_us);
    EXPECT_DOUBLE_EQ(varies.speedup_interval->first, 20 / high);
    EXPECT_DOUBLE_EQ(varies.speedup_interval->second, 20 / low);
    EXPECT_EQ(rows[1].noise_pct, 0);
    EXPECT_EQ(rows[1].speedup_vs_vendor, 2);
    EXPECT_EQ(rows[2].method, "baseline") << "whatever the order of the runs";
    EXPECT_EQ(rows[2].time_median_us, 20);
}

TEST_F(SeparateRuns, that_waited_all_through_say_so) {
    const std::vector<Record> rows = measure({"good", "waits"});
    EXPECT_EQ(rows[0].status, Status::passed);
    EXPECT_TRUE(is_too_busy(rows[1])) << rows[1].status_reason;
    EXPECT_FALSE(rows[1].time_median_us || rows[1].noise_pct);
}

TEST_F(SeparateRuns, keep_the_row_of_a_failure) {
    const std::vector<Record> rows = measure({"good", "fails"});
    EXPECT_EQ(rows[0].status, Status::passed);
    EXPECT_EQ(rows[1].status, Status::runtime_error);
    EXPECT_EQ(rows[1].status_reason, "the fake gave up");
    EXPECT_FALSE(rows[1].time_median_us);
}

TEST_F(SeparateRuns, find_a_difference_of_three_percent) {
    const SpeedVerdict slower = verdict("slower", "good");
    EXPECT_EQ(slower.answer, Answer::slower);
    EXPECT_EQ(slower.runs, 11U) << "one sign 11 times: once in 341 by chance, on each side";
    EXPECT_NEAR(slower.speedup, 1 / 1.03, 1e-9);
    EXPECT_EQ(recorded_.size(), 22U);
    EXPECT_EQ(recorded_[0].method, "slower");
    EXPECT_EQ(describe(slower, asked_), "slower is slower than good: 0.971x (99 %: 0.971x to 0.971x), after 11 runs");
    EXPECT_EQ(verdict("good", "slower").answer, Answer::faster);
}

TEST_F(SeparateRuns, of_the_same_method_are_the_same) {
    EXPECT_EQ(describe(verdict("good", "good"), asked_),
              "good and good differ by less than 1 %: 1.000x (99 %: 1.000x to 1.000x), after 11 runs");
}

TEST_F(SeparateRuns, that_do_not_suffice_say_so) {
    const SpeedVerdict early = verdict("good", "slower", 1e-6);
    EXPECT_EQ(early.answer, Answer::unknown);
    EXPECT_EQ(
        describe(early, asked_),
        "cannot tell good from slower within 1e-06 s: good is 1.030x as fast (too few for an interval), after 1 runs; "
        "--time-limit gives it longer");
    const std::string waited = describe(verdict("good", "waits", 0.2), asked_);
    EXPECT_NE(waited.find("after 0 runs; "), std::string::npos) << waited;
    EXPECT_NE(waited.find(" more were too busy: no sample counts"), std::string::npos) << waited;
}

TEST_F(SeparateRuns, end_with_the_first_failure) {
    const SpeedVerdict failed = verdict("good", "fails");
    ASSERT_TRUE(failed.failed);
    EXPECT_EQ(describe(failed, asked_), "cannot tell good from fails: fails is runtime_error: the fake gave up");
}

}  // namespace
}  // namespace convscope
