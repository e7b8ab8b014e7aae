#include "app/cli/search_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/interrupt.h"
#include "app/cli/read_done_rows.h"
#include "app/cli/status_line.h"
#include "app/cli/table.h"
#include "app/request/numbers.h"
#include "app/sweep/search_run.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/say.h"
#include "kernels/measure/isolated/device_measurer.h"
#include "kernels/measure/timing_summary.h"

namespace convscope::cli {
namespace {

/// The configurations that the launch flags span; empty where none is given.
std::vector<LaunchConfig> listed_launches(const FlagValues& flags) {
    FlagValues launch;
    bool given = false;
    for (const Flag& flag : launch_flags()) {
        launch.set_all(flag.name, flags.all(flag.name));
        given |= flags.has(flag.name);
    }
    std::vector<LaunchConfig> launches;
    if (!given) return launches;
    for (const FlagValues& point : span_points(launch, find_axes(launch))) launches.push_back(read_launch(point));
    return launches;
}

FlagValues without_launch(FlagValues flags) {
    for (const Flag& flag : launch_flags()) flags.set_all(flag.name, {});
    return flags;
}

/// The points to search at, each on a device with a clock, with methods that take what the launch flags set.
SweepPlan plan_of(const Registry& registry, const FlagValues& flags) {
    SweepPlan plan(registry, without_launch(flags));
    const std::vector<LaunchConfig> launches = listed_launches(flags);
    for (const SweepPoint& point : plan.points()) {
        const Device& device = registry.device(point.request.device);
        require_clock(device, "--search looks for the shortest time");
        std::vector<const Method*> methods;
        for (const Candidate& candidate : point.request.candidates)
            methods.push_back(&registry.get(candidate.method, device.info().kind));
        if (!methods.empty() &&
            std::ranges::all_of(methods, [](const Method* method) { return method->info().vendor; }))
            throw Error(ErrorKind::usage,
                        fmt::format("--search: {} is the vendor's, which chooses its own launch; give "
                                    "a method whose launch can be set, too",
                                    methods.front()->info().id));
        for (const LaunchConfig& launch : launches) require_settable(methods, point.request.spec.shape, launch);
    }
    return plan;
}

std::string launch_text(const Record& row) {
    std::string text = row.block ? "block " + to_string(*row.block) : "";
    if (!row.tunables.empty()) text += (text.empty() ? "" : " ") + row.tunables;
    return text.empty() ? "-" : text;
}

std::string interval_text(const Record& row) {
    const Interval interval = summarize(row.samples_us).interval_us;
    return interval ? fmt::format("{} - {}", time_text(interval->first), time_text(interval->second)) : "-";
}

std::string standing(const MethodSearch& found, std::size_t i) {
    const Record& row = found.finalists[i];
    if (row.method != found.method) return "baseline";
    if (i == 0) return "best";
    if (found.tied[i]) return "tied with the best";
    return fmt::format("{:+.1f} %", 100 * (*row.time_median_us / *found.finalists.front().time_median_us - 1));
}

/// "ecr3: 45 of 45 configurations measured, 3 more cannot be", or why there is nothing to measure.
std::string heading(const MethodSearch& found) {
    if (found.space == 0) return fmt::format("{}: nothing to search: {}\n", found.method, found.trouble);
    const std::string trouble = found.trouble.empty() ? "" : fmt::format("  {}\n", found.trouble);
    return fmt::format("{}: {} of {} measured, {} more cannot be\n{}", found.method, found.measured,
                       counted(found.space, "configuration"), found.rejected, trouble);
}

void print(const MethodSearch& found) {
    fmt::print("{}", heading(found));
    for (std::size_t i = 0; i < found.finalists.size(); ++i) {
        const Record& row = found.finalists[i];
        fmt::print("  {:<12} {:<34} {:>10}  95 %: {:<23} {}{}\n", row.method, launch_text(row),
                   time_text(*row.time_median_us), interval_text(row), standing(found, i),
                   row.speedup_vs_vendor && row.vendor_method != row.method
                       ? fmt::format(", {:.2f}x {}", *row.speedup_vs_vendor, vendor_baseline(row))
                       : "");
    }
    fmt::print("\n");
    std::fflush(stdout);
}

class SearchCommand {
public:
    SearchCommand(const FlagValues& flags, const SweepModes& modes)
        : registry_(make_registry()),
          measurer_(*registry_, modes.isolate),
          plan_(plan_of(*registry_, flags)),
          search_(*registry_, measurer_, read_plan(flags, modes), listed_launches(flags), done_rows(flags, modes)),
          outputs_(flags) {}

    int run() {
        const std::stop_callback forward(interrupt_.token(), [this] { control_.cancel(); });
        for (const SweepPoint& point : plan_.points()) {
            if (control_.cancelled()) break;
            fmt::print("{}: {}\n", point.request.spec.name, to_string(point.request.spec.shape));
            for (const MethodSearch& found : search_.run(point, sinks(), control_)) {
                line_.clear();
                print(found);
            }
        }
        line_.clear();
        outputs_.finish();
        return interrupt_.requested() ? interrupted_status : outputs_.exit_status();
    }

private:
    static SearchPlan read_plan(const FlagValues& flags, const SweepModes& modes) {
        SearchPlan plan;
        plan.strategy = parse_search_strategy(modes.search);
        if (!modes.points.empty()) plan.points = static_cast<std::size_t>(parse_whole("--points", modes.points, 1));
        if (flags.has("--seed")) plan.seed = parse_seed("--seed", flags.get("--seed"));
        return plan;
    }

    static DoneRows done_rows(const FlagValues& flags, const SweepModes& modes) {
        if (!modes.resume) return {};
        if (!flags.has("--csv")) throw Error(ErrorKind::usage, "--resume needs --csv FILE, the rows that are there");
        return read_done_rows(flags.get("--csv"));
    }

    SearchSinks sinks() {
        SearchSinks sinks;
        sinks.record = [this](const Record& row) { outputs_.add(row); };
        sinks.there = [this](const Record& row) { outputs_.found(row); };
        sinks.progress = [this](const std::string& method, std::size_t done, std::size_t total) {
            line_.set_prefix(fmt::format("{} {}/{}", method, done + 1, total));
        };
        sinks.sample = [this](const Progress& progress) { line_.show(progress); };
        sinks.warning = [this](const std::string& sentence) { line_.warn(sentence); };
        return sinks;
    }

    const Interrupt interrupt_;
    std::unique_ptr<Registry> registry_;
    DeviceMeasurer measurer_;
    SweepPlan plan_;
    SearchRun search_;
    Outputs outputs_;
    SweepControl control_;
    StatusLine line_;
};

}  // namespace

int run_search(FlagValues flags, const SweepModes& modes) {
    return SearchCommand(flags, modes).run();
}

}  // namespace convscope::cli
