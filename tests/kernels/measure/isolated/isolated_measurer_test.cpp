// Processes that die and contexts that are lost cost a row each, never the sweep.
#include "kernels/measure/isolated/isolated_measurer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "app/sweep/sweep_run.h"
#include "kernels/core/error.h"
#include "kernels/measure/isolated/wire_types.h"
#include "kernels/records/record_csv.h"
#include "tests/kernels/measure/isolated/fault_injection.h"

namespace convscope {
namespace {

class Isolated : public ::testing::Test {
protected:
    std::vector<Record> measure(const std::vector<std::string>& methods, const PointSinks& sinks = {},
                                std::stop_token stop = {}) {
        PointRequest request;
        request.spec.shape.h = request.spec.shape.w = 4;
        request.spec.shape.r = request.spec.shape.s = 3;
        request.device = "fake";
        request.options.recheck_share = 0;
        for (const std::string& id : methods) request.candidates.push_back({id, {}});
        return measurer_.measure(request, sinks, stop);
    }

    testing::FakeLab lab_ = testing::fault_injection(false);
    IsolatedMeasurer measurer_{*lab_.registry, {FAULTY_PROCESS}};
};

TEST_F(Isolated, measures_as_this_process_does) {
    std::vector<Progress> progress;
    std::vector<std::string> recorded;
    int before = 0, after = 0;
    PointSinks sinks;
    sinks.measure.progress = [&](const Progress& now) { progress.push_back(now); };
    sinks.measure.record = [&](const Record& row) { recorded.push_back(row.method); };
    sinks.measure.before_sample = [&] { ++before; };
    sinks.measure.after_sample = [&] { ++after; };
    const auto rows = measure({"good", "baseline"}, sinks);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].status, Status::passed);
    EXPECT_EQ(rows[0].time_median_us, 10.0);
    EXPECT_EQ(rows[0].speedup_vs_vendor, 2.0);
    EXPECT_EQ(rows[0].samples_us.size(), static_cast<std::size_t>(rows[0].samples));
    EXPECT_EQ(recorded, (std::vector<std::string>{"good", "baseline"}));
    EXPECT_EQ(before, rows[0].samples + rows[1].samples) << "each sample is requested";
    EXPECT_EQ(after, before);
    EXPECT_EQ(progress.back().candidate, 1U);
}

TEST_F(Isolated, a_process_ends_when_its_parent_is_killed_whatever_it_is_doing) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans become this process's children
    const pid_t parent = fork();
    if (parent == 0) {
        PointSinks sinks;
        // A few samples before the one that never ends.
        sinks.measure.progress = [](const Progress& now) {
            if (now.samples >= 12) kill(getpid(), SIGKILL);
        };
        measure({"hangs"}, sinks);
        _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(parent, &status, 0), parent);
    ASSERT_TRUE(WIFSIGNALED(status));
    pid_t orphan = 0;
    for (int i = 0; i < 1000 && orphan == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        orphan = waitpid(-1, &status, WNOHANG);
    }
    EXPECT_GT(orphan, 0) << "it still runs after ten seconds";
    EXPECT_TRUE(WIFEXITED(status)) << status;
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_F(Isolated, a_crash_is_the_row_of_who_was_at_work) {
    const auto rows = measure({"good", "crashes", "baseline"});
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1].status, Status::runtime_error);
    EXPECT_EQ(rows[1].status_reason, "the process that measured was ended by signal 11 (Segmentation fault)");
    EXPECT_EQ(rows[0].status, Status::passed);
    EXPECT_EQ(rows[0].speedup_vs_vendor, 2.0) << "the others are measured again, in turn";
    EXPECT_EQ(measure({"good"})[0].status, Status::passed) << "and the next point, too";
}

TEST_F(Isolated, a_process_that_leaves_says_its_status) {
    const auto rows = measure({"leaves", "good"});
    EXPECT_EQ(rows[0].status_reason, "the process that measured ended with status 7");
    EXPECT_EQ(rows[1].status, Status::passed);
}

