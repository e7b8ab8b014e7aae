// Methods that want to look faster than they are: each must come out incorrect or suspicious, and the honest one
// passed.
#include <gtest/gtest.h>

#include <cmath>
#include <future>

#include "kernels/measure/measure.h"
#include "kernels/measure/recheck.h"
#include "kernels/method/host_sampler.h"
#include "tests/support/fake_clock.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

using testing::FakeClock;

/// Direct convolution, one product after the other, as an honest method does it. It takes a
/// millisecond, by the clock of these tests.
class Honest : public Execution {
public:
    void setup() override {}
    void allocate() override {}
    void stage_inputs(const Workload& workload) override {
        staged_ = workload;
        if (y_.data.empty()) y_ = Tensor(shape().n, shape().k, shape().p(), shape().q());
    }
    void upload() override {
        x_ = staged_.x;
        w_ = staged_.w;
    }
    void poison_output() override { y_.data.assign(y_.data.size(), std::numeric_limits<float>::quiet_NaN()); }
    void run(StageClock*) override { convolve(y_); }
    void download() override { fetched_ = y_; }
    Tensor output() const override { return fetched_; }
    void release() override {}
    std::int64_t workspace_bytes() const override { return 0; }

protected:
    const ConvShape& shape() const { return staged_.spec.shape; }
    void convolve(Tensor& y) const {
        for (std::int64_t k = 0; k < shape().k; ++k)
            for (std::int64_t p = 0; p < shape().p(); ++p)
                for (std::int64_t q = 0; q < shape().q(); ++q) {
                    float sum = 0;
                    for (std::int64_t c = 0; c < shape().c; ++c)
                        for (std::int64_t r = 0; r < shape().r; ++r)
                            for (std::int64_t s = 0; s < shape().s; ++s)
                                sum += x_.at(0, c, p + r, q + s) * w_.at(k, c, r, s);
                    y.at(0, k, p, q) = sum;
                }
        FakeClock::advance(std::chrono::milliseconds(1));
    }

    Workload staged_;
    Tensor x_, w_, y_, fetched_;
};

/// Takes its time with other inputs, which nobody times.
class StagesSlowly final : public Honest {
    void stage_inputs(const Workload& workload) override {
        if (!staged_.x.data.empty()) FakeClock::advance(std::chrono::milliseconds(700));
        Honest::stage_inputs(workload);
    }
};

/// Keeps the result of the last x.
class Caches final : public Honest {
    void run(StageClock*) override {
        if (x_.data != known_x_.data) convolve(known_y_ = y_);
        known_x_ = x_;
        y_ = known_y_;
    }
    Tensor known_x_, known_y_;
};

/// Computes once, and never again.
class ComputesOnce : public Honest {
    void run(StageClock*) override {
        if (first_y_.data.empty()) convolve(first_y_ = y_);
        y_ = first_y_;
    }
    Tensor first_y_;
};

/// The same, after a first upload that takes longer than all that follows.
class CalibratesFirst final : public ComputesOnce {
    void upload() override {
        if (x_.data.empty()) FakeClock::advance(std::chrono::minutes(1));
        ComputesOnce::upload();
    }
};

/// Computes only where y is filled with NaN: when somebody looks.
class WaitsForPoison final : public Honest {
    void run(StageClock*) override {
        if (std::isnan(y_.data.front())) convolve(y_);
    }
};

/// Writes nothing when x is the same, once it believes that nobody looks any more.
class WritesNothing final : public Honest {
    void run(StageClock*) override {
        if (++runs_ <= 20 || x_.data != last_x_.data) convolve(y_);
        last_x_ = x_;
    }
    int runs_ = 0;
    Tensor last_x_;
};

/// Does its work when the result is fetched.
class IsLate final : public Honest {
    void run(StageClock*) override {}
    void download() override {
        convolve(y_);
        Honest::download();
    }
};

/// Work on another stream, which is waited for when the result is fetched.
class WorksElsewhere final : public Honest {
    void upload() override {
        wait();
        Honest::upload();
    }
    void poison_output() override {
        wait();
        Honest::poison_output();
    }
    void run(StageClock*) override {
        if (!work_.valid()) work_ = std::async(std::launch::deferred, [this] { convolve(y_); });
    }
    void download() override {
        wait();
        Honest::download();
    }
    void wait() {
        if (work_.valid()) work_.get();
    }
    std::future<void> work_;
};

/// Does its work when x arrives.
class IsEarly final : public Honest {
    void upload() override {
        Honest::upload();
        convolve(early_y_ = y_);
    }
    void run(StageClock*) override { y_ = early_y_; }
    Tensor early_y_;
};

template <class Kind>
class CheatingMethod final : public Method {
public:
    CheatingMethod() {
        info_.id = "cheat";
        info_.family = "fake";
    }
    const MethodInfo& info() const override { return info_; }
    std::int64_t workspace_bytes(const ConvShape&) const override { return 0; }
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const override {
        return std::make_unique<Kind>();
    }

private:
    Support can_run(const ConvShape&) const override { return {}; }
    MethodInfo info_;
};

