// convscope sweep: bench at every point that ranges and lists span.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/search_command.h"
#include "app/cli/sweep_run.h"
#include "app/request/axes.h"
#include "kernels/core/error.h"

namespace convscope::cli {

Command add_sweep(CLI::App& program) {
    CLI::App* app = program.add_subcommand(
        "sweep", "bench at many points: any workload, launch or timing flag may be a range or a list");
    app->footer(
        "A range is start:stop:step, both ends included; a list is a,b,c; they mix.\n"
        "Pairs are written 2x1 here, blocks 32x1x1,64x1x1 or 32:256:32,1,1, presets may have a *: mec/*.");
    auto flags = std::make_shared<FlagValues>();
    auto modes = std::make_shared<SweepModes>();
    flags->add_to(*app, workload_flags(), "Workload");
    flags->add_to(*app, data_file_flags(), "Workload");
    flags->add_to(*app, method_flags(), "Methods and launch");
    flags->add_to(*app, launch_flags(), "Methods and launch");
    flags->add_to(*app, own_flags(), "A kernel of your own");
    flags->add_to(*app, timing_flags(), "Timing");
    flags->add_to(*app, output_flags(), "Output");
    app->add_option("--search", modes->search, "find each method's fastest launch configuration: all, random or local")
        ->type_name("NAME")
        ->group("Search");
    app->add_option("--points", modes->points, "measure at most so many (local: a fifth of them, 8 at least)")
        ->type_name("N")
        ->group("Search");
    app->add_flag("--resume", modes->resume, "skip what the CSV already has")->group("Output");
    app->add_flag("--missing", modes->missing, "measure nothing: list the rows that the CSV lacks; status 5 if any")
        ->group("Output");
    auto shard = std::make_shared<std::string>();
    app->add_option("--shard", *shard, "only part i of n of the points, the parts as long as each other: 1/4 to 4/4")
        ->type_name("I/N")
        ->group("Output");
    app->add_flag("--isolate", modes->isolate, "measure in a process of its own on the CPU, too, as on a GPU")
        ->group("Methods and launch");
    app->add_flag("--quiet", modes->quiet, "no tables on stdout")->group("Output");
    return {app, [flags, modes, shard] {
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
            }};
}

}  // namespace convscope::cli
