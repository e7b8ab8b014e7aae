// The clock on kernels of known length with added noise: bias and spread of every scope, hot and cold, from 2 us to
// 20 ms. The table goes into docs/measurements/h100-clock.md. Needs a GPU of one's own: CONVSCOPE_CLOCK_TEST=1.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "kernels/cuda/graph.h"
#include "kernels/cuda/timing_kernels.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/kernels/gpu/timed_work.h"

namespace convscope {
namespace {

constexpr unsigned blocks = 132;

struct Figures {
    double median = 0, spread = 0;  ///< half the distance between the 5th and the 95th of 100
};

Figures figures_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double p) {
        return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
    };
    return {at(0.5), (at(0.95) - at(0.05)) / 2};
}

/// A kernel of this length at every call; with noise, of up to a tenth more at each capture of it.
testing::TimedWork spinning(Gpu& gpu, double us) {
    return testing::TimedWork(gpu, [us](cudaStream_t stream) {
        enqueue_spin_nanoseconds(stream, static_cast<long long>(1000 * us), blocks);
    });
}

/// Kernels of slightly different lengths one after the other, whose mean length is known exactly.
testing::TimedWork noisy(Gpu& gpu, double us) {
    return testing::TimedWork(gpu, [us, random = std::mt19937(1)](cudaStream_t stream) mutable {
        const double more = 0.1 * us * static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
        enqueue_spin_nanoseconds(stream, static_cast<long long>(1000 * (us + more)), blocks);
    });
}

Figures samples_of(Device& device, Execution& execution, TimingScope scope, CacheMode cache, double us) {
    const auto sampler = device.make_sampler(execution, scope, cache);
    const int count = us > 5000 ? 15 : 41;
    std::vector<double> samples;
    for (int i = 0; i < 3; ++i) sampler->sample_us();
    for (int i = 0; i < count; ++i) samples.push_back(sampler->sample_us());
    return figures_of(std::move(samples));
}

/// The independent meter, written apart from the clock: plain events round the replay of a graph of many copies.
double by_events(testing::TimedWork& work, double us) {
    const int copies = std::clamp(static_cast<int>(20000 / us), 2, 1000);
    Graph graph(work.stream(), [&] {
        for (int i = 0; i < copies; ++i) work.run(nullptr);
    });
    Event begin, end;
    std::vector<double> times;
    for (int i = 0; i < 15; ++i) {
        enqueue_spin_nanoseconds(work.stream(), 50'000);  // the host submits the graph meanwhile
        begin.record(work.stream());
        graph.launch();
        end.record(work.stream());
        work.synchronize();
        times.push_back(end.us_since(begin) / copies);
    }
    return figures_of(std::move(times)).median;
}

class ClockTable : public testing::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (!IsSkipped() && !std::getenv("CONVSCOPE_CLOCK_TEST"))
            GTEST_SKIP() << "set CONVSCOPE_CLOCK_TEST=1 on a GPU that is yours alone";
    }
};

TEST_F(ClockTable, bias_and_spread_of_every_scope) {
    std::printf("| spins us | cache | events us | kernel | launch | copies | alloc | setup |\n");
    std::printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (const double us : {2.0, 5.0, 20.0, 200.0, 2000.0, 20000.0}) {
        testing::TimedWork work = spinning(*device().gpu(), us);
        const double events = by_events(work, us);
        for (const CacheMode cache : {CacheMode::hot, CacheMode::cold}) {
            std::printf("| %g | %s | %.3f |", us, to_string(cache), events);
            for (const TimingScope scope : {TimingScope::kernel, TimingScope::launch, TimingScope::copies,
                                            TimingScope::alloc, TimingScope::setup}) {
                const Figures seen = samples_of(device(), work, scope, cache, us);
                std::printf(" %+.3f ±%.3f |", seen.median - events, seen.spread);
                if (scope == TimingScope::kernel && cache == CacheMode::hot) {
                    EXPECT_NEAR(seen.median / events, 1, 0.02) << us << " us";
                }
                EXPECT_GT(seen.median, 0.98 * us);
            }
            std::printf("\n");
        }
    }
}

TEST_F(ClockTable, noise_in_the_kernel_is_not_bias) {
    std::printf("| spins us, to a tenth more | mean us | kernel, hot us | ratio |\n| --- | --- | --- | --- |\n");
    for (const double us : {2.0, 20.0, 200.0, 2000.0}) {
        // Both meters see several draws of the noise; the step between kernels is what the noiseless ones have.
        testing::TimedWork plain = spinning(*device().gpu(), us);
        const double expected = by_events(plain, us) + 0.05 * us;
        std::vector<double> medians;
        testing::TimedWork work = noisy(*device().gpu(), us);
        for (int i = 0; i < 15; ++i)
            medians.push_back(samples_of(device(), work, TimingScope::kernel, CacheMode::hot, 10000).median);
        double mean = 0;
        for (const double value : medians) mean += value / static_cast<double>(medians.size());
        std::printf("| %g | %.3f | %.3f | %.4f |\n", us, expected, mean, mean / expected);
        EXPECT_NEAR(mean / expected, 1, 0.04) << us << " us";
    }
}

}  // namespace
}  // namespace convscope
