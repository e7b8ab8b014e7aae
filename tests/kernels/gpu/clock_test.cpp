// The clock against kernels of known length. The figures depend on nobody else using the GPU, so the comparison is
// made only where CONVSCOPE_CLOCK_TEST is set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "kernels/cuda/graph.h"
#include "kernels/cuda/timing_kernels.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/kernels/gpu/timed_work.h"

namespace convscope {
namespace {

using testing::TimedWork;

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

double median_sample(Device& device, Execution& execution, TimingScope scope, CacheMode cache) {
    const auto sampler = device.make_sampler(execution, scope, cache);
    EXPECT_EQ(sampler->note(), "");
    std::vector<double> samples;
    for (int i = 0; i < 51; ++i) samples.push_back(sampler->sample_us());
    return median(samples);
}

/// The independent meter: ordinary events in the stream round the replay of a long graph.
double by_plain_events(TimedWork& execution, int copies) {
    Graph graph(execution.stream(), [&] {
        for (int i = 0; i < copies; ++i) execution.run(nullptr);
    });
    Event begin, end;
    std::vector<double> times;
    for (int i = 0; i < 21; ++i) {
        enqueue_spin_nanoseconds(execution.stream(), 50'000);  // the host submits the graph meanwhile
        begin.record(execution.stream());
        graph.launch();
        end.record(execution.stream());
        execution.synchronize();
        times.push_back(end.us_since(begin) / copies);
    }
    return median(times);
}

class Clock : public testing::GpuTest {};

TEST_F(Clock, agrees_with_an_independent_meter_on_kernels_of_known_length) {
    if (!std::getenv("CONVSCOPE_CLOCK_TEST")) GTEST_SKIP() << "set CONVSCOPE_CLOCK_TEST=1 on a GPU that is yours alone";
    std::printf("%10s %12s %12s %12s %10s %10s\n", "spin us", "events us", "hot us", "cold us", "hot/ev", "cold/ev");
    for (const double us : {2.0, 5.0, 20.0, 200.0, 2000.0}) {
        TimedWork spin(*device().gpu(), [us](cudaStream_t stream) {
            enqueue_spin_nanoseconds(stream, static_cast<long long>(1000 * us), 132);
        });
        const double events = by_plain_events(spin, std::clamp(static_cast<int>(20000 / us), 2, 1000));
        const double hot = median_sample(device(), spin, TimingScope::kernel, CacheMode::hot);
        const double cold = median_sample(device(), spin, TimingScope::kernel, CacheMode::cold);
        std::printf("%10.1f %12.3f %12.3f %12.3f %10.4f %10.4f\n", us, events, hot, cold, hot / events, cold / events);
        EXPECT_NEAR(hot / events, 1, 0.02) << us << " us";
        // After a flush even the kernel's instructions come from memory: some hundred nanoseconds, once.
        EXPECT_GT(cold, 0.98 * events) << us << " us";
        EXPECT_LT(cold, 1.02 * events + 0.5) << us << " us";
        // A kernel cannot be shorter than it spins; the step to the next kernel takes about a microsecond.
        EXPECT_GT(hot, us);
        EXPECT_LT(hot, us + 2.0);
    }
}

TEST_F(Clock, sees_an_empty_cache) {
    if (!std::getenv("CONVSCOPE_CLOCK_TEST")) GTEST_SKIP() << "set CONVSCOPE_CLOCK_TEST=1 on a GPU that is yours alone";
    const DeviceModel& model = device().info().model;
    Gpu& gpu = *device().gpu();
    const auto bytes = static_cast<std::size_t>(model.l2_bytes / 4);
    void* buffer = gpu.allocate(bytes);
    gpu.fill_bytes(buffer, 0, bytes);
    TimedWork read(gpu, [&](cudaStream_t stream) {
        enqueue_flush(stream, static_cast<float4*>(buffer), bytes, static_cast<unsigned>(8 * model.sms));
    });
    const double hot = median_sample(device(), read, TimingScope::kernel, CacheMode::hot);
    const double cold = median_sample(device(), read, TimingScope::kernel, CacheMode::cold);
    gpu.release(buffer);
    const double from_memory = static_cast<double>(bytes) / model.memory_gb_per_s / 1e3;
    std::printf("reading %.1f MB: hot %.2f us, cold %.2f us, at the memory's peak rate %.2f us\n",
                1e-6 * static_cast<double>(bytes), hot, cold, from_memory);
    EXPECT_GT(cold, from_memory) << "data came from the cache";
    EXPECT_GT(cold, 1.3 * hot);
}

TEST_F(Clock, times_the_stages_of_a_run) {
    Gpu& gpu = *device().gpu();
    const auto timer = device().make_stage_timer();
    auto* stream = static_cast<cudaStream_t>(gpu.stream());
    for (int pass = 0; pass < 2; ++pass) {  // a timer can be used again
        timer->mark("convert");
        enqueue_spin_nanoseconds(stream, 100'000);
        timer->mark("multiply");
        enqueue_spin_nanoseconds(stream, 300'000);
        timer->stop();
        gpu.synchronize();
        const auto times = timer->times_us();
        ASSERT_EQ(times.size(), 2U);
        EXPECT_EQ(times[0].first, "convert");
        EXPECT_NEAR(times[0].second, 100, 3);
        EXPECT_EQ(times[1].first, "multiply");
        EXPECT_NEAR(times[1].second, 300, 3);
    }
}

TEST_F(Clock, times_work_that_cannot_be_captured) {
    // Waiting for the stream is not allowed in a capture, and ends the hold.
    TimedWork waiting(*device().gpu(), [&](cudaStream_t stream) {
        enqueue_spin_nanoseconds(stream, 50'000);
        CONVSCOPE_CUDA(cudaStreamSynchronize(stream));
    });
    const auto sampler = device().make_sampler(waiting, TimingScope::kernel, CacheMode::hot);
    EXPECT_NE(sampler->note().find("could not be captured"), std::string::npos) << sampler->note();
    EXPECT_GT(sampler->sample_us(), 50);
    EXPECT_LT(sampler->sample_us(), 500);
}

TEST_F(Clock, wider_scopes_contain_the_narrower_ones) {
    TimedWork spin(*device().gpu(), [](cudaStream_t stream) { enqueue_spin_nanoseconds(stream, 200'000); });
    const double kernel = median_sample(device(), spin, TimingScope::kernel, CacheMode::hot);
    for (const TimingScope scope : {TimingScope::launch, TimingScope::copies, TimingScope::setup}) {
        const double wider = median_sample(device(), spin, scope, CacheMode::hot);
        EXPECT_GT(wider, kernel) << to_string(scope);
        EXPECT_LT(wider, kernel + 500) << to_string(scope);
    }
}

}  // namespace
}  // namespace convscope
