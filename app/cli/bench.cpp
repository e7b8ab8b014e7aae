// convscope bench: measures the methods on one workload.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/cli/interrupt.h"
#include "app/cli/measured_point.h"
#include "app/cli/outputs.h"
#include "app/cli/subcommand.h"
#include "app/cli/verdict_command.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/measure/run_stamp.h"

namespace convscope::cli {
namespace {

int bench(const FlagValues& flags) {
    for (const Flag& flag : verdict_flags())
        if (flags.has(flag.name)) throw Error(ErrorKind::usage, fmt::format("{} belongs to --verdict A B", flag.name));
    const Interrupt interrupt;
    const WorkloadSpec spec = read_workload(flags);
    validate(spec);
    const auto registry = make_registry();
    Device& device = read_device(*registry, flags);
    MeasureOptions options = read_timing(flags, device);
    options.run_id = make_run_id();
    const LaunchConfig launch = read_launch(flags);
    const auto methods = read_methods(*registry, device, flags.get_if("--methods"));
    const auto candidates = make_candidates(methods, spec.shape, launch);
    Outputs outputs(flags);
    return measure_point(*registry, {spec, device.info().id, candidates, options}, outputs, interrupt.token(),
                         flags.has("--methods") ? Unsupported::as_rows : Unsupported::by_name);
}

}  // namespace

Command add_bench(CLI::App& program) {
    Subcommand command(program, "bench", "measure methods on one workload: a table, --csv, --json");
    auto flags = std::make_shared<FlagValues>();
    command.flags(*flags, workload_flags(), "Workload");
    command.flags(*flags, data_file_flags(), "Workload");
    command.flags(*flags, method_flags(), "Methods and launch");
    command.flags(*flags, launch_flags(), "Methods and launch");
    command.flags(*flags, timing_flags(), "Timing");
    auto verdict = std::make_shared<std::vector<std::string>>();
    command.option("--verdict", *verdict, 2, "A B", "say which of two methods is faster, once that is certain",
                   "Verdict");
    command.flags(*flags, verdict_flags(), "Verdict");
    command.flags(*flags, output_flags(), "Output");
    return command.runs([flags, verdict] { return verdict->empty() ? bench(*flags) : run_verdict(*flags, *verdict); });
}

}  // namespace convscope::cli
