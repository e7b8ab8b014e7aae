#include "kernels/method/host_sampler.h"

#include <chrono>
#include <utility>

#include "kernels/core/measuring_clock.h"

namespace convscope {
namespace {

using Clock = MeasuringClock;

/// Adds up the spans between start() and stop(), in microseconds.
class SpanTimer {
public:
    void start() { start_ = Clock::now(); }
    void stop() { total_ += std::chrono::duration<double, std::micro>(Clock::now() - start_).count(); }
    double microseconds() const { return total_; }

private:
    Clock::time_point start_;
    double total_ = 0;
};

class HostSampler final : public Sampler {
public:
    HostSampler(Execution& execution, TimingScope scope, std::function<void()> prepare,
                std::function<double()> waited_us)
        : execution_(execution), scope_(scope), prepare_(std::move(prepare)), waited_us_(std::move(waited_us)) {}

    double sample_us() override {
        return single_run_us([] {});
    }
    double single_run_us(const std::function<void()>& refresh) override {
        if (prepare_) prepare_();
        refresh();
        waited_before_us_ = waited_us_ ? waited_us_() : 0;
        SpanTimer watch;
        if (scope_ >= TimingScope::copies) bring_in(watch);
        watch.start();
        execution_.run();
        execution_.synchronize();
        if (scope_ >= TimingScope::copies) execution_.download();
        watch.stop();
        return sampled_us_ = watch.microseconds();
    }
    bool lengthened() const override {
        return waited_us_ && waited_us_() - waited_before_us_ > tolerated_wait * sampled_us_;
    }

private:
    // The wider scopes contain one release and one allocation (one teardown and one setup) each. Freeing first and
    // making again times the same work as the natural order, and leaves the execution ready for the
    // next sample. Weights are prepared off the clock.
    void bring_in(SpanTimer& watch) {
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
        execution_.synchronize();
    }

    Execution& execution_;
    TimingScope scope_;
    std::function<void()> prepare_;
    std::function<double()> waited_us_;
    double waited_before_us_ = 0, sampled_us_ = 0;  ///< of the last sample
};

}  // namespace

std::unique_ptr<Sampler> make_host_sampler(Execution& execution, TimingScope scope, std::function<void()> prepare,
                                           std::function<double()> waited_us) {
    return std::make_unique<HostSampler>(execution, scope, std::move(prepare), std::move(waited_us));
}

}  // namespace convscope
