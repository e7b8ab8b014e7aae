#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "kernels/core/preset.h"
#include "kernels/measure/measure.h"
#include "kernels/measure/run_counts.h"
#include "kernels/records/record_key.h"
#include "tests/kernels/measure/fakes.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

using testing::FakeLab;
using testing::Script;

// Five warm-up samples and one that is checked come before the first that counts.
constexpr std::size_t warm_up = 6;

Workload workload() {
    ConvShape shape;
    shape.h = shape.w = 6;
    shape.r = shape.s = 3;
    return testing::random_workload(shape, 0.5, 1);
}

MeasureOptions quick() {
    MeasureOptions options;
    options.min_samples = 8;
    options.max_samples = 40;
    return options;
}

std::vector<Record> run(FakeLab& lab, const std::vector<std::string>& ids, const MeasureOptions& options = quick(),
                        MeasureSinks sinks = {}, std::stop_token stop = {}) {
    std::vector<Candidate> candidates;
    for (const std::string& id : ids) candidates.push_back({id, {}});
    return measure(*lab.registry, *lab.device, workload(), candidates, options, sinks, std::move(stop));
}

Script script(const std::string& id, std::vector<double> times_us = {10}) {
    Script s;
    s.id = id;
    s.times_us = std::move(times_us);
    return s;
}

