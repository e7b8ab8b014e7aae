#include "app/sweep/sweep_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/sweep/local_measurer.h"
#include "kernels/core/error.h"
#include "tests/measure/fakes.h"

namespace convscope {
namespace {

using testing::FakeLab;

FlagValues sweep_of_three() {
    FlagValues flags;
    flags.set("--device", "fake");
    flags.set("--methods", "a,rival");
    flags.set("--h", "4,5,2");
    flags.set("--r", "3");
    flags.set("--min-samples", "20");
    return flags;
}

/// A sweep with everything that it tells.
struct Told {
    std::vector<std::pair<std::size_t, Record>> rows;
    std::vector<std::size_t> points;
    std::vector<SweepProgress> progress;

    SweepSinks sinks() {
        SweepSinks sinks;
        sinks.record = [this](std::size_t point, const Record& record) { rows.emplace_back(point, record); };
        sinks.point_done = [this](std::size_t point, std::span<const Record>) { points.push_back(point); };
        sinks.progress = [this](const SweepProgress& now) { progress.push_back(now); };
        return sinks;
    }
};

TEST(SweepRun, MeasuresEveryPointAndKeepsTheImpossibleOnes) {
    FakeLab lab({{.id = "a"}, {.id = "rival", .times_us = {20}, .vendor = true}});
    const SweepPlan plan(*lab.registry, sweep_of_three());
    LocalMeasurer measurer(*lab.registry);
    SweepRun run(*lab.registry, measurer, plan);
    SweepControl control;
    Told told;
    run.run(told.sinks(), control);
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

TEST(SweepRun, GoesOnWhereAnEarlierRunStopped) {
    FakeLab lab({{.id = "a"}, {.id = "rival", .vendor = true}});
    const SweepPlan plan(*lab.registry, sweep_of_three());
    LocalMeasurer measurer(*lab.registry);
    SweepControl control;
    Told first;
    SweepRun(*lab.registry, measurer, plan).run(first.sinks(), control);
    std::vector<Record> kept;
    for (const auto& [point, row] : first.rows)
        if (!(point == 1 && row.method == "a")) kept.push_back(row);
    Told second;
    SweepRun again(*lab.registry, measurer, plan, DoneRows(kept));
    again.run(second.sinks(), control);
    ASSERT_EQ(second.rows.size(), 2U) << "the missing row, and its rival for the ratio";
    EXPECT_EQ(second.rows[0].first, 1U);
    EXPECT_EQ(again.progress().skipped, 4U);
}

TEST(SweepRun, PausesBeforeASampleAndGoesOn) {
    SweepControl control;
    int sampled = 0;
    FakeLab lab({{.id = "a", .during_sample = [&] {
                      if (++sampled == 10) control.pause();
                  }}});
    FlagValues flags = sweep_of_three();
    flags.set("--methods", "a");
    const SweepPlan plan(*lab.registry, flags);
    LocalMeasurer measurer(*lab.registry);
    SweepRun run(*lab.registry, measurer, plan);
    std::jthread waker([&] {
        while (!control.paused()) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        control.resume();
    });
    Told told;
    run.run(told.sinks(), control);
    EXPECT_EQ(told.rows.size(), 3U);
    EXPECT_GT(control.waited().count(), 0.005);
}

TEST(SweepRun, CancelledRowsAreNotLost) {
    SweepControl control;
    int sampled = 0;
    FakeLab lab({{.id = "a", .during_sample = [&] {
                      if (++sampled == 40) control.cancel();
                  }}});
    FlagValues flags = sweep_of_three();
    flags.set("--methods", "a");
    const SweepPlan plan(*lab.registry, flags);
    LocalMeasurer measurer(*lab.registry);
    SweepRun run(*lab.registry, measurer, plan);
    Told told;
    run.run(told.sinks(), control);
    ASSERT_EQ(told.rows.size(), 2U) << "the first whole, the second as far as it came";
    EXPECT_EQ(run.progress().done, 1U);
}

TEST(SweepRun, AFailingMethodIsARowAndTheSweepGoesOn) {
    FakeLab lab({{.id = "a", .fail_at = 3}, {.id = "rival", .vendor = true}});
    const SweepPlan plan(*lab.registry, sweep_of_three());
    LocalMeasurer measurer(*lab.registry);
    SweepRun run(*lab.registry, measurer, plan);
    SweepControl control;
    Told told;
    run.run(told.sinks(), control);
    ASSERT_EQ(told.rows.size(), 6U);
    EXPECT_EQ(told.rows[0].second.status, Status::runtime_error);
    EXPECT_EQ(told.rows[1].second.status, Status::passed);
    EXPECT_EQ(told.rows[3].second.status, Status::passed);
}

}  // namespace
}  // namespace convscope
