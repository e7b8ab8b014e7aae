#include "kernels/cpu/cpu_device.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace convscope {
namespace {

/// Counts its runs; the parts that a scope may time sleep for a known while.
class Sleeper final : public Execution {
public:
    void setup() override { nap(16); }
    void allocate() override { nap(8); }
    void stage_inputs(const Workload&) override {}
    void upload() override { nap(4); }
    void prepare_weights() override { nap(300); }
    void poison_output() override {}
    void run(StageClock* stages) override {
        ++runs;
        if (stages) stages->mark("convert");
        nap(1);
        if (stages) stages->mark("multiply");
        nap(2);
    }
    void download() override {}
    Tensor output() const override { return {}; }
    void release() override {}
    std::int64_t workspace_bytes() const override { return 0; }
    int runs = 0;

private:
    static void nap(int units) { std::this_thread::sleep_for(std::chrono::milliseconds(units)); }
};

TEST(CpuSampler, each_scope_contains_what_it_says_and_never_the_weights) {
    const auto device = make_cpu_device("");
    const std::pair<TimingScope, double> scopes[] = {{TimingScope::kernel, 3e3},
                                                     {TimingScope::launch, 3e3},
                                                     {TimingScope::copies, 7e3},
                                                     {TimingScope::alloc, 15e3},
                                                     {TimingScope::setup, 31e3}};
    for (const auto& [scope, min_us] : scopes) {
        Sleeper sleeper;
        const double us = device->make_sampler(sleeper, scope, CacheMode::hot)->sample_us();
        EXPECT_GE(us, min_us) << to_string(scope);
        EXPECT_LT(us, min_us + 290e3) << to_string(scope) << " seems to contain the 300 ms of prepare_weights";
    }
}

TEST(CpuSampler, a_hot_sample_finds_the_caches_of_its_own_run) {
    const auto device = make_cpu_device("");
    Sleeper hot, cold;
    device->make_sampler(hot, TimingScope::kernel, CacheMode::hot)->sample_us();
    EXPECT_EQ(hot.runs, 2) << "one off the clock, one on it";
    device->make_sampler(cold, TimingScope::kernel, CacheMode::cold)->sample_us();
    EXPECT_EQ(cold.runs, 1);
}

TEST(CpuStageTimer, gives_the_time_of_each_stage) {
    const auto device = make_cpu_device("");
    const auto timer = device->make_stage_timer();
    Sleeper sleeper;
    sleeper.run(timer.get());
    timer->stop();
    const auto times = timer->times_us();
    ASSERT_EQ(times.size(), 2u);
    EXPECT_EQ(times[0].first, "convert");
    EXPECT_GE(times[0].second, 1e3);
    EXPECT_EQ(times[1].first, "multiply");
    EXPECT_GE(times[1].second, 2e3);
}

TEST(CpuDevice, describes_itself) {
    const auto device = make_cpu_device("oneDNN 1.2.3");
    EXPECT_EQ(device->info().id, "cpu");
    EXPECT_TRUE(device->info().available);
    EXPECT_FALSE(device->info().name.empty());
    EXPECT_EQ(device->info().vendor_version, "oneDNN 1.2.3");
    EXPECT_GT(device->info().model.l2_bytes, 0);
    EXPECT_GT(device->free_memory_bytes(), 0);
    EXPECT_LE(device->free_memory_bytes(), device->info().model.memory_bytes);
}

}  // namespace
}  // namespace convscope
