#include "app/cli/sweep_run.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/cli/interrupt.h"
#include "app/cli/read_done_rows.h"
#include "app/cli/status_line.h"
#include "app/cli/table.h"
#include "app/sweep/local_measurer.h"
#include "app/sweep/sweep_run.h"
#include "kernels/core/error.h"

namespace convscope::cli {
namespace {

class SweepCommand {
public:
    SweepCommand(FlagValues flags, const SweepModes& modes) : modes_(modes), registry_(make_registry()) {
        if (modes.resume && !flags.has("--csv"))
            throw Error(ErrorKind::usage, "--resume needs --csv FILE to go on with");
        plan_.emplace(*registry_, flags, modes.shard);
        DoneRows done;
        if (modes.resume) done = read_done_rows(flags.get("--csv"));
        run_.emplace(*registry_, measurer_, *plan_, std::move(done));
        outputs_.emplace(flags);
    }

    int run() {
        const std::stop_callback forward(interrupt_.token(), [this] { control_.cancel(); });
        run_->run(sinks(), control_);
        line_.clear();
        if (run_->progress().skipped > 0)
            fmt::print(stderr, "convscope: {} rows were there already\n", run_->progress().skipped);
        outputs_->finish();
        return interrupt_.requested() ? interrupted_status : outputs_->exit_status();
    }

private:
    SweepSinks sinks() {
        SweepSinks sinks;
        sinks.record = [this](std::size_t, const Record& record) { outputs_->add(record); };
        sinks.point_done = [this](std::size_t, std::span<const Record> rows) { print({rows.begin(), rows.end()}); };
        sinks.progress = [this](const SweepProgress& progress) { show(progress); };
        sinks.warning = [this](const std::string& sentence) {
            line_.clear();
            fmt::print(stderr, "convscope: {}\n", sentence);
        };
        return sinks;
    }

    void show(const SweepProgress& progress) {
        if (progress.done == progress.total) return;
        if (announced_ != progress.point) announce(progress);
        progress.phase.empty() ? line_.show(progress.candidate) : line_.show(progress.phase);
    }

    void announce(const SweepProgress& progress) {
        announced_ = progress.point;
        std::string text = fmt::format("{}/{}", progress.point + 1, progress.total);
        if (const auto left = progress.seconds_left)
            text += *left < 90 ? fmt::format(", {:.0f} s left", *left) : fmt::format(", {:.0f} min left", *left / 60);
        line_.set_prefix(text);
        if (!line_.is_terminal())
            fmt::print(stderr, "{}: {}\n", text, plan_->points()[progress.point].request.spec.name);
    }

    void print(const std::vector<Record>& rows) {
        if (modes_.quiet) return;
        line_.clear();
        fmt::print("{}\n{}\n", heading_of(rows.front()), table_of(rows));
        std::fflush(stdout);
    }

    const SweepModes modes_;
    const Interrupt interrupt_;
    std::unique_ptr<Registry> registry_;
    LocalMeasurer measurer_{*registry_};
    std::optional<SweepPlan> plan_;
    std::optional<SweepRun> run_;
    std::optional<Outputs> outputs_;
    SweepControl control_;
    StatusLine line_;
    std::optional<std::size_t> announced_;  // the point that stderr knows of
};

}  // namespace

int run_sweep(FlagValues flags, const SweepModes& modes) {
    return SweepCommand(std::move(flags), modes).run();
}

}  // namespace convscope::cli