class PlainDevice final : public Device {
public:
    PlainDevice() {
        info_.id = "plain";
        info_.available = true;
        info_.model.fp32_tflops = 0.005;
    }
    const DeviceInfo& info() const override { return info_; }
    std::int64_t free_memory_bytes() const override { return 1 << 30; }
    std::unique_ptr<Sampler> make_sampler(Execution& execution, TimingScope scope, CacheMode) override {
        return make_host_sampler(execution, scope, [&execution] { execution.run(); });
    }
    std::unique_ptr<StageTimer> make_stage_timer() override { throw Error(ErrorKind::failed, "not here"); }

private:
    DeviceInfo info_;
};

template <class Kind>
Record measured() {
    const FakeClock clock;
    ConvShape shape;
    shape.c = shape.k = 4;
    shape.h = shape.w = 28;
    shape.r = shape.s = 3;
    Registry registry;
    registry.add(std::make_unique<CheatingMethod<Kind>>());
    auto own = std::make_unique<PlainDevice>();
    Device& device = *own;
    registry.add(std::move(own));
    MeasureOptions options;
    options.max_noise_pct = 0;
    options.timeout_s = 0.3;
    options.max_samples = 2000;  // some take no time at all
    options.recheck_share = 1;
    return measure(registry, device, testing::random_workload(shape, 0.5, 1), {{"cheat", {}}}, options, {}, {}).at(0);
}

void expect_reason(const Record& record, Status status, const std::string& part) {
    EXPECT_EQ(record.status, status) << to_string(record.status) << ": " << record.status_reason;
    EXPECT_NE(record.status_reason.find(part), std::string::npos) << record.status_reason;
}

TEST(Cheats, who_does_not_passes) {
    const Record record = measured<Honest>();
    EXPECT_EQ(record.status, Status::passed) << record.status_reason;
}

TEST(Cheats, looking_for_them_is_no_pause) {
    const Record record = measured<StagesSlowly>();
    EXPECT_EQ(record.status, Status::passed);
    EXPECT_EQ(record.status_reason.find("paused"), std::string::npos) << record.status_reason;
}

TEST(Cheats, a_result_kept_from_an_earlier_run_is_suspicious) {
    expect_reason(measured<Caches>(), Status::suspicious, "us when its inputs have changed and ");
}

TEST(Cheats, a_result_that_does_not_follow_its_inputs_is_incorrect) {
    const Record record = measured<ComputesOnce>();
    expect_reason(record, Status::incorrect, "after its inputs had changed: y[");
    EXPECT_FALSE(record.time_median_us);
}

TEST(Cheats, a_first_upload_that_takes_long_leaves_time_to_look_for_them) {
    expect_reason(measured<CalibratesFirst>(), Status::incorrect, "after its inputs had changed: y[");
}

TEST(Cheats, writing_nothing_when_x_is_the_same_is_incorrect) {
    expect_reason(measured<WritesNothing>(), Status::incorrect, "in a later run: y[0,0,0,0] is nan");
}

TEST(Cheats, computing_only_over_poison_is_incorrect) {
    expect_reason(measured<WaitsForPoison>(), Status::incorrect, "after its inputs had changed: y[");
}

TEST(Cheats, work_left_after_the_clock_is_suspicious) {
    expect_reason(measured<IsLate>(), Status::suspicious, "us of work are left when the clock stops");
}

TEST(Cheats, work_on_another_stream_is_suspicious) {
    expect_reason(measured<WorksElsewhere>(), Status::suspicious, "us of work are left when the clock stops");
}

TEST(Cheats, a_time_below_the_floor_of_arithmetic_is_suspicious) {
    const Record record = measured<IsEarly>();
    expect_reason(record, Status::suspicious, "its multiply-adds and its arrays take at least");
    EXPECT_TRUE(record.time_median_us) << "the time that cannot be is told";
}

TEST(Cheats, are_looked_for_only_as_long_as_their_share_lasts) {
    Honest execution;
    PlainDevice device;
    const auto sampler = device.make_sampler(execution, TimingScope::kernel, CacheMode::hot);
    const auto ever_due = [&](double cost_s, double share, double sampled_s, double timeout_s) {
        const Workload data;
        Recheck recheck(device, execution, *sampler, data, true, cost_s, {});
        bool due = false;
        for (int i = 0; i < 100; ++i) due |= recheck.due(share, sampled_s, timeout_s);
        return due;
    };
    EXPECT_TRUE(ever_due(0.09, 0.05, 0, 5)) << "2 % of the timeout";
    EXPECT_FALSE(ever_due(0.11, 0.05, 0, 5));
    EXPECT_TRUE(ever_due(0.11, 0.05, 3, 5)) << "5 % of the time of samples";
    EXPECT_FALSE(ever_due(0.001, 0, 3, 5)) << "none requested";
}

}  // namespace
}  // namespace convscope
