#include "app/cli/sweep_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/interrupt.h"
#include "app/cli/own_file.h"
#include "app/cli/read_done_rows.h"
#include "app/cli/status_line.h"
#include "app/cli/table.h"
#include "app/request/numbers.h"
#include "app/sweep/sweep_run.h"
#include "app/user_kernel/user_variants.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/measure/isolated/device_measurer.h"
#include "kernels/records/record_key.h"

namespace convscope::cli {
namespace {

class SweepCommand {
public:
    SweepCommand(FlagValues flags, const SweepModes& modes, const Interrupt& interrupt)
        : modes_(modes), interrupt_(interrupt), registry_(make_registry()), measurer_(*registry_, modes.isolate) {
        for (const auto& [given, flag] : {std::pair{modes.resume, "--resume"}, {modes.missing, "--missing"}})
            if (given && !flags.has("--csv"))
                throw Error(ErrorKind::usage, fmt::format("{} needs --csv FILE, the rows that are there", flag));
        if (flags.has("--own")) {
            own_.emplace(flags.get("--own"), interrupt_.token());
            require_own_files({{"--json", flags.get_or("--json", "")}, {"--csv", flags.get_or("--csv", "")}},
                              {{"--own", own_->file().string()}});
        }
        app::UserVariants* const own = own_ ? &*own_ : nullptr;
        plan_.emplace(*registry_, flags, modes.shard, own);
        // A kernel that computes no layer is told of before anything is written.
        const auto first = std::ranges::find(plan_->points(), "", &SweepPoint::impossible);
        if (own && first != plan_->points().end())
            own->made(first->request.spec, registry_->device(first->request.device).info(), first->own);
        DoneRows done;
        if (modes.resume || modes.missing) done = read_done_rows(flags.get("--csv"));
        if (own) own->forget_older(done);
        run_.emplace(*registry_, measurer_, *plan_, std::move(done), own);
        if (!modes.missing) outputs_.emplace(flags);
        if (outputs_ && modes.resume && outputs_->wants_json()) outputs_->keep(run_->rows_there());
    }

    int list_missing() {
        const std::vector<Record> rows = run_->missing_rows();
        for (const Record& row : rows) fmt::print("{}\n", point_text(row));
        if (rows.empty()) {
            fmt::print("nothing is missing: {} points are there\n", plan_->points().size());
            return 0;
        }
        say("convscope: {} rows are missing; --resume measures them\n", rows.size());
        return static_cast<int>(ErrorKind::failed);
    }

    int run() {
        if (const auto& once = plan_->measured_once(); !once.empty())
            say("convscope: {}: measured once where points differ only in settings that it does not take\n",
                fmt::join(once, ", "));
        const std::stop_callback forward(interrupt_.token(), [this] { control_.cancel(); });
        run_->run(sinks(), control_);
        line_.clear();
        if (run_->progress().skipped > 0)
            say("convscope: {} rows were there already{}\n", run_->progress().skipped,
                simulates() ? "; a CSV holds no counts: without --resume they are counted again" : "");
        outputs_->finish();
        if (interrupt_.requested()) return interrupted_status;
        const int status = outputs_->exit_status();
        // Without the tables nothing else would say why.
        if (modes_.quiet && status == static_cast<int>(ErrorKind::usage))
            say("convscope: none of {} rows could be run; the first: {}\n", outputs_->records().size(),
                outputs_->records().front().status_reason);
        return status;
    }

private:
    bool simulates() const {
        return std::ranges::any_of(plan_->points(), [&](const SweepPoint& point) {
            return registry_->device(point.request.device).info().kind == DeviceKind::sim;
        });
    }

    SweepSinks sinks() {
        SweepSinks sinks;
        sinks.record = [this](std::size_t, const Record& record) { outputs_->add(record); };
        sinks.there = [this](const Record& record) { outputs_->found(record); };
        sinks.point_done = [this](std::size_t, std::span<const Record> rows) { print({rows.begin(), rows.end()}); };
        sinks.progress = [this](const SweepProgress& progress) { show(progress); };
        sinks.warning = [this](const std::string& sentence) { line_.warn(sentence); };
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
        if (!line_.is_terminal()) say("{}: {}\n", text, place_words(plan_->points()[progress.point]));
    }

    /// "preset mec/cv9, zeros 30 %": the point's value on every axis; a sweep of one point has its layer's name.
    std::string place_words(const SweepPoint& point) const {
        std::string words;
        for (std::size_t i = 0; i < plan_->axes().size(); ++i) {
            const Axis& axis = plan_->axes()[i];
            const std::string& value = axis.values[point.place[i]];
            if (!words.empty()) words += ", ";
            const bool of_x = axis.flag == "--sparsity", of_w = axis.flag == "--weight-sparsity";
            words += of_x || of_w ? fmt::format("{}zeros {:.6g} %", of_w ? "weight " : "",
                                                100 * parse_real(axis.flag, value, 0, 1))
                                  : fmt::format("{} {}", axis.flag.substr(axis.flag.find_first_not_of('-')), value);
        }
        return words.empty() ? point.request.spec.name : words;
    }

    void print(const std::vector<Record>& rows) {
        if (modes_.quiet) return;
        line_.clear();
        fmt::print("{}\n{}\n", heading_of(rows.front()), table_of(rows));
        std::fflush(stdout);
    }

    const SweepModes modes_;
    const Interrupt& interrupt_;
    std::unique_ptr<Registry> registry_;
    DeviceMeasurer measurer_;
    std::optional<app::UserVariants> own_;
    std::optional<SweepPlan> plan_;
    std::optional<SweepRun> run_;
    std::optional<Outputs> outputs_;
    SweepControl control_;
    StatusLine line_;
    std::optional<std::size_t> announced_;  // the point that stderr knows of
};

}  // namespace

int run_sweep(FlagValues flags, const SweepModes& modes) {
    const Interrupt interrupt;
    try {
        SweepCommand command(std::move(flags), modes, interrupt);
        return modes.missing ? command.list_missing() : command.run();
    } catch (const Error&) {  // of a compiler that was stopped
        if (interrupt.requested()) return interrupted_status;
        throw;
    }
}

}  // namespace convscope::cli
