// convscope sweep: bench at every point that ranges and lists span.
#include <fmt/format.h>

#include <memory>

#include "app/cli/search_command.h"
#include "app/cli/subcommand.h"
#include "app/cli/sweep_run.h"
#include "app/request/axes.h"
#include "kernels/core/error.h"

namespace convscope::cli {

Command add_sweep(CLI::App& program) {
    Subcommand command(program, "sweep",
                       "bench at many points: any workload, launch or timing flag may be a range or a list");
    command.end_help_with(
        "A range is start:stop:step, both ends included; a list is a,b,c; they mix.\n"
        "Pairs are written 2x1 here, blocks 32x1x1,64x1x1 or 32:256:32,1,1, presets may have a *: mec/*.");
    auto flags = std::make_shared<FlagValues>();
    auto modes = std::make_shared<SweepModes>();
    command.flags(*flags, workload_flags(), "Workload");
    command.flags(*flags, data_file_flags(), "Workload");
    command.flags(*flags, method_flags(), "Methods and launch");
    command.flags(*flags, launch_flags(), "Methods and launch");
    command.flags(*flags, user_flags(), "A kernel of your own");
    command.flags(*flags, timing_flags(), "Timing");
    command.flags(*flags, output_flags(), "Output");
    command.option("--search", modes->search, "NAME",
                   "find each method's fastest launch configuration: all, random or local", "Search");
    command.option("--points", modes->points, "N", "measure at most so many (local: a fifth of them, 8 at least)",
                   "Search");
    command.toggle("--resume", modes->resume, "skip what the CSV already has", "Output");
    command.toggle("--missing", modes->missing, "measure nothing: list the rows that the CSV lacks; status 5 if any",
                   "Output");
    auto shard = std::make_shared<std::string>();
    command.option("--shard", *shard, "I/N",
                   "only part i of n of the points, the parts as long as each other: 1/4 to 4/4", "Output");
    command.toggle("--isolate", modes->isolate, "measure in a process of its own on the CPU, too, as on a GPU",
                   "Methods and launch");
    command.toggle("--quiet", modes->quiet, "no tables on stdout", "Output");
    return command.runs([flags, modes, shard] {
        if (!shard->empty()) modes->shard = parse_shard(*shard);
        if (flags->has("--define") && !flags->has("--own"))
            throw Error(ErrorKind::usage, "--define is of a kernel of your own; give --own FILE.cu, too");
        if (!modes->search.empty() && flags->has("--own"))
            throw Error(ErrorKind::usage, "--own does not go with --search: all its defines are measured");
        if (!modes->search.empty() && (!shard->empty() || modes->missing))
            throw Error(ErrorKind::usage, fmt::format("{} does not go with --search: which points a search "
                                                      "measures is not known before",
                                                      modes->missing ? "--missing" : "--shard"));
        if (!modes->search.empty()) return run_search(*flags, *modes);
        if (!modes->points.empty()) throw Error(ErrorKind::usage, "--points goes with --search; give both");
        return run_sweep(*flags, *modes);
    });
}

}  // namespace convscope::cli
