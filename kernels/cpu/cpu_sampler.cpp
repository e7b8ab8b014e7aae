#include "kernels/cpu/cpu_sampler.h"

#include <algorithm>
#include <chrono>

#include "kernels/cpu/aligned_buffer.h"

namespace convscope {
namespace {

using Clock = std::chrono::steady_clock;

/// Adds up the spans between start() and stop(), in microseconds.
class Stopwatch {
public:
    void start() { start_ = Clock::now(); }
    void stop() { total_ += std::chrono::duration<double, std::micro>(Clock::now() - start_).count(); }
    double microseconds() const { return total_; }

private:
    Clock::time_point start_;
    double total_ = 0;
};

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

class CpuSampler final : public Sampler {
public:
    CpuSampler(Execution& execution, TimingScope scope, CacheMode cache, std::int64_t last_level_bytes)
        : execution_(execution), scope_(scope) {
        if (cache == CacheMode::cold) flush_ = std::make_unique<CacheFlush>(last_level_bytes);
    }

    double sample_us() override {
        if (flush_) (*flush_)();
        Stopwatch watch;
        if (scope_ >= TimingScope::copies) bring_in(watch);
        watch.start();
        execution_.run();
        execution_.synchronize();
        if (scope_ >= TimingScope::copies) execution_.download();
        watch.stop();
        return watch.microseconds();
    }

private:
    // The wider scopes contain one release and one allocation (one teardown and one setup) each. Freeing first
    // and making anew leaves the execution as the next sample expects it. Weights are prepared off the clock.
    void bring_in(Stopwatch& watch) {
        watch.start();
        if (scope_ >= TimingScope::alloc) execution_.release();
        if (scope_ >= TimingScope::setup) {
            execution_.teardown();
            execution_.setup();
        }
        if (scope_ >= TimingScope::alloc) execution_.allocate();
        execution_.upload();
        watch.stop();
        execution_.prepare_weights();
    }

    Execution& execution_;
    TimingScope scope_;
    std::unique_ptr<CacheFlush> flush_;
};

}  // namespace

std::unique_ptr<Sampler> make_cpu_sampler(Execution& execution, TimingScope scope, CacheMode cache,
                                          std::int64_t last_level_cache_bytes) {
    return std::make_unique<CpuSampler>(execution, scope, cache, last_level_cache_bytes);
}

}  // namespace convscope
