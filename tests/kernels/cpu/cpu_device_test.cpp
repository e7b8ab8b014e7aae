#include "kernels/cpu/cpu_device.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "kernels/cpu/thread_waits.h"
#include "tests/support/fake_clock.h"

namespace convscope {
namespace {

using testing::FakeClock;

/// Counts its runs; the parts that a scope may time take a known while.
class Timed final : public Execution {
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
    static void nap(int milliseconds) { FakeClock::advance(std::chrono::milliseconds(milliseconds)); }
};

TEST(CpuSampler, each_scope_contains_what_it_says_and_never_the_weights) {
    const FakeClock clock;
    const auto device = make_cpu_device("");
    const std::pair<TimingScope, double> scopes[] = {{TimingScope::kernel, 3e3},
                                                     {TimingScope::launch, 3e3},
                                                     {TimingScope::copies, 7e3},
                                                     {TimingScope::alloc, 15e3},
                                                     {TimingScope::setup, 31e3}};
    for (const auto& [scope, us] : scopes) {
        Timed timed;
        EXPECT_DOUBLE_EQ(device->make_sampler(timed, scope, CacheMode::hot)->sample_us(), us) << to_string(scope);
    }
}

TEST(CpuSampler, a_hot_sample_finds_the_caches_of_its_own_run) {
    const auto device = make_cpu_device("");
    Timed hot, cold;
    device->make_sampler(hot, TimingScope::kernel, CacheMode::hot)->sample_us();
    EXPECT_EQ(hot.runs, 2) << "one off the clock, one on it";
    device->make_sampler(cold, TimingScope::kernel, CacheMode::cold)->sample_us();
    EXPECT_EQ(cold.runs, 1);
}

TEST(CpuStageTimer, gives_the_time_of_each_stage) {
    const FakeClock clock;
    const auto device = make_cpu_device("");
    const auto timer = device->make_stage_timer();
    Timed timed;
    timed.run(timer.get());
    timer->stop();
    const auto times = timer->times_us();
    ASSERT_EQ(times.size(), 2u);
    EXPECT_EQ(times[0].first, "convert");
    EXPECT_DOUBLE_EQ(times[0].second, 1e3);
    EXPECT_EQ(times[1].first, "multiply");
    EXPECT_DOUBLE_EQ(times[1].second, 2e3);
}

class Waits : public ::testing::Test {
protected:
    static void say(const char* waits) { setenv("CONVSCOPE_WAITS", waits, 1); }
    ~Waits() override { say("none"); }

    const FakeClock clock_;
    const std::unique_ptr<Device> device_ = make_cpu_device("");
    Timed timed_;
};

TEST_F(Waits, lengthen_each_sample_where_one_always_does) {
    say("all");
    const auto sampler = device_->make_sampler(timed_, TimingScope::kernel, CacheMode::hot);
    const auto timer = device_->make_stage_timer();
    sampler->sample_us();
    EXPECT_TRUE(sampler->lengthened());
    timed_.run(timer.get());
    timer->stop();
    timer->times_us();
    EXPECT_TRUE(timer->lengthened());
}

TEST_F(Waits, lengthen_nothing_where_none_does) {
    say("none");
    const auto sampler = device_->make_sampler(timed_, TimingScope::kernel, CacheMode::hot);
    sampler->sample_us();
    EXPECT_FALSE(sampler->lengthened());
}

TEST_F(Waits, are_counted_up_by_the_system) {
    unsetenv("CONVSCOPE_WAITS");
    const auto waits = ThreadWaits::of_this_process();
    const double before = waits->microseconds();
    EXPECT_GE(before, 0);
    EXPECT_GE(waits->microseconds(), before);
    EXPECT_EQ(ThreadWaits::of_this_process(), waits) << "one for all that ask";
    say("none");
    EXPECT_NE(ThreadWaits::of_this_process(), waits);
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
