#include "app/sweep/sweep_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <thread>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/measure/isolated/local_measurer.h"
#include "tests/app/sweep/told_source.h"
#include "tests/kernels/measure/fakes.h"
#include "tests/support/wait.h"

namespace convscope {
namespace {

using testing::FakeLab;

FlagValues sweep_of_three() {
    FlagValues flags;
    flags.set("--device", "fake");
    flags.set("--h", "4,5,2");
    flags.set("--r", "3");
    flags.set("--min-samples", "20");
    return flags;
}

/// Everything that a sweep reports.
struct Told {
    std::vector<std::pair<std::size_t, Record>> rows;
    std::vector<std::size_t> points;
    std::size_t there = 0;
    std::vector<SweepProgress> progress;

    SweepSinks sinks() {
        SweepSinks sinks;
        sinks.record = [this](std::size_t point, const Record& record) { rows.emplace_back(point, record); };
        sinks.there = [this](const Record&) { ++there; };
        sinks.point_done = [this](std::size_t point, std::span<const Record>) { points.push_back(point); };
        sinks.progress = [this](const SweepProgress& now) { progress.push_back(now); };
        return sinks;
    }
};

/// A sweep of the lab's methods over three points, the last of which is impossible; its run and what it told.
struct Swept {
    Swept(FakeLab& lab, const std::string& methods, SweepControl& control, DoneRows done = {})
        : plan(*lab.registry,
               [&] {
                   FlagValues flags = sweep_of_three();
                   flags.set("--methods", methods);
                   return flags;
               }()),
          measurer(*lab.registry),
          run(*lab.registry, measurer, plan, std::move(done)) {
        run.run(told.sinks(), control);
    }

