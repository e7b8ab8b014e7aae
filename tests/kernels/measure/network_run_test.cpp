// A network through the measuring code, on a device that follows a script.
#include "kernels/measure/network_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/error.h"
#include "kernels/records/record_key.h"
#include "tests/kernels/measure/fakes.h"

namespace convscope {
namespace {

using testing::FakeLab;
using testing::Script;

Preset layer(const char* name, std::int64_t c, std::int64_t size, std::int64_t k, std::int64_t pool = 0) {
    Preset preset;
    preset.spec.name = std::string("net/") + name;
    ConvShape& shape = preset.spec.shape;
    shape.c = c;
    shape.h = shape.w = size;
    shape.k = k;
    shape.r = shape.s = 3;
    shape.pad_h = shape.pad_w = 1;
    shape.pool_h = shape.pool_w = shape.pool_stride = pool;
    preset.spec.sparsity = 0.25;
    preset.sparsity_from = SparsityFrom::ramp;
    return preset;
}

/// Three layers that chain: 2x8x8 to 4x8x8, pooled to 4x4x4, to 3x4x4.
NetworkPlan plan(bool chain) {
    NetworkPlan plan;
    plan.network = {
        "net", {"Net", "Chosen.", true}, {layer("a", 2, 8, 4), layer("b", 4, 8, 4, 2), layer("c", 4, 4, 3)}};
    plan.methods = {"slow", "fast"};
    plan.options.min_samples = plan.options.max_samples = 5;
    plan.options.recheck_share = 0;
    plan.chain = chain;
    return plan;
}

Script script(const char* id, double time_us, bool vendor = false) {
    Script script;
    script.id = id;
    script.times_us = {time_us};
    script.vendor = vendor;
    return script;
}

FakeLab lab() {
    return FakeLab({script("slow", 20), script("fast", 10, true)});
}

double zeros_of(const Tensor& x) {
    return static_cast<double>(std::count(x.data.begin(), x.data.end(), 0.0F)) / static_cast<double>(x.elements());
}

TEST(NetworkRun, measures_every_layer_as_its_preset_says) {
    FakeLab fake = lab();
    NetworkRun run(*fake.registry, *fake.device, plan(false));
    for (std::size_t i = 0; i < run.layers(); ++i) {
        std::vector<std::string> handed;
        MeasureSinks sinks;
        sinks.record = [&](const Record& record) { handed.push_back(record.method); };
        const std::vector<Record> rows = run.measure(i, sinks, {}, {});
        EXPECT_EQ(handed, (std::vector<std::string>{"slow", "fast"}));
        ASSERT_EQ(rows.size(), 2U);
        EXPECT_EQ(rows[0].status, Status::passed) << rows[0].status_reason;
        EXPECT_EQ(rows[0].workload, run.plan().network.layers[i].spec.name);
        EXPECT_EQ(rows[0].shape, run.plan().network.layers[i].spec.shape);
        EXPECT_EQ(rows[0].source, "uniform");
        EXPECT_EQ(rows[0].sparsity_measured, 0.25);
        EXPECT_EQ(rows[0].speedup_vs_vendor, 0.5);
        EXPECT_EQ(rows[0].run_id, rows[1].run_id);
        EXPECT_FALSE(rows[0].run_id.empty());
    }
}

TEST(NetworkRun, a_chain_hands_on_what_relu_and_pooling_leave) {
    FakeLab fake = lab();
    const NetworkPlan chained = plan(true);
    NetworkRun run(*fake.registry, *fake.device, chained);

    // The same by hand.
    std::vector<double> zeros;
    Tensor x = make_workload(chained.network.layers[0].spec).x;
    for (std::size_t i = 0; i < 3; ++i) {
        WorkloadSpec spec = chained.network.layers[i].spec;
        spec.seed += i;
        zeros.push_back(zeros_of(x));
        x = reference_output(make_chained_workload(spec, std::move(x)));
        for (float& value : x.data) value = std::max(value, 0.0F);
    }
    EXPECT_EQ(zeros[0], 0.25);
    EXPECT_GT(zeros[1], 0.3) << "about half of a zero-mean sum is below zero";
    EXPECT_LT(zeros[1], 0.7);

    for (std::size_t i = 0; i < 3; ++i) {
        const std::vector<Record> planned = run.planned(i);
        const std::vector<Record> rows = run.measure(i, {}, {}, {});
        EXPECT_EQ(rows[0].source, "chain");
        EXPECT_EQ(rows[0].sparsity_measured, zeros[i]);
        EXPECT_EQ(rows[0].sparsity_target, zeros[i]);
        EXPECT_EQ(rows[0].status, Status::passed) << rows[0].status_reason;
        EXPECT_EQ(measurement_key(planned[0]), measurement_key(rows[0]));
    }
}

TEST(NetworkRun, a_chain_can_be_entered_anywhere) {
    FakeLab fake = lab();
    NetworkRun in_order(*fake.registry, *fake.device, plan(true));
    for (std::size_t i = 0; i < 2; ++i) in_order.measure(i, {}, {}, {});
    NetworkRun at_the_end(*fake.registry, *fake.device, plan(true));
    std::vector<std::string> phases;
    const auto note = [&](const std::string& phase) { phases.push_back(phase); };
    EXPECT_EQ(at_the_end.measure(2, {}, note, {})[0].sparsity_measured,
              in_order.measure(2, {}, {}, {})[0].sparsity_measured);
    EXPECT_EQ(phases.front(), "preparing the data of a");
    EXPECT_EQ(phases.back(), "computing the reference result of c");
}

TEST(NetworkRun, rejects_a_chain_that_breaks) {
    FakeLab fake = lab();
    NetworkPlan broken = plan(true);
    std::swap(broken.network.layers[0], broken.network.layers[2]);
    EXPECT_THROW(NetworkRun(*fake.registry, *fake.device, broken), Error);
    broken.chain = false;
    EXPECT_NO_THROW(NetworkRun(*fake.registry, *fake.device, broken));
}

TEST(NetworkRun, a_layer_that_the_host_cannot_hold_becomes_rows) {
    FakeLab fake = lab();
    NetworkPlan large = plan(false);
    ConvShape& shape = large.network.layers[1].spec.shape;
    shape.n = 1 << 15;
    shape.h = shape.w = 126;  // 2.1e9 elements each of x and y
    NetworkRun run(*fake.registry, *fake.device, large);
    int handed = 0;
    MeasureSinks sinks;
    sinks.record = [&](const Record&) { ++handed; };
    const std::vector<Record> rows = run.measure(1, sinks, {}, {});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(handed, 2);
    EXPECT_EQ(rows[0].status, Status::out_of_memory);
    EXPECT_FALSE(rows[0].time_median_us);
    EXPECT_EQ(run.measure(2, {}, {}, {})[0].status, Status::passed) << "the next layer is measured";
}

TEST(NetworkRun, stops_between_samples) {
    FakeLab fake = lab();
    NetworkRun run(*fake.registry, *fake.device, plan(false));
    std::stop_source stop;
    stop.request_stop();
    for (const Record& row : run.measure(0, {}, {}, stop.get_token())) EXPECT_EQ(row.status, Status::cancelled);
}

}  // namespace
}  // namespace convscope
