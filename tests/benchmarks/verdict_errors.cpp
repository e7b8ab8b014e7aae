// How often 'bench --verdict' is wrong on this machine: pairs of the same method, and of a method with itself doing one
// image more than the 32 that both are to do (3.1 % more work).
//
//   verdict_errors [PAIRS (100)] [SECONDS (60)]      pairs of each kind, and the time limit of one
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
#include "kernels/core/registry.h"
#include "kernels/measure/isolated/measure_server.h"
#include "kernels/measure/isolated/verdict.h"

namespace convscope {
namespace {

using Answer = SpeedVerdict::Answer;

constexpr std::array<const char*, 4> methods{"ecr5", "mec2", "im2col", "onednn"};

ConvShape with_one_more(ConvShape shape) {
    ++shape.n;
    return shape;
}

/// Computes one image more than it is to, the first once again, and keeps that to itself.
class OneMoreExecution final : public Execution {
public:
    explicit OneMoreExecution(std::unique_ptr<Execution> inner) : inner_(std::move(inner)) {}
    void setup() override { inner_->setup(); }
    void allocate() override { inner_->allocate(); }
    void stage_inputs(const Workload& workload) override {
        Workload more = workload;
        more.spec.shape = with_one_more(more.spec.shape);
        const auto image = static_cast<std::ptrdiff_t>(more.x.data.size()) / more.x.n++;
        more.x.data.insert(more.x.data.end(), workload.x.data.begin(), workload.x.data.begin() + image);
        inner_->stage_inputs(more);
    }
    void upload() override { inner_->upload(); }
    void prepare_weights() override { inner_->prepare_weights(); }
    void poison_output() override { inner_->poison_output(); }
    void run(StageClock* stages) override { inner_->run(stages); }
    void synchronize() override { inner_->synchronize(); }
    void download() override { inner_->download(); }
    Tensor output() const override {
        Tensor y = inner_->output();
        y.data.resize(y.data.size() / static_cast<std::size_t>(y.n) * static_cast<std::size_t>(y.n - 1));
        --y.n;
        return y;
    }
    void release() override { inner_->release(); }
    void teardown() override { inner_->teardown(); }
    std::int64_t workspace_bytes() const override { return inner_->workspace_bytes(); }

private:
    std::unique_ptr<Execution> inner_;
};

class OneMore final : public Method {
public:
    explicit OneMore(const Method& inner) : inner_(inner), info_(inner.info()) {
        info_.id += "-and-3%";
        info_.vendor = false;
    }
    const MethodInfo& info() const override { return info_; }
    std::int64_t workspace_bytes(const ConvShape& shape) const override {
        return inner_.workspace_bytes(with_one_more(shape));
    }
    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& launch,
                                           Device& device) const override {
        return std::make_unique<OneMoreExecution>(inner_.instantiate(with_one_more(shape), launch, device));
    }

private:
    Support can_run(const ConvShape& shape) const override { return inner_.supports(with_one_more(shape)); }

    const Method& inner_;
    MethodInfo info_;
};

std::unique_ptr<Registry> registry_with_more() {
    auto registry = make_registry();
    for (const char* id : methods) registry->add(std::make_unique<OneMore>(registry->get(id, DeviceKind::cpu)));
    return registry;
}

SpeedVerdict ask(Registry& registry, int pair, bool unequal, double time_limit_s) {
    const auto number = static_cast<std::size_t>(pair);
    const std::string method = methods.at(number % methods.size());
    VerdictRequest request;
    ConvShape& shape = request.point.spec.shape;
    shape.n = 32;
    shape.c = shape.k = 8 << number / methods.size() % 2;
    shape.h = shape.w = 14;
    shape.r = shape.s = 3;
    request.point.spec.seed = number;
    request.point.device = "cpu";
    request.point.candidates = {{method + (unequal ? "-and-3%" : ""), {}}, {method, {}}};
    request.point.options.max_noise_pct = 0;
    request.point.options.timeout_s = 0.3;
    request.time_limit_s = time_limit_s;
    IsolatedMeasurer measurer(registry);
    const SpeedVerdict verdict = find_verdict(measurer, request, {}, {});
    fmt::print("{}: {}\n", to_string(shape), describe(verdict, request));
    std::fflush(stdout);
    if (verdict.failed) throw Error(ErrorKind::failed, "a method failed");
    return verdict;
}

std::map<Answer, int> ask_all(Registry& registry, int pairs, bool unequal, double time_limit_s) {
    std::map<Answer, int> answers;
    for (int pair = 0; pair < pairs; ++pair) ++answers[ask(registry, pair, unequal, time_limit_s).answer];
    fmt::print("of {} pairs of {} methods: {} faster, {} slower, {} the same, {} cannot be told\n", pairs,
               unequal ? "unequal" : "equal", answers[Answer::faster], answers[Answer::slower], answers[Answer::same],
               answers[Answer::unknown]);
    return answers;
}

int run(int pairs, double time_limit_s) {
    const auto registry = registry_with_more();
    auto equal = ask_all(*registry, pairs, false, time_limit_s),
         unequal = ask_all(*registry, pairs, true, time_limit_s);
    const int wrong = equal[Answer::faster] + equal[Answer::slower];
    return wrong > std::max(1, pairs / 100) || unequal[Answer::faster] + unequal[Answer::same] > 0 ? 1 : 0;
}

}  // namespace
}  // namespace convscope

int main(int argc, char** argv) {
    using namespace convscope;
    if (argc > 1 && std::strcmp(argv[1], "measure-for-sweep") == 0)
        serve_measurements(*registry_with_more(), MeasuringProcess::socket_number);
    return run(argc > 1 ? std::atoi(argv[1]) : 100, argc > 2 ? std::atof(argv[2]) : 60);
}
