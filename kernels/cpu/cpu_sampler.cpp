#include "kernels/cpu/cpu_sampler.h"

#include <algorithm>
#include <chrono>

#include "kernels/core/measuring_clock.h"
#include "kernels/cpu/aligned_buffer.h"
#include "kernels/cpu/thread_waits.h"
#include "kernels/method/host_sampler.h"

namespace convscope {
namespace {

/// Evicts everything else from the caches of every core by writing more than the last level holds.
class CacheFlush {
public:
    explicit CacheFlush(std::int64_t last_level_bytes) : buffer_(2 * last_level_bytes) {
        buffer_.allocate();
        std::fill_n(buffer_.data(), buffer_.size(), char{0});
    }
    void operator()() {
        constexpr std::int64_t line = 64;
        char* bytes = buffer_.data();
        const std::int64_t size = buffer_.size();
#pragma omp parallel for
        for (std::int64_t i = 0; i < size; i += line) bytes[i] = static_cast<char>(bytes[i] + 1);
    }

private:
    AlignedBuffer<char> buffer_;
};

/// Candidates are sampled in turn, so a hot sample first runs once off the clock, to find the caches as a run
/// of its own leaves them. Refilling them takes milliseconds at most: nothing against a long run.
class OwnCaches {
public:
    explicit OwnCaches(Execution& execution) : execution_(execution) {}
    void operator()() {
        using Clock = MeasuringClock;
        constexpr std::chrono::milliseconds long_run{20};
        if (runs_long_) return;
        const Clock::time_point start = Clock::now();
        execution_.run();
        execution_.synchronize();
        runs_long_ = Clock::now() - start >= long_run;
    }

private:
    Execution& execution_;
    bool runs_long_ = false;
};

}  // namespace

std::unique_ptr<Sampler> make_cpu_sampler(Execution& execution, TimingScope scope, CacheMode cache,
                                          std::int64_t last_level_cache_bytes) {
    const auto waits = ThreadWaits::of_this_process();
    const auto waited_us = [waits] { return waits->microseconds(); };
    if (cache == CacheMode::hot) {
        // The wider scopes bring x and w in themselves.
        if (scope > TimingScope::launch) return make_host_sampler(execution, scope, {}, waited_us);
        return make_host_sampler(execution, scope, OwnCaches(execution), waited_us);
    }
    auto flush = std::make_shared<CacheFlush>(last_level_cache_bytes);
    return make_host_sampler(
        execution, scope, [flush] { (*flush)(); }, waited_us);
}

}  // namespace convscope
