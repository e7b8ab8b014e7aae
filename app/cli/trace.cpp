// convscope trace: what a block of a simulated kernel did, as JSON. docs/trace.md explains the fields.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/numbers.h"
#include "app/cli/request.h"
#include "app/cli/run_watched.h"
#include "app/cli/text.h"
#include "app/cli/trace_json.h"
#include "app/cli/trace_launches.h"
#include "kernels/core/error.h"
#include "kernels/simt/on_checked/checked_device.h"

namespace convscope::cli {
namespace {

constexpr std::size_t most_events = 2'000'000;

constexpr Flag trace_flags[] = {
    {"--method", "ID", "a method with a simulated kernel: convscope list methods; or pecr0, as printed"},
    {"--kernel", "NAME", "which of the method's kernels (the main one)"},
    {"--block", "X[,Y[,Z]]", "the block's index in the grid (0,0,0)"},
    {"--thread", "X[,Y[,Z]]", "only this thread's steps"},
    {"--set", "NAME=VALUE", "a tunable of the method; may be repeated", true},
};

/// An index into an extent of that size. Throws Error(usage).
Dim3 parse_index(const std::string& flag, const std::string& text, const char* of, const Dim3& extent) {
    std::vector<std::string> parts = split(text, ',');
    if (parts.size() > 3)
        throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not accepted; give x,y,z", flag, text));
    parts.resize(3, "0");
    const Dim3 index{parse_whole(flag, parts[0], 0), parse_whole(flag, parts[1], 0), parse_whole(flag, parts[2], 0)};
    if (index.x >= extent.x || index.y >= extent.y || index.z >= extent.z)
        throw Error(ErrorKind::usage, fmt::format("{} is {},{},{}, outside the {}, which is {}", flag, index.x, index.y,
                                                  index.z, of, to_string(extent)));
    return index;
}

const KernelLaunch& choose_kernel(const FlagValues& flags, const ResolvedLaunch& resolved) {
    if (!flags.has("--kernel")) return resolved.kernels[resolved.main];
    std::vector<std::string> names;
    for (const KernelLaunch& launch : resolved.kernels) {
        if (launch.kernel == flags.get("--kernel")) return launch;
        names.push_back(launch.kernel);
    }
    throw Error(ErrorKind::usage,
                fmt::format("--kernel: no kernel '{}' here; give {}", flags.get("--kernel"), fmt::join(names, ", ")));
}

/// Dense multiply-adds behind one output of the method's multiplying kernel.
std::int64_t multiplications_per_output(const Method& method, const ConvShape& shape) {
    const bool pools = method.info().family == "pecr";
    return shape.reduction() * (pools ? shape.pool_h * shape.pool_w : 1);
}

/// What a whole launch has no use for.
void refuse_block_flags(const FlagValues& flags) {
    for (const char* flag : {"--kernel", "--block", "--thread"})
        if (flags.has(flag))
            throw Error(ErrorKind::usage,
                        fmt::format("{} does not go with --whole-launch, which counts every block", flag));
}

int trace(const FlagValues& flags, bool whole_launch) {
    if (whole_launch) refuse_block_flags(flags);
    if (!flags.has("--method")) throw Error(ErrorKind::usage, "trace needs --method");
    if (flags.get_or("--device", "sim") != "sim")
        throw Error(ErrorKind::usage,
                    fmt::format("--device: '{}' cannot be traced; give sim, or leave it out", flags.get("--device")));
    const WorkloadSpec spec = read_workload(flags);
    validate(spec.shape);
    CheckedDevice watched;
    const Method& method = watched.registry().get(flags.get("--method"), DeviceKind::sim);
    const std::string& id = method.info().id;
    if (Support support = method.supports(spec.shape); !support)
        throw Error(ErrorKind::usage, fmt::format("{} cannot be traced on this workload: {}", id, support.reason));
    FlagValues launch_flags;
    launch_flags.set_all("--set", flags.all("--set"));
    const LaunchConfig config = read_launch(launch_flags);
    const DeviceModel& model = watched.device().info().model;
    const ResolvedLaunch resolved = method.resolve(spec.shape, config, model);
    if (!resolved.support)
        throw Error(ErrorKind::usage, fmt::format("{} cannot be launched so: {}", id, resolved.support.reason));

    if (whole_launch) return trace_launches(method, spec, config, watched);
    const KernelLaunch& launch = choose_kernel(flags, resolved);
    const Dim3 block = parse_index("--block", flags.get_or("--block", "0,0,0"), "grid", launch.grid);
    TraceReport report{method.info(), spec, model, {}, {}, {}, {}};
    if (flags.has("--thread"))
        report.thread = parse_index("--thread", flags.get("--thread"), "block of threads", launch.block);
    simt::Recorder recorder(launch.kernel, block, most_events);
    watched.checker().recorder = &recorder;
    watched.checker().options.only_recorded = true;
    report.finding = run_watched(method, load_workload(spec, false), config, watched.device());
    if (!recorder.trace()) throw *report.finding;
    report.trace = *recorder.trace();
    report.multiplications_per_output = multiplications_per_output(method, spec.shape);
    write_trace(report);
    if (report.finding) throw *report.finding;
    return 0;
}

}  // namespace

Command add_trace(CLI::App& program) {
    CLI::App* app = program.add_subcommand("trace", "what a block of a simulated kernel did, step by step, as JSON");
    auto flags = std::make_shared<FlagValues>();
    auto whole_launch = std::make_shared<bool>(false);
    flags->add_to(*app, trace_flags, "Trace");
    app->add_flag("--whole-launch", *whole_launch, "what every launch of the run cost in all, instead of one block")
        ->group("Trace");
    flags->add_to(*app, workload_flags(), "Workload");
    flags->add_to(*app, data_file_flags(), "Workload");
    return {app, [flags, whole_launch] { return trace(*flags, *whole_launch); }};
}

}  // namespace convscope::cli
