// How often 'bench --verdict' is wrong on this machine: pairs of a method that does its work 32 times with itself, and
// with one that does the same 33 times (3.1 % more work).
//
//   verdict_errors [PAIRS (100)] [SECONDS (60)] [DEVICE (cpu)]      pairs of each kind, and the time limit of one
//
// Prints each verdict, and the counts at the end. Exit status 1 when more than 1 % (but one of few) of the answers
// about equal methods were faster or slower, or any about unequal ones had the wrong sign.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "kernels/core/error.h"
#include "kernels/measure/isolated/measure_server.h"
#include "kernels/measure/isolated/verdict.h"
#include "kernels/method/registry.h"

namespace convscope {
namespace {

using Answer = SpeedVerdict::Answer;

/// Layers of some 10 us, so that 32 times are far above what a clock can tell.
struct Tried {
    DeviceKind kind;
    int channels, size;
    std::array<const char*, 4> methods;
};

Tried tried_on(DeviceKind kind) {
    if (kind == DeviceKind::cpu) return {kind, 8, 14, {"ecr5", "mec2", "im2col", "onednn"}};
    return {kind, 256, 14, {"ecr4", "tensor1", "im2col", "cudnn-tf32"}};
}

/// Does its work several times over.
class RepeatedExecution final : public Execution {
public:
    RepeatedExecution(std::unique_ptr<Execution> inner, int times) : inner_(std::move(inner)), times_(times) {}
    void setup() override { inner_->setup(); }
    void allocate() override { inner_->allocate(); }
    void stage_inputs(const Workload& workload) override { inner_->stage_inputs(workload); }
    void upload() override { inner_->upload(); }
    void prepare_weights() override { inner_->prepare_weights(); }
    void poison_output() override { inner_->poison_output(); }
    void run(StageClock* stages) override {
        for (int i = 1; i < times_; ++i) inner_->run(nullptr);
        inner_->run(stages);
    }
    void synchronize() override { inner_->synchronize(); }
    void download() override { inner_->download(); }
    Tensor output() const override { return inner_->output(); }
    void release() override { inner_->release(); }
    void teardown() override { inner_->teardown(); }
    std::int64_t workspace_bytes() const override { return inner_->workspace_bytes(); }

private:
    std::unique_ptr<Execution> inner_;
    int times_;
};

class Repeated final : public Method {
public:
    Repeated(const Method& inner, int times) : inner_(inner), times_(times), info_(inner.info()) {
        info_.id += fmt::format("-{}-times", times);
        info_.vendor = false;
    }
    const MethodInfo& info() const override { return info_; }
    std::int64_t workspace_bytes(const ConvShape& shape) const override { return inner_.workspace_bytes(shape); }
    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& launch,
                                           Device& device) const override {
        return std::make_unique<RepeatedExecution>(inner_.instantiate(shape, launch, device), times_);
    }

private:
    Support can_run(const ConvShape& shape) const override { return inner_.supports(shape); }

    const Method& inner_;
    int times_;
    MethodInfo info_;
};

std::unique_ptr<Registry> registry_with_repeated() {
    auto registry = make_registry();
    for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda})
        for (const char* id : tried_on(kind).methods)
            if (const Method* method = registry->find(id, kind))
                for (const int times : {32, 33}) registry->add(std::make_unique<Repeated>(*method, times));
    return registry;
}

struct Series {
    std::string device;
    int pairs;
    double time_limit_s;
};

SpeedVerdict ask(Registry& registry, const Series& series, int pair, bool unequal) {
    const auto number = static_cast<std::size_t>(pair);
    const Tried tried = tried_on(registry.device(series.device).info().kind);
    const std::string method = tried.methods.at(number % tried.methods.size());
    VerdictRequest request;
    ConvShape& shape = request.point.spec.shape;
    shape.c = shape.k = tried.channels << number / tried.methods.size() % 2;
    shape.h = shape.w = tried.size;
    shape.r = shape.s = 3;
    request.point.spec.seed = number;
    request.point.device = series.device;
    request.point.candidates = {{method + (unequal ? "-33-times" : "-32-times"), {}}, {method + "-32-times", {}}};
    request.point.options.max_noise_pct = 0;
    request.point.options.timeout_s = 0.3;
    request.time_limit_s = series.time_limit_s;
    IsolatedMeasurer measurer(registry);
    const SpeedVerdict verdict = find_verdict(measurer, request, {}, {});
    fmt::print("{}: {}\n", to_string(shape), describe(verdict, request));
    std::fflush(stdout);
    if (verdict.failed) throw Error(ErrorKind::failed, "a method failed");
    return verdict;
}

std::map<Answer, int> ask_all(Registry& registry, const Series& series, bool unequal) {
    std::map<Answer, int> answers;
    for (int pair = 0; pair < series.pairs; ++pair) ++answers[ask(registry, series, pair, unequal).answer];
    fmt::print("of {} pairs of {} methods: {} faster, {} slower, {} the same, {} cannot be told\n", series.pairs,
               unequal ? "unequal" : "equal", answers[Answer::faster], answers[Answer::slower], answers[Answer::same],
               answers[Answer::unknown]);
    return answers;
}

int run(const Series& series) {
    const auto registry = registry_with_repeated();
    auto unequal = ask_all(*registry, series, true), equal = ask_all(*registry, series, false);
    const int wrong = equal[Answer::faster] + equal[Answer::slower];
    return wrong > std::max(1, series.pairs / 100) || unequal[Answer::faster] + unequal[Answer::same] > 0 ? 1 : 0;
}

}  // namespace
}  // namespace convscope

int main(int argc, char** argv) {
    using namespace convscope;
    if (argc > 1 && std::strcmp(argv[1], "measure-worker") == 0)
        serve_measurements(*registry_with_repeated(), MeasuringProcess::socket_number);
    return run({argc > 3 ? argv[3] : "cpu", argc > 1 ? std::atoi(argv[1]) : 100, argc > 2 ? std::atof(argv[2]) : 60});
}
