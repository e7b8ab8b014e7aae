#include "kernels/cuda/kernel_sampler.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/cuda/graph.h"
#include "kernels/cuda/hold.h"

namespace convscope {
namespace {

// A sample is made of enough runs to be long against the clock's ticks, and of few enough to stay responsive.
constexpr double hot_sample_us = 200;
constexpr double cold_sample_us = 100;
constexpr double max_cold_runs = 8;  // each has a flush in front, tens of microseconds long
constexpr double max_nodes = 4096;   // instantiating a graph takes microseconds a node
constexpr double max_stream_runs = 16;
// Candidates are sampled in turn, so a hot sample first runs once off the clock, to find the cache as a run of
// its own leaves it. Filling the whole L2 takes tens of microseconds: nothing against a run of this length.
constexpr double long_run_us = 5000;

int runs_per_sample(CacheMode cache, double run_us, double most) {
    const double wanted = (cache == CacheMode::hot ? hot_sample_us : cold_sample_us) / std::max(run_us, 0.1);
    return static_cast<int>(std::clamp(std::ceil(wanted), 1.0, std::max(most, 1.0)));
}

struct Interval {
    Event begin, end;
};

class GraphSampler final : public Sampler {
public:
    GraphSampler(GpuClock& clock, Execution& execution, CacheMode cache)
        : clock_(clock), execution_(execution), cache_(cache) {
        if (cache_ == CacheMode::cold) clock_.prepare_flush();
        boundary_us_ = clock_.boundary_us();
        build(1);
        sample_us();  // the first replay also uploads the graph
        const double run_us = std::min(sample_us(), sample_us());
        const double most = cache_ == CacheMode::hot ? max_nodes / static_cast<double>(graph_->nodes()) : max_cold_runs;
        warm_ = cache_ == CacheMode::hot && run_us < long_run_us;
        if (const int runs = runs_per_sample(cache_, run_us, most); warm_ || runs > 1) build(runs);
    }

    double sample_us() override {
        graph_->launch();
        execution_.synchronize();
        double total = 0;
        for (const Interval& interval : intervals_) total += interval.end.us_since(interval.begin) - boundary_us_;
        return total / runs_;
    }

    double single_run_us(const std::function<void()>& refresh) override {
        if (!single_) {
            single_.emplace(clock_.stream(), [this] {
                clock_.enqueue_lead();
                enqueue(single_interval_, 1);
            });
            single_->launch();  // the first replay also uploads the graph
            clock_.synchronize();
        }
        refresh();
        single_->launch();
        clock_.synchronize();
        return single_interval_.end.us_since(single_interval_.begin) - boundary_us_;
    }

private:
    void enqueue(Interval& interval, int runs) {
        if (cache_ == CacheMode::cold) clock_.enqueue_flush();
        interval.begin.record_node(clock_.stream());
        for (int i = 0; i < runs; ++i) execution_.run();
        interval.end.record_node(clock_.stream());
    }

    void build(int runs) {
        runs_ = runs;
        graph_.reset();
        intervals_ = std::vector<Interval>(static_cast<std::size_t>(cache_ == CacheMode::hot ? 1 : runs));
        const int runs_each = cache_ == CacheMode::hot ? runs : 1;
        graph_.emplace(clock_.stream(), [&] {
            clock_.enqueue_lead();
            if (warm_) execution_.run();
            for (Interval& interval : intervals_) enqueue(interval, runs_each);
        });
    }

    GpuClock& clock_;
    Execution& execution_;
    CacheMode cache_;
    bool warm_ = false;
    int runs_ = 1;
    double boundary_us_ = 0;
    std::vector<Interval> intervals_;
    Interval single_interval_;
    std::optional<Graph> graph_, single_;
};

/// Holds the stream while the work is enqueued, so that the host's pace stays out of the time.
class StreamSampler final : public Sampler {
public:
    StreamSampler(GpuClock& clock, Execution& execution, CacheMode cache, std::string rejected)
        : clock_(clock), execution_(execution), cache_(cache), rejected_(std::move(rejected)) {
        if (cache_ == CacheMode::cold) clock_.prepare_flush();
        const double run_us = std::min(sample_us(), sample_us());
        if (cache_ == CacheMode::hot) runs_ = runs_per_sample(cache_, run_us, max_stream_runs);
    }

    double sample_us() override {
        const double time_us = time_runs(runs_);
        execution_.synchronize();
        return time_us;
    }

    double single_run_us(const std::function<void()>& refresh) override {
        refresh();
        return time_runs(1);
    }

    std::string note() const override {
        return "timed by events in the stream, gaps between kernels included, because it could not be captured into a "
               "CUDA graph (" +
               rejected_ + ")" + (waits_for_host_ ? "; it waits for the GPU, so the host's pace is in the time" : "");
    }

private:
    double time_runs(int runs) {
        cudaStream_t stream = clock_.stream();
        if (!waits_for_host_) hold_.enqueue(stream);
        if (cache_ == CacheMode::cold) clock_.enqueue_flush();
        begin_.record(stream);
        for (int i = 0; i < runs; ++i) execution_.run();
        end_.record(stream);
        hold_.release();
        clock_.synchronize();
        if (hold_.gave_up()) waits_for_host_ = true;
        return end_.us_since(begin_) / runs;
    }

    GpuClock& clock_;
    Execution& execution_;
    CacheMode cache_;
    std::string rejected_;
    bool waits_for_host_ = false;
    int runs_ = 1;
    Event begin_, end_;
    StreamHold hold_;
};

}  // namespace

std::unique_ptr<Sampler> make_kernel_sampler(GpuClock& clock, Execution& execution, CacheMode cache) {
    execution.run();  // loads the kernels: that cannot be captured
    execution.synchronize();
    try {
        return std::make_unique<GraphSampler>(clock, execution, cache);
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Error& rejected) {
        return std::make_unique<StreamSampler>(clock, execution, cache, rejected.what());
    }
}

}  // namespace convscope