void sleep_ms(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

TEST(Measurement, BaselinesTakeTurns) {
    FakeLab lab({script("a"), script("b"), script("c")});
    run(lab, {"a", "b", "c"});
    ASSERT_GE(lab.log.size(), 3 * warm_up + 24);
    const std::vector<std::string> turns{"a", "b", "c"};
    for (std::size_t i = 3 * warm_up; i < lab.log.size(); ++i) EXPECT_EQ(lab.log[i], turns[i % 3]) << i;
}

TEST(Measurement, StopsWhenTheNoiseIsLowEnough) {
    FakeLab lab({script("a")});
    const Record record = run(lab, {"a"}).at(0);
    EXPECT_EQ(record.status, Status::passed);
    EXPECT_EQ(record.samples, 8) << "equal samples have no noise, so the fewest are enough";
    EXPECT_EQ(record.status_reason, "noise 0 % reached");
    EXPECT_EQ(record.time_median_us, 10);
    EXPECT_EQ(record.noise_pct, 0);
    EXPECT_EQ(record.max_rel_err, 0);
    EXPECT_EQ(record.verified_against, "reference");
    EXPECT_EQ(record.sm_clock_mhz, 1500);
    EXPECT_EQ(record.throttled, false);
}

TEST(Measurement, FiguresAreThoseOfTheSamples) {
    MeasureOptions options = quick();
    options.min_samples = options.max_samples = 4;
    // After the six of the warm-up the script goes on with its third and fourth time.
    FakeLab lab({script("a", {2, 8, 1, 4})});
    const Record record = run(lab, {"a"}, options).at(0);
    EXPECT_EQ(record.samples_us, (std::vector<double>{1, 4, 2, 8}));
    EXPECT_EQ(record.time_median_us, 3);
    EXPECT_EQ(record.time_q1_us, 1.75);
    EXPECT_EQ(record.time_q3_us, 5);
    EXPECT_EQ(record.time_mean_us, 3.75);
    EXPECT_EQ(record.time_min_us, 1);
    EXPECT_FALSE(record.noise_pct) << "four samples have no 95 % interval";
    EXPECT_EQ(record.multiply_us, 7);
    EXPECT_DOUBLE_EQ(*record.gflops, record.shape.flops_dense() / 3e3);
    EXPECT_EQ(record.status_reason, "max samples");
}

TEST(Measurement, AnUnsteadyMethodEndsAtItsMaximum) {
    FakeLab lab({script("steady"), script("unsteady", {10, 20, 40})});
    const auto records = run(lab, {"steady", "unsteady"});
    EXPECT_EQ(records[1].samples, 40);
    EXPECT_EQ(records[1].status_reason, "max samples");
    EXPECT_EQ(records[0].samples, 40) << "the steady one kept its turn, so that drift hits both alike";
    EXPECT_EQ(records[0].status_reason, "noise 0 % reached");
}

TEST(Measurement, ASlowMethodEndsAtItsTimeout) {
    Script slow = script("slow", {10, 20});
    slow.during_sample = [] { sleep_ms(4); };
    MeasureOptions options = quick();
    options.max_samples = 100000;
    options.timeout_s = 0.05;
    FakeLab lab({slow});
    const Record record = run(lab, {"slow"}, options).at(0);
    EXPECT_EQ(record.status, Status::passed);
    EXPECT_EQ(record.status_reason, "timeout 0.05 s");
    EXPECT_GE(record.samples, 3);
    EXPECT_LE(record.samples, 13);
}

TEST(Measurement, TooFewSamplesForAMedianIsATimeout) {
    Script slow = script("slow");
    slow.during_sample = [] { sleep_ms(30); };
    MeasureOptions options = quick();
    options.timeout_s = 0.02;
    FakeLab lab({slow});
    const Record record = run(lab, {"slow"}, options).at(0);
    EXPECT_EQ(record.status, Status::timeout);
    EXPECT_EQ(record.samples, 1);
    EXPECT_NE(record.status_reason.find("after 1 of at least 3 samples"), std::string::npos) << record.status_reason;
}

TEST(Measurement, AWrongResultHasNoTime) {
    Script wrong = script("wrong");
    wrong.wrong = true;
    FakeLab lab({wrong, script("right")});
    const auto records = run(lab, {"wrong", "right"});
    EXPECT_EQ(records[0].status, Status::incorrect);
    EXPECT_FALSE(records[0].time_median_us || records[0].gflops || records[0].speedup_vs_vendor);
    EXPECT_GT(records[0].max_rel_err.value(), 1e-3);
    EXPECT_NE(records[0].status_reason.find("y[0,0,0,0]"), std::string::npos);
    EXPECT_EQ(records[1].status, Status::passed);
    EXPECT_EQ(std::count(lab.log.begin(), lab.log.end(), "wrong"), 0);
}

TEST(Measurement, AnElementLeftUnwrittenIsSeen) {
    Script lazy = script("lazy");
    lazy.leaves_last = true;
    FakeLab lab({lazy});
    const Record record = run(lab, {"lazy"}).at(0);
    EXPECT_EQ(record.status, Status::incorrect);
    EXPECT_TRUE(std::isinf(record.max_rel_err.value()));
}

TEST(Measurement, ATimedPathThatComputesNothingIsSeen) {
    Script idle = script("idle");
    idle.sampler_runs = false;
    FakeLab lab({idle});
    const Record record = run(lab, {"idle"}).at(0);
    EXPECT_EQ(record.status, Status::incorrect);
    EXPECT_FALSE(record.time_median_us);
}

TEST(Measurement, OneThatFailsMidwayLeavesTheOthers) {
    Script faulty = script("faulty");
    faulty.fail_at = static_cast<int>(warm_up) + 3;
    FakeLab lab({script("a"), faulty, script("b")});
    const auto records = run(lab, {"a", "faulty", "b"});
    EXPECT_EQ(records[1].status, Status::runtime_error);
    EXPECT_EQ(records[1].status_reason, "the fake gave up");
    EXPECT_FALSE(records[1].time_median_us);
    EXPECT_EQ(records[0].status, Status::passed);
    EXPECT_EQ(records[2].status, Status::passed);
}

TEST(Measurement, OneWhoseStagesCannotBeTimedIsTimedAsAWhole) {
    FakeLab lab({script("a")}, DeviceKind::cpu, 1 << 30, /*times_stages=*/false);
    const Record record = run(lab, {"a"}).at(0);
    EXPECT_EQ(record.status, Status::passed) << record.status_reason;
    EXPECT_EQ(record.time_median_us, 10);
    EXPECT_FALSE(record.multiply_us.has_value());
    EXPECT_TRUE(record.stages_us.empty());
}

TEST(Measurement, AStageThatComesInPassesIsTheirSum) {
    Script passes = script("passes");
    passes.passes = 3;
    FakeLab lab({script("once"), passes});
    const std::vector<Record> records = run(lab, {"once", "passes"});
    EXPECT_EQ(records[0].multiply_us, 7);
    EXPECT_EQ(records[1].multiply_us, 3 * 7);
    EXPECT_EQ(records[1].stages_us.size(), 1u);
}

TEST(Measurement, WhatCannotRunIsARowWithItsReason) {
    Script unsupported = script("unsupported"), rejected = script("rejected"), hungry = script("hungry"),
           large = script("large");
    unsupported.unsupported = "needs a pooling layer";
    rejected.rejected = "2000 threads are more than 1024";
    hungry.out_of_memory = true;
    large.workspace_bytes = std::int64_t{1} << 40;
    FakeLab lab({unsupported, rejected, hungry, large});
    const auto records = run(lab, {"unsupported", "rejected", "hungry", "large"});
    EXPECT_EQ(records[0].status, Status::not_supported);
    EXPECT_EQ(records[0].status_reason, "needs a pooling layer");
    EXPECT_EQ(records[1].status, Status::invalid_config);
    EXPECT_EQ(records[1].status_reason, "2000 threads are more than 1024");
    EXPECT_EQ(records[2].status, Status::out_of_memory);
    EXPECT_EQ(records[3].status, Status::out_of_memory);
    EXPECT_NE(records[3].status_reason.find("1099511.6 MB of workspace"), std::string::npos)
        << records[3].status_reason;
    EXPECT_TRUE(lab.log.empty());
}

TEST(Measurement, AStopKeepsWhatIsEnoughAndCancelsTheRest) {
    std::stop_source source;
    Script a = script("a", {10, 20}), b = script("b", {10, 20});
    int samples = 0;
    // a has taken three samples that count, b two, when the request comes.
    b.during_sample = [&] {
        if (++samples == static_cast<int>(warm_up) + 2) source.request_stop();
    };
    Script late = script("late");
    FakeLab lab({a, b});
    MeasureOptions options = quick();
    options.min_samples = 20;
    const auto records = run(lab, {"a", "b"}, options, {}, source.get_token());
    EXPECT_EQ(records[0].samples + records[1].samples, 0) << "two samples each are too few for a median";
    EXPECT_EQ(records[0].status, Status::cancelled);
    EXPECT_EQ(records[1].status, Status::cancelled);

    std::stop_source later;
    samples = 0;
    Script c = script("c", {10, 20});
    c.during_sample = [&] {
        if (++samples == static_cast<int>(warm_up) + 5) later.request_stop();
    };
    FakeLab second({c});
    const Record kept = run(second, {"c"}, options, {}, later.get_token()).at(0);
    EXPECT_EQ(kept.status, Status::passed);
    EXPECT_EQ(kept.samples, 5);
    EXPECT_EQ(kept.status_reason, "stopped");
}

TEST(Measurement, SamplesRoundAPauseAreDiscarded) {
    FakeLab lab({script("a"), script("b", {20})});
    MeasureSinks sinks;
    int begun = 0;
    sinks.before_sample = [&] {
        if (++begun == 5) sleep_ms(700);
    };
    for (const Record& record : run(lab, {"a", "b"}, quick(), sinks)) {
        EXPECT_EQ(record.status, Status::passed);
        EXPECT_NE(record.status_reason.find("; 1 samples discarded: sampling was paused"), std::string::npos)
            << record.status_reason;
        EXPECT_EQ(record.samples_us.size(), static_cast<std::size_t>(record.samples));
    }
}

TEST(Measurement, AStopBeforeTheStartCancelsAll) {
    std::stop_source source;
    source.request_stop();
    FakeLab lab({script("a"), script("b")});
    for (const Record& record : run(lab, {"a", "b"}, quick(), {}, source.get_token()))
        EXPECT_EQ(record.status, Status::cancelled);
    EXPECT_TRUE(lab.log.empty());
}

TEST(Measurement, SpeedupIsAgainstTheBestBaselineOfTheSamePrecision) {
    Script slow = script("cudnn-gemm", {30}), fast = script("cudnn-direct", {20}), tf32 = script("cudnn-tf32", {5});
    slow.vendor = fast.vendor = tf32.vendor = true;
    tf32.dtype = DType::tf32;
    FakeLab lab({script("ours"), slow, fast, tf32});
    const auto records = run(lab, {"ours", "cudnn-gemm", "cudnn-direct", "cudnn-tf32"});
    EXPECT_EQ(records[0].vendor_method, "cudnn-direct");
    EXPECT_DOUBLE_EQ(records[0].speedup_vs_vendor.value(), 2);
    EXPECT_DOUBLE_EQ(records[0].speedup_interval->first, 2);
    EXPECT_DOUBLE_EQ(records[0].speedup_interval->second, 2);
    EXPECT_EQ(records[3].vendor_method, "cudnn-tf32");
    EXPECT_DOUBLE_EQ(records[3].speedup_vs_vendor.value(), 1);
}

TEST(Measurement, TheVendorsOwnBestComesFirst) {
    Script best = script("cudnn", {21}), single = script("cudnn-direct", {20});
    best.vendor = single.vendor = true;
    FakeLab lab({script("ours"), single, best});
    EXPECT_EQ(run(lab, {"ours", "cudnn-direct", "cudnn"})[0].vendor_method, "cudnn");
}

TEST(Measurement, OfTheVendorsBestPlainAndFusedTheFasterIsTheBaseline) {
    Script plain = script("cudnn", {21}), fused = script("cudnn-fused", {18}), single = script("cudnn-direct", {5});
    plain.vendor = fused.vendor = single.vendor = true;
    FakeLab lab({script("ours"), plain, fused, single});
    const auto records = run(lab, {"ours", "cudnn", "cudnn-fused", "cudnn-direct"});
    EXPECT_EQ(records[0].vendor_method, "cudnn-fused");
    EXPECT_EQ(records[1].vendor_method, "cudnn-fused");
}

TEST(Measurement, AWrongBaselineIsNoBaseline) {
    Script wrong = script("cudnn");
    wrong.vendor = wrong.wrong = true;
    FakeLab lab({script("ours"), wrong});
    const auto records = run(lab, {"ours", "cudnn"});
    EXPECT_TRUE(records[0].vendor_method.empty());
    EXPECT_FALSE(records[0].speedup_vs_vendor);
}

TEST(Measurement, TheSimulatedGpuIsVerifiedAndNotTimed) {
    FakeLab lab({script("a")}, DeviceKind::sim);
    const Record record = run(lab, {"a"}).at(0);
    EXPECT_EQ(record.status, Status::passed);
    EXPECT_EQ(record.max_rel_err, 0);
    EXPECT_FALSE(record.time_median_us || record.sm_clock_mhz);
    EXPECT_EQ(record.status_reason,
              "simulated: verified, not timed and not counted: its kernels are not among those that are watched");
}

TEST(Measurement, TheSimulatedGpuCountsWhereItHasNoClock) {
    const std::unique_ptr<Registry> registry = make_registry();
    const Workload workload = make_workload(find_preset("examples/xu-fig4").spec);
    const std::vector<Record> rows =
        measure(*registry, registry->device("sim"), workload, {{"ecr1", {}}, {"im2col", {}}}, {}, {}, {});
    ASSERT_EQ(rows.size(), 2U);
    // Xu 2019, Fig. 4: 27 of 81 products have a non-zero input.
    EXPECT_EQ(count_text(rows[0], RunCount::multiplications), "27");
    EXPECT_EQ(count_text(rows[0], RunCount::of_dense), "33 %");
    for (const RunCount count : {RunCount::instructions, RunCount::requests, RunCount::sectors, RunCount::occupancy})
        EXPECT_GT(count_of(rows[0], count).value_or(0), 0) << to_string(count);
    EXPECT_EQ(rows[0].status_reason, "simulated: verified and counted, not timed");
    EXPECT_EQ(rows[1].status, Status::passed);
    EXPECT_FALSE(has_counts(rows[1])) << "the host's library multiplies";
    EXPECT_NE(rows[1].status_reason.find("a library's"), std::string::npos) << rows[1].status_reason;
}

TEST(Measurement, SamplesAreBracketedAlsoWhenTheyFail) {
    Script faulty = script("faulty");
    faulty.fail_at = static_cast<int>(warm_up) + 2;
    FakeLab lab({faulty});
    int open = 0, begun = 0;
    MeasureSinks sinks;
    sinks.before_sample = [&] {
        ++begun;
        EXPECT_EQ(++open, 1);
    };
    sinks.after_sample = [&] { --open; };
    run(lab, {"faulty"}, quick(), sinks);
    EXPECT_EQ(open, 0);
    EXPECT_EQ(begun, 3);
}

TEST(Measurement, RowsComeInTheOrderAskedForAndProgressGrows) {
    Script wrong = script("wrong");
    wrong.wrong = true;
    FakeLab lab({script("a"), wrong, script("b")});
    std::vector<std::string> rows;
    double fraction = 0;
    MeasureSinks sinks;
    sinks.record = [&](const Record& record) { rows.push_back(record.method); };
    sinks.progress = [&](const Progress& progress) {
        EXPECT_GE(progress.fraction, fraction);
        EXPECT_LE(progress.fraction, 1);
        fraction = progress.fraction;
    };
    const auto records = run(lab, {"b", "wrong", "a"}, quick(), sinks);
    EXPECT_EQ(rows, (std::vector<std::string>{"b", "wrong", "a"}));
    EXPECT_EQ(records[2].method, "a");
    EXPECT_FALSE(records[0].run_id.empty());
    EXPECT_EQ(records[0].run_id, records[2].run_id);
}

TEST(Measurement, RoundsKeepTheExecutionsAndStartAgain) {
    FakeLab lab({script("a")});
    const Workload data = workload();
    Measurement measurement(*lab.registry, *lab.device, data, {{"a", {}}}, quick());
    measurement.prepare(reference_result(data), {}, {});
    const std::size_t before = lab.log.size();
    EXPECT_EQ(measurement.sample({}, {})[0].samples, 8);
    EXPECT_EQ(measurement.sample({}, {})[0].samples, 8);
    EXPECT_EQ(lab.log.size() - before, 16U) << "nothing but samples: no second warm-up";
}

TEST(Measurement, OddDataIsReportedInTheRow) {
    FakeLab lab({script("a")});
    Workload data = workload();
    data.x.data[0] = std::numeric_limits<float>::quiet_NaN();
    data.nan_count = 1;
    const auto records = measure(*lab.registry, *lab.device, data, {{"a", {}}}, quick(), {}, {});
    EXPECT_EQ(records[0].status, Status::passed) << records[0].status_reason;
    EXPECT_NE(records[0].status_reason.find("1 NaN and 0 infinite"), std::string::npos);
}

TEST(Measurement, OwnArraysAndALibrarysWorkspaceAreApart) {
    Script with_library = script("a");
    with_library.workspace_bytes = 1000;
    with_library.library_workspace_bytes = 32 << 20;
    FakeLab lab({with_library});
    const Record record = run(lab, {"a"})[0];
    EXPECT_EQ(record.workspace_bytes, 1000);
    EXPECT_EQ(record.library_workspace_bytes, 32 << 20);
}

TEST(Measurement, ARowSaysWhatWasExecutedAndOnWhichUnits) {
    FakeLab lab({script("a")});
    const Record record = run(lab, {"a"})[0];
    EXPECT_EQ(record.flops_executed, record.flops_dense);
    EXPECT_EQ(record.arithmetic, "fp32");
}

TEST(MeasurementKey, TellsApartWhatIsMeasuredAndNothingElse) {
    FakeLab lab({script("a"), script("b")});
    const Workload data = workload();
    const auto plan = [&](const std::string& id, const WorkloadSpec& spec, const MeasureOptions& options) {
        return measurement_key(planned_record(*lab.device, lab.registry->get(id, DeviceKind::cpu), spec, {}, options));
    };
    const std::string key = plan("a", data.spec, quick());
    EXPECT_EQ(measurement_key(run(lab, {"a"})[0]), key);
    EXPECT_NE(plan("b", data.spec, quick()), key);
    WorkloadSpec spec = data.spec;
    spec.sparsity = 0.6;
    EXPECT_NE(plan("a", spec, quick()), key);
    MeasureOptions cold = quick(), patient = quick();
    cold.cache = CacheMode::cold;
    EXPECT_NE(plan("a", data.spec, cold), key);
    patient.timeout_s = 60;
    EXPECT_EQ(plan("a", data.spec, patient), key) << "how long it is sampled changes the figures, not the question";
}

}  // namespace
}  // namespace convscope
