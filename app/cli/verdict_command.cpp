#include "app/cli/verdict_command.h"

#include <fmt/format.h>

#include "app/cli/interrupt.h"
#include "app/cli/measured_point.h"
#include "app/request/numbers.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/measure/isolated/verdict.h"
#include "kernels/measure/run_stamp.h"

namespace convscope::cli {
namespace {

constexpr Flag verdict_list[] = {
    {"--tie", "PCT", "with --verdict: a difference below this is none (1)"},
    {"--time-limit", "SECONDS", "with --verdict: say that it cannot be told after this time (120)"},
};

// More samples of one run do not show differences between runs.
constexpr double seconds_of_a_run = 0.3;

VerdictRequest read_request(const Registry& registry, const FlagValues& flags,
                            const std::vector<std::string>& methods) {
    for (const char* flag : {"--methods", "--runs"})
        if (flags.has(flag))
            throw Error(ErrorKind::usage, fmt::format("{} and --verdict exclude each other; give one of them", flag));
    const WorkloadSpec spec = read_workload(flags);
    validate(spec);
    Device& device = read_device(registry, flags);
    require_clock(device, "--verdict compares times");
    std::vector<const Method*> found;
    for (const std::string& method : methods) {
        const std::vector<const Method*> one = read_methods(registry, device, method);
        if (one.size() != 1)
            throw Error(ErrorKind::usage, fmt::format("--verdict: '{}' is not accepted; give two methods", method));
        if (!found.empty() && found.front() == one.front())
            throw Error(ErrorKind::usage,
                        fmt::format("--verdict: both methods are {}; give two", one.front()->info().id));
        found.push_back(one.front());
    }
    VerdictRequest request;
    request.point = {spec, device.info().id, make_candidates(found, spec.shape, read_launch(flags)),
                     read_timing(flags, device)};
    MeasureOptions& options = request.point.options;
    options.run_id = make_run_id();
    if (!flags.has("--timeout")) options.timeout_s = seconds_of_a_run;
    if (!flags.has("--max-noise")) options.max_noise_pct = 0;
    if (flags.has("--tie")) request.tie_pct = parse_real("--tie", flags.get("--tie"), 0, 1000);
    if (flags.has("--time-limit"))
        request.time_limit_s = parse_real("--time-limit", flags.get("--time-limit"), 0.001, 86400);
    return request;
}

}  // namespace

std::span<const Flag> verdict_flags() {
    return verdict_list;
}

int run_verdict(const FlagValues& flags, const std::vector<std::string>& methods) {
    const Interrupt interrupt;
    const auto registry = make_registry();
    const VerdictRequest request = read_request(*registry, flags, methods);
    Outputs outputs(flags);
    StatusLine line;
    IsolatedMeasurer measurer(*registry);
    const SpeedVerdict verdict = find_verdict(measurer, request, sinks_of(outputs, line), interrupt.token());
    line.clear();
    fmt::print("{}\n", describe(verdict, request));
    outputs.finish();
    return interrupt.requested() ? interrupted_status : outputs.exit_status();
}

}  // namespace convscope::cli
