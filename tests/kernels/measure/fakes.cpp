#include "tests/kernels/measure/fakes.h"

#include <limits>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/reference/reference_result.h"

namespace convscope::testing {
namespace {

class FakeExecution final : public Execution {
public:
    explicit FakeExecution(const Script& script) : script_(script) {}

    void allocate() override {
        if (script_.out_of_memory) throw OutOfMemory("the fake has no memory");
    }
    void stage_inputs(const Workload& workload) override {
        right_ = reference_output(workload);
        y_ = right_;
    }
    void upload() override {}
    void poison_output() override { y_.data.assign(y_.data.size(), std::numeric_limits<float>::quiet_NaN()); }
    void run(StageClock* stages) override {
        for (int pass = 0; stages && pass < script_.passes; ++pass) stages->mark("multiply");
        const std::size_t written = y_.data.size() - (script_.leaves_last ? 1 : 0);
        for (std::size_t i = 0; i < written; ++i) y_.data[i] = right_.data[i];
        if (script_.wrong) y_.data[0] += 0.1F;
    }
    void download() override {}
    Tensor output() const override { return y_; }
    void release() override {}
    std::int64_t workspace_bytes() const override { return script_.workspace_bytes; }
    std::int64_t library_workspace_bytes() const override { return script_.library_workspace_bytes; }
    std::optional<Summation> chosen_summation() const override { return script_.chosen_summation; }
    const Script& script() const { return script_; }

private:
    Script script_;
    Tensor right_, y_;
};

class FakeMethod final : public Method {
public:
    FakeMethod(Script script, DeviceKind kind) : script_(std::move(script)) {
        info_.id = script_.id;
        info_.family = "fake";
        info_.device = kind;
        info_.vendor = script_.vendor;
        info_.vendor_best = script_.vendor_best;
        info_.dtype = script_.dtype;
        info_.stages = {"multiply"};
    }
    const MethodInfo& info() const override { return info_; }
    LaunchSpace launch_space(const ConvShape&) const override {
        LaunchSpace space;
        space.tunables = script_.tunables;
        return space;
    }
    ResolvedLaunch resolve(const ConvShape&, const LaunchConfig&, const DeviceModel&) const override {
        ResolvedLaunch resolved;
        if (!script_.rejected.empty()) resolved.support = Support::no(script_.rejected);
        return resolved;
    }
    std::int64_t workspace_bytes(const ConvShape&) const override { return script_.workspace_bytes; }
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const override {
        return std::make_unique<FakeExecution>(script_);
    }

private:
    Support can_run(const ConvShape&) const override {
        return script_.unsupported.empty() ? Support{} : Support::no(script_.unsupported);
    }
    Script script_;
    MethodInfo info_;
};

class FakeSampler final : public Sampler {
public:
    FakeSampler(FakeExecution& execution, std::vector<std::string>& log)
        : script_(execution.script()), execution_(execution), log_(log) {}
    double sample_us() override {
        if (count_ == script_.fail_at) throw Error(ErrorKind::failed, "the fake gave up");
        log_.push_back(script_.id);
        if (script_.during_sample) script_.during_sample();
        if (script_.sampler_runs) execution_.run(nullptr);
        const double time_us = script_.times_us[static_cast<std::size_t>(count_++) % script_.times_us.size()];
        return lengthened() ? 100 * time_us : time_us;
    }
    /// Single runs are no turns of the script.
    double single_run_us(const std::function<void()>& refresh) override {
        refresh();
        if (script_.sampler_runs) execution_.run(nullptr);
        return script_.times_us.front();
    }
    bool lengthened() const override {
        return script_.is_lengthened ? script_.is_lengthened() : count_ % (script_.lengthened_each + 1) != 0;
    }

private:
    const Script& script_;
    FakeExecution& execution_;
    std::vector<std::string>& log_;
    int count_ = 0;
};

class FakeTimer final : public Device::StageTimer {
public:
    explicit FakeTimer(bool rejects) : rejects_(rejects) {}
    void mark(const char* stage) override { times_.emplace_back(stage, 7.0); }
    void stop() override {
        if (rejects_) throw Error(ErrorKind::failed, "the fake cannot time stages");
    }
    std::vector<std::pair<std::string, double>> times_us() override { return times_; }

private:
    const bool rejects_;
    std::vector<std::pair<std::string, double>> times_;
};

class FakeDevice final : public Device {
public:
    FakeDevice(DeviceKind kind, std::int64_t free_bytes, bool times_stages, std::vector<std::string>& log)
        : free_bytes_(free_bytes), times_stages_(times_stages), log_(log) {
        info_.id = "fake";
        info_.kind = kind;
        info_.name = "a device that follows a script";
        info_.available = true;
    }
    const DeviceInfo& info() const override { return info_; }
    std::int64_t free_memory_bytes() const override { return free_bytes_; }
    std::unique_ptr<Sampler> make_sampler(Execution& execution, TimingScope, CacheMode) override {
        return std::make_unique<FakeSampler>(dynamic_cast<FakeExecution&>(execution), log_);
    }
    std::unique_ptr<StageTimer> make_stage_timer() override { return std::make_unique<FakeTimer>(!times_stages_); }
    ClockState clock() override { return {1500.0, false}; }

private:
    DeviceInfo info_;
    std::int64_t free_bytes_;
    bool times_stages_;
    std::vector<std::string>& log_;
};

}  // namespace

FakeLab::FakeLab(const std::vector<Script>& scripts, DeviceKind kind, std::int64_t free_bytes, bool times_stages) {
    auto fake = std::make_unique<FakeDevice>(kind, free_bytes, times_stages, log);
    device = fake.get();
    for (const Script& script : scripts) {
        registry->add(std::make_unique<FakeMethod>(script, kind));
    }
    registry->add(std::move(fake));
}

}  // namespace convscope::testing