    SweepPlan plan;
    LocalMeasurer measurer;
    SweepRun run;
    Told told;
};

TEST(SweepRun, measures_every_point_and_keeps_the_impossible_ones) {
    FakeLab lab({{.id = "a"}, {.id = "baseline", .times_us = {20}, .vendor = true}});
    SweepControl control;
    const Told told = Swept(lab, "a,baseline", control).told;
    ASSERT_EQ(told.rows.size(), 6U);
    EXPECT_EQ(told.points, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(told.rows[0].second.speedup_vs_vendor, 2.0);
    EXPECT_EQ(told.rows[4].second.status, Status::invalid_config);
    EXPECT_NE(told.rows[4].second.status_reason.find("filter"), std::string::npos);
    EXPECT_EQ(told.rows[0].second.run_id, told.rows[5].second.run_id);
    EXPECT_EQ(told.progress.back().done, 3U);
    EXPECT_EQ(told.progress.back().rows, 6U);
    EXPECT_EQ(told.progress.back().seconds_left, 0.0);
}

/// Answers with what it is asked for, as measured.
class ToldMeasurer final : public PointMeasurer {
public:
    std::vector<Record> measure(const PointRequest& request, const PointSinks& sinks, std::stop_token) override {
        std::vector<Record> rows;
        for (const Candidate& candidate : request.candidates) {
            Record row = planned_record(device_, *make_user_method(request.own, request.spec.shape), request.spec,
                                        candidate.launch, request.options);
            sinks.measure.record(row);
            rows.push_back(std::move(row));
        }
        return rows;
    }
    WorkloadSpec settled(const WorkloadSpec& spec) override { return spec; }
    explicit ToldMeasurer(const Device& device) : device_(device) {}

private:
    const Device& device_;
};

TEST(SweepRun, keeps_what_a_kernel_of_ones_own_cannot_be_and_goes_on_with_the_rest) {
    FakeLab lab({{.id = "a"}});
    FlagValues flags = sweep_of_three();
    flags.set("--h", "4");
    flags.set("--own", "conv.cu");
    flags.set_all("--define", {"TILE=8,16,32"});
    testing::ToldSource own;
    const SweepPlan plan(*lab.registry, flags, {}, &own);
    ToldMeasurer measurer(lab.registry->device("fake"));
    SweepControl control;
    Told told;
    SweepRun(*lab.registry, measurer, plan, {}, &own).run(told.sinks(), control);
    ASSERT_EQ(told.rows.size(), 3U);
    EXPECT_EQ(own.compilations, 3) << "each when its turn came";
    EXPECT_EQ(told.rows[0].second.block->x, 8) << "as it was compiled";
    EXPECT_EQ(told.rows[0].second.method, "own/conv");
    EXPECT_EQ(told.rows[0].second.tunables, "TILE=8");
    EXPECT_EQ(told.rows[1].second.status, Status::invalid_config);
    EXPECT_EQ(told.rows[1].second.status_reason, "it does not compile: no");
    EXPECT_EQ(told.rows[1].second.tunables, "TILE=16");
    std::vector<Record> kept{told.rows[0].second, told.rows[1].second};
    Told again;
    SweepRun(*lab.registry, measurer, plan, DoneRows(kept), &own).run(again.sinks(), control);
    ASSERT_EQ(again.rows.size(), 1U);
    EXPECT_EQ(again.rows[0].second.tunables, "TILE=32");
}

TEST(SweepRun, goes_on_where_an_earlier_run_stopped) {
    FakeLab lab({{.id = "a"}, {.id = "baseline", .vendor = true}});
    SweepControl control;
    const Told first = Swept(lab, "a,baseline", control).told;
    std::vector<Record> kept;
    for (const auto& [point, row] : first.rows)
        if (!(point == 1 && row.method == "a")) kept.push_back(row);
    const Swept again(lab, "a,baseline", control, DoneRows(kept));
    ASSERT_EQ(again.told.rows.size(), 2U) << "the missing row, and its baseline for the ratio";
    EXPECT_EQ(again.told.rows[0].first, 1U);
    EXPECT_EQ(again.run.progress().skipped, 4U);
    EXPECT_EQ(again.told.there, 4U);
}

TEST(SweepRun, writes_no_point_again_when_memory_runs_out_after_its_first_row) {
    FakeLab lab({{.id = "a"}, {.id = "b"}});
    FlagValues flags = sweep_of_three();
    flags.set("--methods", "a,b");
    const SweepPlan plan(*lab.registry, flags);
    LocalMeasurer measurer(*lab.registry);
    SweepControl control;
    Told told;
    SweepSinks sinks = told.sinks();
    sinks.record = [&told](std::size_t point, const Record& record) {
        told.rows.emplace_back(point, record);
        throw std::bad_alloc();
    };
    SweepRun run(*lab.registry, measurer, plan, {});
    EXPECT_THROW(run.run(sinks, control), std::bad_alloc);
    ASSERT_EQ(told.rows.size(), 1U);
    EXPECT_EQ(told.rows[0].second.status, Status::passed);
}

TEST(SweepRun, pauses_before_a_sample_and_goes_on) {
    const auto has_waited = [] {
        SweepControl control;
        int sampled = 0;
        FakeLab lab({{.id = "a", .during_sample = [&] {
                          if (++sampled == 10) control.pause();
                      }}});
        std::jthread waker([&] {
            while (!control.paused()) std::this_thread::yield();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            control.resume();
        });
        EXPECT_EQ(Swept(lab, "a", control).told.rows.size(), 3U);
        return control.waited().count() > 0.005 || HasFailure();
    };
    // A sweep that was held up may come to its pause when that is over.
    EXPECT_TRUE(testing::wait_until(has_waited));
}

TEST(SweepRun, cancelled_rows_are_not_lost) {
    SweepControl control;
    int sampled = 0;
    FakeLab lab({{.id = "a", .during_sample = [&] {
                      if (++sampled == 40) control.cancel();
                  }}});
    const Swept swept(lab, "a", control);
    ASSERT_EQ(swept.told.rows.size(), 1U) << "as far as it came";
    EXPECT_EQ(swept.run.progress().done, 0U);
}

TEST(SweepRun, a_failing_method_is_a_row_and_the_sweep_goes_on) {
    FakeLab lab({{.id = "a", .fail_at = 3}, {.id = "baseline", .vendor = true}});
    SweepControl control;
    const Told told = Swept(lab, "a,baseline", control).told;
    ASSERT_EQ(told.rows.size(), 6U);
    EXPECT_EQ(told.rows[0].second.status, Status::runtime_error);
    EXPECT_EQ(told.rows[1].second.status, Status::passed);
    EXPECT_EQ(told.rows[3].second.status, Status::passed);
}

}  // namespace
}  // namespace convscope
