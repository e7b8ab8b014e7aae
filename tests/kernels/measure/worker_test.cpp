#include "kernels/measure/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "tests/kernels/measure/fakes.h"

namespace convscope {
namespace {

using testing::FakeLab;
using testing::Script;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes longest_wait{10};

MeasureJob job(const std::vector<std::string>& ids, bool repeat = false) {
    MeasureJob job;
    job.device = "fake";
    job.workload.shape.h = job.workload.shape.w = 6;
    job.workload.shape.r = job.workload.shape.s = 3;
    for (const std::string& id : ids) job.candidates.push_back({id, {}});
    job.options.min_samples = 8;
    job.options.max_samples = 16;
    job.options.min_time_s = 0;
    job.options.recheck_share = 0;
    job.repeat = repeat;
    return job;
}

Script script_of(const std::string& id) {
    Script s;
    s.id = id;
    return s;
}

/// Looks at snapshots until one has the property; false when longest_wait ends.
template <class Property>
bool wait_for(const MeasureWorker& worker, Property property) {
    const auto end = Clock::now() + longest_wait;
    while (Clock::now() < end) {
        if (property(*worker.snapshot())) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

/// Samples of the first method; a job that has not begun has no series.
std::int64_t taken(const LiveSnapshot& snapshot) {
    return snapshot.series.empty() ? 0 : snapshot.series[0].history.count();
}

bool ended(const LiveSnapshot& snapshot) {
    return !snapshot.running;
}

TEST(Worker, publishes_samples_and_rows) {
    std::atomic<bool> seen = false;
    Script a = script_of("a");
    a.during_sample = [&] {
        while (!seen) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    FakeLab lab({a, script_of("b")});
    MeasureWorker worker(*lab.registry);
    EXPECT_FALSE(worker.snapshot()->running);
    worker.start(job({"a", "b"}));
    EXPECT_TRUE(worker.snapshot()->running) << "at once, not when the thread gets to it";
    seen = true;
    ASSERT_TRUE(wait_for(worker, ended));
    const auto snapshot = worker.snapshot();
    EXPECT_EQ(snapshot->error, "");
    ASSERT_EQ(snapshot->series.size(), 2U);
    EXPECT_EQ(snapshot->series[0].method, "a");
    EXPECT_EQ(snapshot->series[0].history.kept().size(), 8U);
    EXPECT_EQ(snapshot->series[0].latest->status, Status::passed);
    EXPECT_EQ(snapshot->records.size(), 2U);
}

TEST(Worker, what_a_person_changed_is_measured_first) {
    FakeLab lab({script_of("a"), script_of("b")});
    MeasureWorker worker(*lab.registry);
    MeasureJob changed = job({"a", "b"});
    changed.first = "b";
    worker.start(changed);
    ASSERT_TRUE(wait_for(worker, ended));
    const auto snapshot = worker.snapshot();
    ASSERT_GE(lab.log.size(), 15U);
    EXPECT_EQ(std::vector<std::string>(lab.log.begin(), lab.log.begin() + 14), std::vector<std::string>(14, "b"));
    ASSERT_EQ(snapshot->records.size(), 2U);
    EXPECT_EQ(snapshot->records[0].method, "a") << "rows and series keep the candidates' order";
    EXPECT_EQ(snapshot->series[0].method, "a");
    EXPECT_EQ(snapshot->records[1].status, Status::passed);
    EXPECT_EQ(snapshot->records[1].samples, 16) << "eight alone, eight in turn";
}

TEST(Worker, a_snapshot_in_hand_never_changes) {
    FakeLab lab({script_of("a")});
    MeasureWorker worker(*lab.registry);
    const auto before = worker.snapshot();
    worker.start(job({"a"}));
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_EQ(before->generation, 0U);
    EXPECT_TRUE(before->records.empty());
    EXPECT_GT(worker.snapshot()->generation, 0U);
}

TEST(Worker, nothing_waits_for_a_sample_under_way) {
    std::atomic<bool> in_sample = false, release = false;
    Script slow = script_of("slow");
    slow.during_sample = [&] {
        in_sample = true;
        while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    FakeLab lab({slow, script_of("quick")});
    MeasureWorker worker(*lab.registry);
    worker.start(job({"slow"}));
    while (!in_sample) std::this_thread::sleep_for(std::chrono::milliseconds(1));

    const auto begin = Clock::now();
    for (int i = 0; i < 1000; ++i) worker.snapshot();
    worker.stop();
    worker.start(job({"quick"}));
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(1)) << "the sample is still held";
    release = true;
    ASSERT_TRUE(wait_for(worker, ended));
    ASSERT_EQ(worker.snapshot()->series.size(), 1U);
    EXPECT_EQ(worker.snapshot()->series[0].method, "quick");
}

TEST(Worker, the_latest_job_wins) {
    FakeLab lab({script_of("a"), script_of("b"), script_of("c")});
    MeasureWorker worker(*lab.registry);
    worker.start(job({"a"}, true));
    worker.start(job({"b"}, true));
    worker.start(job({"c"}));
    ASSERT_TRUE(wait_for(worker, ended));
    ASSERT_EQ(worker.snapshot()->series.size(), 1U);
    EXPECT_EQ(worker.snapshot()->series[0].method, "c");
}

TEST(Worker, repeats_until_stopped_into_one_row) {
    FakeLab lab({script_of("a")});
    MeasureWorker worker(*lab.registry);
    worker.start(job({"a"}, true));
    ASSERT_TRUE(wait_for(worker, [](const LiveSnapshot& s) { return taken(s) >= 24; }));
    EXPECT_TRUE(worker.snapshot()->running);
    worker.stop();
    ASSERT_TRUE(wait_for(worker, ended));
    const auto snapshot = worker.snapshot();
    ASSERT_EQ(snapshot->records.size(), 1U);
    EXPECT_EQ(snapshot->records[0].samples, static_cast<std::int64_t>(snapshot->series.at(0).history.kept().size()));
    EXPECT_EQ(snapshot->records[0].time_median_us, 10);
}

TEST(Worker, goes_on_while_the_processor_is_too_busy_and_stop_changes_nothing) {
    std::atomic<bool> busy = true;
    Script a = script_of("a");
    a.is_lengthened = [&] { return busy.load(); };
    FakeLab lab({a});
    MeasureWorker worker(*lab.registry);
    worker.start(job({"a"}, true));
    const auto waited = [](const LiveSnapshot& s) {
        return s.series.empty() ? 0 : s.series[0].history.counts().waited;
    };
    // Rounds end after 16 samples.
    ASSERT_TRUE(wait_for(worker, [&](const LiveSnapshot& s) { return waited(s) > 40; }));
    worker.stop();
    ASSERT_TRUE(wait_for(worker, ended));
    auto stopped = worker.snapshot();
    const std::string reason = stopped->series.at(0).history.counts().describe();
    EXPECT_EQ(stopped->series[0].latest->status_reason, "Too busy: " + reason);
    EXPECT_EQ(stopped->records.back().status_reason, "Too busy: " + reason) << "what is exported";
    EXPECT_FALSE(stopped->records.back().time_median_us);

    worker.start(job({"a"}, true));
    ASSERT_TRUE(wait_for(worker, [&](const LiveSnapshot& s) { return waited(s) > 40; }));
    busy = false;
    ASSERT_TRUE(wait_for(worker, [](const LiveSnapshot& s) { return taken(s) >= 24; })) << "a quiet moment";
    worker.stop();
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_EQ(worker.snapshot()->records.back().time_median_us, 10);
}

TEST(Worker, each_job_adds_its_rows) {
    FakeLab lab({script_of("a"), script_of("b")});
    MeasureWorker worker(*lab.registry);
    for (const std::string id : {"a", "b"}) {
        worker.start(job({id}));
        ASSERT_TRUE(wait_for(worker, ended));
    }
    ASSERT_EQ(worker.snapshot()->records.size(), 2U);
    EXPECT_EQ(worker.snapshot()->records[0].method, "a");
    EXPECT_EQ(worker.snapshot()->records[1].method, "b");
}

/// Times about 100 us that do not repeat for long.
std::vector<double> uneven_times() {
    std::vector<double> times;
    for (int i = 0; i < 5000; ++i) times.push_back(100 + 5 * std::sin(i * i * 0.37));
    return times;
}

TEST(Worker, waiting_narrows_and_stop_keeps_the_result) {
    std::atomic<int> samples = 0;
    std::atomic<int> held_at = 1000000;
    Script a = script_of("a");
    a.times_us = uneven_times();
    a.during_sample = [&] {
        ++samples;
        while (samples > held_at) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    FakeLab lab({a});
    MeasureWorker worker(*lab.registry);
    MeasureJob many = job({"a"}, true);
    many.options.min_samples = many.options.max_samples = 30;
    held_at = 40;  // six to warm up, a round, and some of the next
    worker.start(many);
    ASSERT_TRUE(wait_for(worker, [&](const LiveSnapshot&) { return samples > held_at; }));
    const double first = *worker.snapshot()->series[0].latest->noise_pct;
    held_at = 2000;
    ASSERT_TRUE(wait_for(worker, [&](const LiveSnapshot&) { return samples > held_at; }));
    const Record before = *worker.snapshot()->series[0].latest;
    EXPECT_LT(*before.noise_pct, first / 3);
    worker.stop();
    held_at = 1000000;
    ASSERT_TRUE(wait_for(worker, ended));
    const LiveSeries kept = worker.snapshot()->series[0];
    EXPECT_EQ(kept.latest->status, Status::passed);
    EXPECT_GE(kept.latest->samples, before.samples);
    EXPECT_LT(*kept.latest->noise_pct, 1.2 * *before.noise_pct);
    EXPECT_NEAR(*kept.latest->time_median_us, *before.time_median_us, 0.2);
    EXPECT_EQ(worker.snapshot()->records.back().time_median_us, kept.latest->time_median_us) << "what is exported";
}

TEST(Worker, a_time_that_changes_is_said_to_drift) {
    Script a = script_of("a");
    a.times_us = std::vector<double>(300, 10.0);
    a.times_us.insert(a.times_us.end(), 1000, 11.0);
    // Held in the second round, in which the times begin again.
    std::atomic<int> samples = 0;
    std::atomic<bool> held = true;
    a.during_sample = [&] {
        ++samples;
        while (held && samples > 1100) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    FakeLab lab({a});
    MeasureWorker worker(*lab.registry);
    MeasureJob many = job({"a"}, true);
    many.options.min_samples = many.options.max_samples = 1050;
    many.options.timeout_s = 600;
    worker.start(many);
    ASSERT_TRUE(wait_for(worker, [](const LiveSnapshot& s) { return taken(s) > 0 && s.series[0].timing.drift; }));
    EXPECT_FALSE(worker.snapshot()->series[0].settled);
    held = false;
    worker.stop();
    ASSERT_TRUE(wait_for(worker, ended));
}

TEST(Worker, repeating_what_cannot_be_timed_ends) {
    Script unsupported = script_of("a");
    unsupported.unsupported = "needs a pooling layer";
    FakeLab lab({unsupported});
    MeasureWorker worker(*lab.registry);
    worker.start(job({"a"}, true));
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_EQ(worker.snapshot()->records.size(), 1U);
}

TEST(Worker, a_job_that_cannot_run_is_a_sentence) {
    FakeLab lab({script_of("a")});
    MeasureWorker worker(*lab.registry);
    MeasureJob elsewhere = job({"a"});
    elsewhere.device = "cuda:9";
    worker.start(elsewhere);
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_NE(worker.snapshot()->error.find("cuda:9"), std::string::npos) << worker.snapshot()->error;
    MeasureJob impossible = job({"a"});
    impossible.workload.sparsity = 2;
    worker.start(impossible);
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_NE(worker.snapshot()->error.find("sparsity"), std::string::npos) << worker.snapshot()->error;
    worker.start(job({"a"}));
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_EQ(worker.snapshot()->error, "") << "the next job starts clean";
}

TEST(Worker, stopping_before_the_thread_wakes_ends_it) {
    FakeLab lab({script_of("a")});
    MeasureWorker worker(*lab.registry);
    for (int i = 0; i < 50; ++i) {
        worker.start(job({"a"}));
        worker.stop();
    }
    EXPECT_TRUE(wait_for(worker, ended));
}

TEST(Worker, quiet_hooks_bracket_each_sample) {
    FakeLab lab({script_of("a")});
    MeasureWorker worker(*lab.registry);
    std::atomic<int> before = 0, after = 0;
    worker.set_quiet_hooks([&] { ++before; }, [&] { ++after; });
    worker.start(job({"a"}));
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_EQ(before, 8);
    EXPECT_EQ(after, 8);
}

TEST(Worker, ends_with_a_measurement_under_way) {
    FakeLab lab({script_of("a")});
    const auto begin = Clock::now();
    {
        MeasureWorker worker(*lab.registry);
        worker.start(job({"a"}, true));
        wait_for(worker, [](const LiveSnapshot& s) { return !s.records.empty(); });
    }
    EXPECT_LT(Clock::now() - begin, longest_wait);
}

/// Three layers of the same shape.
NetworkJob network_job(const std::vector<std::string>& methods) {
    NetworkJob job;
    job.device = "fake";
    job.plan.network.name = "net";
    for (int i = 0; i < 3; ++i) {
        Preset layer;
        layer.spec.name = "net/" + std::to_string(i);
        layer.spec.shape.h = layer.spec.shape.w = 6;
        layer.spec.shape.r = layer.spec.shape.s = 3;
        job.plan.network.layers.push_back(layer);
    }
    job.plan.methods = methods;
    job.plan.options.min_samples = job.plan.options.max_samples = 8;
    job.plan.options.recheck_share = 0;
    return job;
}

TEST(Worker, a_network_fills_layer_by_layer) {
    std::atomic<int> samples = 0, held_at = 12;
    Script a = script_of("a");
    a.during_sample = [&] {
        ++samples;
        while (samples > held_at) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    FakeLab lab({a, script_of("b")});
    MeasureWorker worker(*lab.registry);
    worker.start(network_job({"a", "b"}));
    // Six samples to warm up, eight to count: the first layer is still at it.
    const auto at_work = [](const LiveSnapshot& s) { return s.network && s.network->fraction > 0; };
    EXPECT_TRUE(wait_for(worker, at_work));
    EXPECT_TRUE(worker.snapshot()->network->running);
    EXPECT_TRUE(worker.snapshot()->network->layers->empty());
    EXPECT_FALSE(worker.snapshot()->network->seconds_left);
    held_at = 16;  // into the second layer
    EXPECT_TRUE(wait_for(worker, [](const LiveSnapshot& s) { return s.network->layers->size() == 1; }));
    EXPECT_TRUE(worker.snapshot()->network->seconds_left);
    EXPECT_GE(worker.snapshot()->network->fraction, 1.0 / 3);
    held_at = 1000000;
    ASSERT_TRUE(wait_for(worker, ended));
    const auto snapshot = worker.snapshot();
    EXPECT_EQ(snapshot->error, "");
    EXPECT_FALSE(snapshot->network->running);
    EXPECT_EQ(snapshot->network->fraction, 1);
    ASSERT_EQ(snapshot->network->layers->size(), 3U);
    EXPECT_EQ((*snapshot->network->layers)[2].rows.at(1).method, "b");
    EXPECT_EQ(snapshot->records.size(), 6U) << "the session's rows";
    EXPECT_TRUE(snapshot->series.empty()) << "live figures are of the layer in the workload panel";
}

TEST(Worker, a_network_is_stopped_and_keeps_what_it_has) {
    std::atomic<bool> hold = true;
    std::atomic<int> samples = 0;
    Script a = script_of("a");
    a.during_sample = [&] {
        if (++samples > 20)  // in the second layer
            while (hold) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    FakeLab lab({a});
    MeasureWorker worker(*lab.registry);
    worker.start(network_job({"a"}));
    EXPECT_TRUE(wait_for(worker, [&](const LiveSnapshot&) { return samples > 20; }));
    worker.stop();
    hold = false;
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_EQ(worker.snapshot()->network->layers->size(), 1U);
    EXPECT_FALSE(worker.snapshot()->network->running);

    worker.start(job({"a"}));
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_EQ(worker.snapshot()->network->layers->size(), 1U) << "it stays until the next network";
    EXPECT_EQ(worker.snapshot()->series.size(), 1U);
}

TEST(Worker, a_network_that_cannot_run_says_why) {
    FakeLab lab({script_of("a")});
    MeasureWorker worker(*lab.registry);
    NetworkJob broken = network_job({"a"});
    broken.plan.chain = true;
    worker.start(broken);
    ASSERT_TRUE(wait_for(worker, ended));
    EXPECT_NE(worker.snapshot()->error.find("does not chain"), std::string::npos) << worker.snapshot()->error;
    EXPECT_FALSE(worker.snapshot()->network->running);
}

}  // namespace
}  // namespace convscope
