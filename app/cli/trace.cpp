// convscope trace: what a block of a simulated kernel did, as JSON. docs/trace.md explains the fields.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/load_workload.h"
#include "app/cli/subcommand.h"
#include "app/cli/trace_json.h"
#include "app/cli/trace_launches.h"
#include "app/request/numbers.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/simt/on_checked/trace_block.h"

namespace convscope::cli {
namespace {

constexpr Flag trace_flags[] = {
    {"--method", "ID",
     "a method of the simulated GPU (convscope list methods), or a paper's as printed: ecr0, pecr0, ..."},
    {"--kernel", "NAME", "which of the method's kernels (the main one)"},
    {"--block", "X[,Y[,Z]]", "the block's index in the grid (0,0,0)"},
    {"--thread", "X[,Y[,Z]]", "print only this thread's steps; those of the whole block are traced"},
    {"--launch-block", "X[,Y[,Z]]", "the threads of a block, where the method lets them be set"},
    {"--launch-grid", "X[,Y[,Z]]", "the blocks of the grid, where the method lets them be set"},
    {"--set", "NAME=VALUE", "a tunable of the method; may be repeated", true},
    {"--counts", "BUILD",
     "of --whole-launch: source, as the simulated GPU runs it, or ptx, as nvcc compiled it (source where there is "
     "one)"},
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

/// Rejects flags that mean nothing for a whole launch.
void reject_block_flags(const FlagValues& flags) {
    for (const char* flag : {"--kernel", "--block", "--thread"})
        if (flags.has(flag))
            throw Error(ErrorKind::usage,
                        fmt::format("{} does not go with --whole-launch, which counts every block", flag));
}

TraceRequest read_request(const FlagValues& flags) {
    if (!flags.has("--method")) throw Error(ErrorKind::usage, "trace needs --method");
    if (flags.get_or("--device", "sim") != "sim")
        throw Error(ErrorKind::usage,
                    fmt::format("--device: '{}' cannot be traced; give sim, or leave it out", flags.get("--device")));
    TraceRequest request;
    request.workload = read_workload(flags);
    request.method = flags.get("--method");
    request.kernel = flags.get_or("--kernel", "");
    FlagValues tunables;
    tunables.set_all("--set", flags.all("--set"));
    request.launch = read_launch(tunables);
    if (flags.has("--launch-block")) request.launch.block = parse_dim3("--launch-block", flags.get("--launch-block"));
    if (flags.has("--launch-grid")) request.launch.grid = parse_dim3("--launch-grid", flags.get("--launch-grid"));
    return request;
}

std::optional<CountedBuild> read_counted_build(const FlagValues& flags) {
    if (!flags.has("--counts")) return {};
    for (const CountedBuild build : {CountedBuild::source, CountedBuild::ptx})
        if (flags.get("--counts") == to_string(build)) return build;
    throw Error(ErrorKind::usage,
                fmt::format("--counts: '{}' is not accepted; give source or ptx", flags.get("--counts")));
}

int trace(const FlagValues& flags, bool whole_launch) {
    const std::optional<CountedBuild> counted = read_counted_build(flags);
    if (whole_launch) reject_block_flags(flags);
    TraceRequest request = read_request(flags);
    if (whole_launch) return trace_launches(request, counted);
    if (counted) throw Error(ErrorKind::usage, "--counts goes with --whole-launch alone");
    if (!has_source_build(request.method))
        throw Error(ErrorKind::usage,
                    fmt::format("{} is simulated as nvcc compiled it, and its blocks cannot be traced: count its "
                                "launches with --whole-launch, or step through its kernels in the app's Kernel view",
                                request.method));
    const TracePlan plan = plan_trace(request);
    request.block = parse_index("--block", flags.get_or("--block", "0,0,0"), "grid", plan.launch().grid);
    std::optional<Dim3> thread;
    if (flags.has("--thread"))
        thread = parse_index("--thread", flags.get("--thread"), "block of threads", plan.launch().block);
    const TraceResult result = trace_block(request, load_workload(request.workload, false));
    write_trace(result, thread);
    if (result.finding) throw *result.finding;
    return 0;
}

}  // namespace

Command add_trace(CLI::App& program) {
    Subcommand command(program, "trace", "what a block of a simulated kernel did, step by step, as JSON");
    auto flags = std::make_shared<FlagValues>();
    auto whole_launch = std::make_shared<bool>(false);
    command.flags(*flags, trace_flags, "Trace");
    command.toggle("--whole-launch", *whole_launch, "what every launch of the run cost in all, instead of one block",
                   "Trace");
    command.flags(*flags, workload_flags(), "Workload");
    command.describe("--device", "sim, the one device whose steps are known (sim)");
    command.flags(*flags, data_file_flags(), "Workload");
    return command.runs([flags, whole_launch] { return trace(*flags, *whole_launch); });
}

}  // namespace convscope::cli