TEST_F(Isolated, a_lost_context_is_replaced) {
    const auto rows = measure({"good", "ruins", "baseline"});
    EXPECT_EQ(rows[0].status, Status::passed) << rows[0].status_reason;
    EXPECT_EQ(rows[1].status, Status::runtime_error);
    EXPECT_EQ(rows[1].status_reason, "an illegal memory access was encountered");
    EXPECT_EQ(rows[2].status, Status::passed) << rows[2].status_reason;
    EXPECT_EQ(measure({"good"})[0].status, Status::passed);
}

TEST_F(Isolated, every_fault_in_one_point_has_its_row) {
    const auto rows = measure({"leaves", "crashes", "good", "ruins", "fails", "baseline"});
    ASSERT_EQ(rows.size(), 6U);
    for (const std::size_t faulty : {0U, 1U, 3U, 4U}) EXPECT_EQ(rows[faulty].status, Status::runtime_error) << faulty;
    EXPECT_EQ(rows[2].status, Status::passed) << rows[2].status_reason;
    EXPECT_EQ(rows[5].status, Status::passed) << rows[5].status_reason;
    EXPECT_EQ(rows[4].status_reason, "the fake gave up");
}

TEST_F(Isolated, stops_when_asked) {
    std::stop_source stop;
    PointSinks sinks;
    sinks.measure.progress = [&](const Progress& now) {
        if (now.samples == 5) stop.request_stop();
    };
    const auto rows = measure({"good", "baseline"}, sinks, stop.get_token());
    EXPECT_LT(rows[0].samples, 10000);
    EXPECT_FALSE(rows[0].status == Status::runtime_error);
}

TEST_F(Isolated, a_method_that_never_ends_is_a_timeout_and_the_others_are_measured) {
    // A hundred times what an idle machine takes between two signs of life.
    IsolatedMeasurer impatient(*lab_.registry, {FAULTY_PROCESS}, [](const auto&, auto) { return 3; });
    PointRequest request;
    request.spec.shape.h = request.spec.shape.w = 4;
    request.device = "fake";
    request.candidates = {{"good", {}}, {"hangs", {}}, {"baseline", {}}};
    const auto rows = impatient.measure(request, {}, {});
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1].status, Status::timeout);
    EXPECT_EQ(rows[1].status_reason,
              "gave no sign of life for 3 s, and its process was ended; a longer --timeout waits longer");
    EXPECT_FALSE(rows[1].time_median_us);
    EXPECT_EQ(rows[0].status, Status::passed);
    EXPECT_EQ(rows[0].speedup_vs_vendor, 2.0) << "the others are measured again, in turn";
    EXPECT_EQ(rows[2].status, Status::passed);
}

TEST(LongestSilence, is_generous_and_grows_with_the_timeout) {
    MeasureOptions options;
    options.timeout_s = 5;
    EXPECT_EQ(longest_silence_s(options, DeviceKind::cuda), 120);
    EXPECT_GT(longest_silence_s(options, DeviceKind::sim), 1e9);
}

TEST_F(Isolated, a_measuring_process_that_cannot_start_is_a_sentence) {
    IsolatedMeasurer nowhere(*lab_.registry, {"/nowhere/convscope"});
    PointRequest request;
    request.spec.shape.h = request.spec.shape.w = 4;
    request.device = "fake";
    request.candidates = {{"good", {}}};
    EXPECT_THROW(nowhere.measure(request, {}, {}), Error);
}

TEST(Wire, a_record_arrives_as_it_was) {
    Record row;
    row.method = "a,\"b\"";
    row.time_median_us = 1.0 / 3;
    row.block = Dim3{32, 2, 1};
    row.samples_us = {1, 2.5};
    row.stages_us = {{"convert", 3}};
    row.speedup_interval = {1.1, 1.3};
    row.quantities = {{"N", 3, "B", "meaning"}};
    row.status = Status::timeout;
    const Record back = unpacked<Record>(packed(row));
    EXPECT_EQ(csv_row(back), csv_row(row));
    EXPECT_EQ(back.samples_us, row.samples_us);
    EXPECT_EQ(back.stages_us, row.stages_us);
    EXPECT_EQ(back.speedup_interval, row.speedup_interval);
    EXPECT_EQ(back.quantities.front().meaning, "meaning");
    EXPECT_THROW(unpacked<Record>(packed(row).substr(0, 20)), std::out_of_range);
}

}  // namespace
}  // namespace convscope
