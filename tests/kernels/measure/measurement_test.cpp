#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/layers/preset.h"
#include "kernels/measure/measure.h"
#include "kernels/measure/run_counts.h"
#include "kernels/measure/sample_counts.h"
#include "kernels/measure/verify.h"
#include "tests/kernels/measure/fake_runs.h"
#include "tests/support/fake_clock.h"

namespace convscope {
namespace {

using namespace std::chrono_literals;
using testing::FakeClock;
using testing::FakeLab;
using testing::quick;
using testing::run;
using testing::Script;
using testing::scripted;
using testing::workload;

// Five warm-up samples and one that is checked come before the first that counts.
constexpr std::size_t warm_up = 6;

TEST(Measurement, baselines_take_turns) {
    FakeLab lab({scripted("a"), scripted("b"), scripted("c")});
    run(lab, {"a", "b", "c"});
    ASSERT_GE(lab.log.size(), 3 * warm_up + 24);
    const std::vector<std::string> turns{"a", "b", "c"};
    for (std::size_t i = 3 * warm_up; i < lab.log.size(); ++i) EXPECT_EQ(lab.log[i], turns[i % 3]) << i;
}

TEST(Measurement, stops_when_the_noise_is_low_enough) {
    FakeLab lab({scripted("a")});
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

TEST(Measurement, figures_are_those_of_the_samples) {
    MeasureOptions options = quick();
    options.min_samples = options.max_samples = 4;
    // After the six of the warm-up the script goes on with its third and fourth time.
    FakeLab lab({scripted("a", {2, 8, 1, 4})});
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

TEST(Measurement, an_unsteady_method_ends_at_its_maximum) {
    FakeLab lab({scripted("steady"), scripted("unsteady", {10, 20, 40})});
    const auto records = run(lab, {"steady", "unsteady"});
    EXPECT_EQ(records[1].samples, 40);
    EXPECT_EQ(records[1].status_reason, "max samples");
    EXPECT_EQ(records[0].samples, 40) << "the steady one kept its turn, so that drift hits both alike";
    EXPECT_EQ(records[0].status_reason, "noise 0 % reached");
}

TEST(Measurement, a_slow_method_ends_at_its_timeout) {
    const FakeClock clock;
    Script slow = scripted("slow", {10, 20});
    slow.during_sample = [] { FakeClock::advance(4ms); };
    MeasureOptions options = quick();
    options.max_samples = 100000;
    options.timeout_s = 0.05;
    FakeLab lab({slow});
    const Record record = run(lab, {"slow"}, options).at(0);
    EXPECT_EQ(record.status, Status::passed);
    EXPECT_EQ(record.status_reason, "timeout 0.05 s");
    EXPECT_EQ(record.samples, 13) << "the thirteenth is the first that ends after 50 ms";
}

TEST(Measurement, low_noise_of_a_moment_ends_nothing) {
    const FakeClock clock;
    MeasureOptions options = quick();
    options.min_time_s = 0.0295;
    options.max_samples = 100000;
    Script slow = scripted("slow");
    slow.during_sample = [] { FakeClock::advance(1ms); };
    FakeLab lab({slow});
    const Record record = run(lab, {"slow"}, options).at(0);
    EXPECT_EQ(record.status_reason, "noise 0 % reached");
    EXPECT_EQ(record.samples, 30) << "8 would have been enough";
}

TEST(Measurement, samples_in_which_threads_waited_for_a_core_do_not_count) {
    Script disturbed = scripted("disturbed");
    disturbed.lengthened_each = 3;
    FakeLab lab({disturbed, scripted("vendor", {20})});
    const Record record = run(lab, {"disturbed", "vendor"}).at(0);
    EXPECT_EQ(record.status, Status::passed);
    EXPECT_EQ(record.time_median_us, 10);
    EXPECT_EQ(record.samples, 8);
    EXPECT_EQ(record.samples_us.size(), 8U);
    EXPECT_EQ(record.noise_pct, 0);
    EXPECT_TRUE(record.status_reason.ends_with(" samples waited for a core, left out)")) << record.status_reason;
}

TEST(Measurement, on_a_machine_that_is_never_free_there_is_no_time) {
    const FakeClock clock;
    Script disturbed = scripted("disturbed");
    disturbed.lengthened_each = 100000;
    disturbed.during_sample = [] { FakeClock::advance(1ms); };
    Script vendor = scripted("vendor", {20});
    vendor.vendor = true;
    MeasureOptions options = quick();
    options.timeout_s = 0.1;
    FakeLab lab({disturbed, vendor});
    const std::vector<Record> rows = run(lab, {"disturbed", "vendor"}, options);
    const Record& record = rows.at(0);
    EXPECT_EQ(record.status, Status::timeout);
    // A fifth of the time: it does not wait for a quiet moment as long as it might.
    EXPECT_EQ(record.status_reason, "Too busy: 20 of 20 samples waited for a core");
    EXPECT_TRUE(is_too_busy(record));
    EXPECT_EQ(record.samples, 0);
    EXPECT_FALSE(record.time_median_us || record.time_q1_us || record.noise_pct || record.gflops || record.gb_per_s);
    EXPECT_FALSE(record.speedup_vs_vendor || record.speedup_interval);
    EXPECT_TRUE(record.samples_us.empty());
    EXPECT_EQ(rows.at(1).time_median_us, 20);
    for (Script* each : {&disturbed, &vendor}) each->lengthened_each = each == &vendor ? 100000 : 0;
    FakeLab other({disturbed, vendor});
    const Record alone = run(other, {"disturbed", "vendor"}, options).at(0);
    EXPECT_EQ(alone.time_median_us, 10);
    EXPECT_FALSE(alone.speedup_vs_vendor) << "of a baseline without a time there is no ratio";
}

TEST(Measurement, too_few_samples_for_a_median_is_a_timeout) {
    const FakeClock clock;
    Script slow = scripted("slow");
    slow.during_sample = [] { FakeClock::advance(30ms); };
    MeasureOptions options = quick();
    options.timeout_s = 0.02;
    FakeLab lab({slow});
    const Record record = run(lab, {"slow"}, options).at(0);
    EXPECT_EQ(record.status, Status::timeout);
    EXPECT_EQ(record.samples, 1);
    EXPECT_NE(record.status_reason.find("after 1 of at least 3 samples"), std::string::npos) << record.status_reason;
}

TEST(Measurement, a_wrong_result_has_no_time) {
    Script wrong = scripted("wrong");
    wrong.wrong = true;
    FakeLab lab({wrong, scripted("right")});
    const auto records = run(lab, {"wrong", "right"});
    EXPECT_EQ(records[0].status, Status::incorrect);
    EXPECT_FALSE(records[0].time_median_us || records[0].gflops || records[0].speedup_vs_vendor);
    EXPECT_GT(records[0].max_rel_err.value(), 1e-3);
    EXPECT_NE(records[0].status_reason.find("y[0,0,0,0]"), std::string::npos);
    EXPECT_EQ(records[1].status, Status::passed);
    EXPECT_EQ(std::count(lab.log.begin(), lab.log.end(), "wrong"), 0);
}

TEST(Measurement, the_tolerance_follows_how_sums_are_formed_not_a_name) {
    Script chooses = scripted("library");
    chooses.chosen_summation = Summation::transform;
    FakeLab lab({scripted("winograd-fft"), chooses});
    const auto records = run(lab, {"winograd-fft", "library"});
    const auto bound = [&](Summation summation) { return tolerance(records[0].shape, DType::f32, summation); };
    EXPECT_EQ(records[0].tolerance, bound(Summation::direct)) << "whatever it is called";
    EXPECT_EQ(records[1].tolerance, bound(Summation::transform)) << "what was chosen transforms";
}

TEST(Measurement, an_element_left_unwritten_is_seen) {
    Script lazy = scripted("lazy");
    lazy.leaves_last = true;
    FakeLab lab({lazy});
    const Record record = run(lab, {"lazy"}).at(0);
    EXPECT_EQ(record.status, Status::incorrect);
    EXPECT_TRUE(std::isinf(record.max_rel_err.value()));
}

TEST(Measurement, a_timed_path_that_computes_nothing_is_seen) {
    Script idle = scripted("idle");
    idle.sampler_runs = false;
    FakeLab lab({idle});
    const Record record = run(lab, {"idle"}).at(0);
    EXPECT_EQ(record.status, Status::incorrect);
    EXPECT_FALSE(record.time_median_us);
}

TEST(Measurement, one_that_fails_midway_leaves_the_others) {
    Script faulty = scripted("faulty");
    faulty.fail_at = static_cast<int>(warm_up) + 3;
    FakeLab lab({scripted("a"), faulty, scripted("b")});
    const auto records = run(lab, {"a", "faulty", "b"});
    EXPECT_EQ(records[1].status, Status::runtime_error);
    EXPECT_EQ(records[1].status_reason, "the fake gave up");
    EXPECT_FALSE(records[1].time_median_us);
    EXPECT_EQ(records[0].status, Status::passed);
    EXPECT_EQ(records[2].status, Status::passed);
}

TEST(Measurement, one_whose_stages_cannot_be_timed_is_timed_as_a_whole) {
    FakeLab lab({scripted("a")}, DeviceKind::cpu, 1 << 30, /*times_stages=*/false);
    const Record record = run(lab, {"a"}).at(0);
    EXPECT_EQ(record.status, Status::passed) << record.status_reason;
    EXPECT_EQ(record.time_median_us, 10);
    EXPECT_FALSE(record.multiply_us.has_value());
    EXPECT_TRUE(record.stages_us.empty());
}

TEST(Measurement, a_stage_that_comes_in_passes_is_their_sum) {
    Script passes = scripted("passes");
    passes.passes = 3;
    FakeLab lab({scripted("once"), passes});
    const std::vector<Record> records = run(lab, {"once", "passes"});
    EXPECT_EQ(records[0].multiply_us, 7);
    EXPECT_EQ(records[1].multiply_us, 3 * 7);
    EXPECT_EQ(records[1].stages_us.size(), 1u);
}

TEST(Measurement, what_cannot_run_is_a_row_with_its_reason) {
    Script unsupported = scripted("unsupported"), rejected = scripted("rejected"), hungry = scripted("hungry"),
           large = scripted("large");
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

TEST(Measurement, a_stop_keeps_what_is_enough_and_cancels_the_rest) {
    std::stop_source source;
    Script a = scripted("a", {10, 20}), b = scripted("b", {10, 20});
    int samples = 0;
    // a has taken three samples that count, b two, when the request comes.
    b.during_sample = [&] {
        if (++samples == static_cast<int>(warm_up) + 2) source.request_stop();
    };
    Script late = scripted("late");
    FakeLab lab({a, b});
    MeasureOptions options = quick();
    options.min_samples = 20;
    const auto records = run(lab, {"a", "b"}, options, {}, source.get_token());
    EXPECT_EQ(records[0].samples + records[1].samples, 0) << "two samples each are too few for a median";
    EXPECT_EQ(records[0].status, Status::cancelled);
    EXPECT_EQ(records[1].status, Status::cancelled);

    std::stop_source later;
    samples = 0;
    Script c = scripted("c", {10, 20});
    c.during_sample = [&] {
        if (++samples == static_cast<int>(warm_up) + 5) later.request_stop();
    };
    FakeLab second({c});
    const Record kept = run(second, {"c"}, options, {}, later.get_token()).at(0);
    EXPECT_EQ(kept.status, Status::passed);
    EXPECT_EQ(kept.samples, 5);
    EXPECT_EQ(kept.status_reason, "stopped");
}

TEST(Measurement, samples_round_a_pause_are_discarded) {
    const FakeClock clock;
    FakeLab lab({scripted("a"), scripted("b", {20})});
    MeasureSinks sinks;
    int begun = 0;
    sinks.before_sample = [&] {
        if (++begun == 5) FakeClock::advance(700ms);
    };
    for (const Record& record : run(lab, {"a", "b"}, quick(), sinks)) {
        EXPECT_EQ(record.status, Status::passed);
        EXPECT_NE(record.status_reason.find("; 1 samples discarded: sampling was paused"), std::string::npos)
            << record.status_reason;
        EXPECT_EQ(record.samples_us.size(), static_cast<std::size_t>(record.samples));
    }
}

TEST(Measurement, a_stop_before_the_start_cancels_all) {
    std::stop_source source;
    source.request_stop();
    FakeLab lab({scripted("a"), scripted("b")});
    for (const Record& record : run(lab, {"a", "b"}, quick(), {}, source.get_token()))
        EXPECT_EQ(record.status, Status::cancelled);
    EXPECT_TRUE(lab.log.empty());
}

TEST(Measurement, the_simulated_gpu_is_verified_and_not_timed) {
    FakeLab lab({scripted("a")}, DeviceKind::sim);
    const Record record = run(lab, {"a"}).at(0);
    EXPECT_EQ(record.status, Status::passed);
    EXPECT_EQ(record.max_rel_err, 0);
    EXPECT_FALSE(record.time_median_us || record.sm_clock_mhz);
    EXPECT_EQ(record.status_reason,
              "simulated: verified, not timed and not counted: its kernels are not among those that are watched");
}

TEST(Measurement, the_simulated_gpu_counts_where_it_has_no_clock) {
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

TEST(Measurement, samples_are_bracketed_also_when_they_fail) {
    Script faulty = scripted("faulty");
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

TEST(Measurement, rows_come_in_the_order_asked_for_and_progress_grows) {
    Script wrong = scripted("wrong");
    wrong.wrong = true;
    FakeLab lab({scripted("a"), wrong, scripted("b")});
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

TEST(Measurement, rounds_keep_the_executions_and_start_again) {
    FakeLab lab({scripted("a")});
    const Workload data = workload();
    Measurement measurement(*lab.registry, *lab.device, data, {{"a", {}}}, quick());
    const ReferenceResult reference = reference_result(data);
    measurement.prepare(reference, {}, {});
    const std::size_t before = lab.log.size();
    EXPECT_EQ(measurement.sample({}, {})[0].samples, 8);
    EXPECT_EQ(measurement.sample({}, {})[0].samples, 8);
    EXPECT_EQ(lab.log.size() - before, 16U) << "nothing but samples: no second warm-up";
}

TEST(Measurement, odd_data_is_reported_in_the_row) {
    FakeLab lab({scripted("a")});
    Workload data = workload();
    data.x.data[0] = std::numeric_limits<float>::quiet_NaN();
    data.nan_count = 1;
    const auto records = measure(*lab.registry, *lab.device, data, {{"a", {}}}, quick(), {}, {});
    EXPECT_EQ(records[0].status, Status::passed) << records[0].status_reason;
    EXPECT_NE(records[0].status_reason.find("1 NaN and 0 infinite"), std::string::npos);
}

TEST(Measurement, own_arrays_and_a_librarys_workspace_are_apart) {
    Script with_library = scripted("a");
    with_library.workspace_bytes = 1000;
    with_library.library_workspace_bytes = 32 << 20;
    FakeLab lab({with_library});
    const Record record = run(lab, {"a"})[0];
    EXPECT_EQ(record.workspace_bytes, 1000);
    EXPECT_EQ(record.library_workspace_bytes, 32 << 20);
}

TEST(Measurement, a_row_says_what_was_executed_and_on_which_units) {
    FakeLab lab({scripted("a")});
    const Record record = run(lab, {"a"})[0];
    EXPECT_EQ(record.flops_executed, record.flops_dense);
    EXPECT_EQ(record.arithmetic, "fp32");
}

}  // namespace
}  // namespace convscope
