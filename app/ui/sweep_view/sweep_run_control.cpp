// The Sweep view's run: its plan, its rows, and rows that were recorded.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/session/sweep_axes.h"
#include "app/session/sweep_flags.h"
#include "app/ui/sweep_view/sweep_view.h"
#include "app/user_kernel/user_variants.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/network.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_rows = 5000;  ///< of a file; more are what the Compare view is for

/// Shows all of the rows that replace others.
void show_all(SweepChoice& choice) {
    choice.recorded.clear();
    choice.pane = SweepPane::all;
    choice.query.clear();
}

}  // namespace

SweepView::SweepView(Registry& registry, SampleGate& gate, const std::function<void()>& wake)
    : job_(registry, gate),
      file_reader_(
          [&registry](const SweepFileRequest& request, const auto&, const auto&) {
              return std::make_shared<const SweepFile>(read_sweep_file(registry, request));
          },
          wake),
      recorded_gallery_(wake) {}

void SweepView::update(Frame& frame) {
    if (frame.session.view == "sweep") follow_recorded(frame.session);
    if (frame.session.view == "sweep" || waiting_) {
        follow_open_kernel(frame.session);
        read_plan(frame);
        follow_file(frame);
    }
    if (const auto requested = std::exchange(frame.session.requested.sweep, {})) {
        if (*requested == SweepMove::run_or_stop)
            begin_or_end(frame);
        else if (job_.paused()) {
            frame.live.stop();
            job_.go_on();
        } else {
            job_.pause();
        }
    }
    // Two measurements at once would measure each other.
    if (job_.running() && !job_.paused() && (frame.live.wanted() || frame.live.network_wanted())) {
        job_.pause();
        notify(frame.session, "The sweep pauses while something else is measured");
    }
    if (waiting_ && !frame.live.running()) begin(frame);
    take_rows(frame);
    frame.session.sweep_state = waiting_ || job_.running() ? job_.paused() ? SweepState::paused : SweepState::running
                                : !complete_ && !results_.rows().empty() && is_in_file(frame.session)
                                    ? SweepState::stopped
                                    : SweepState::idle;
}

/// The plan of the choices, or why there is none.
void SweepView::read_plan(Frame& frame) {
    std::string command;
    try {
        const FlagValues flags = sweep_flags(frame.session, frame.registry);
        command = command_line("sweep", flags);
        const std::string own = flags.get_or("--own", "");
        const auto saved = own.empty() ? std::filesystem::file_time_type{} : frame.session.open_kernel.saved;
        if (command == command_ && saved == saved_) return;
        plan_.reset();
        rejection_.clear();
        own_ = own;
        saved_ = saved;
        std::optional<UserVariants> variants;
        if (!own.empty()) variants.emplace(own);
        plan_ = std::make_shared<const SweepPlan>(frame.registry, flags, Shard{}, variants ? &*variants : nullptr);
    } catch (const Error& error) {
        plan_.reset();
        rejection_ = error.what();
        if (rejection_.empty()) rejection_ = "this cannot be swept over";
    }
    command_ = std::move(command);
}

void SweepView::begin_or_end(Frame& frame) {
    if (measures()) {
        waiting_ = false;
        job_.cancel();
        return;
    }
    read_plan(frame);
    if (!plan_) return notify(frame.session, rejection_, true);
    frame.live.stop();
    waiting_ = true;
}

/// For rows of another sweep than before.
void SweepView::other_rows(std::vector<SweepAxis> axes) {
    results_.begin(std::move(axes));
    selection_.reset();
    for (PlotState& state : states_) state.view.reset();
    opened_.clear();
    opened_name_.clear();
    recorded_.clear();
    ++opened_count_;
    ++generation_;
}

/// The live timing has ended: what of the plan is not there yet is measured. What this run of the app has completed is
/// measured again, and a stop does not bring the earlier rows back.
void SweepView::begin(Frame& frame) {
    waiting_ = false;
    if (!plan_) return;
    const bool same = is_in_file(frame.session);
    if (complete_ || !same) {
        anew_ = complete_ && same;
        other_rows(axes_in_use(frame.session, frame.registry));
        frame.session.sweep.recorded.clear();
        frame.session.sweep.query.clear();
    }
    run_command_ = command_;
    run_layer_ = frame.session.good.name;
    run_saved_ = saved_;
    run_csv_ = frame.session.sweep.csv_path;
    complete_ = false;
    job_.start({plan_, results_.rows(), frame.session.sweep.csv_path, own_, !anew_});
}

void SweepView::take_rows(Frame& frame) {
    const bool running = job_.running();
    std::size_t fresh = 0;
    for (Record& row : job_.take_found()) fresh += results_.add(std::move(row)) ? 1 : 0;
    if (fresh > 0) {
        ++generation_;
        notify(frame.session,
               fmt::format("{} of this sweep were in {} already", counted(fresh, "row"), frame.session.sweep.csv_path));
    }
    for (Record& row : job_.take_rows()) {
        measured_.push_back(row);
        measured_.back().samples_us.clear();
        results_.add(std::move(row));
        ++generation_;
    }
    for (const std::string& sentence : job_.take_notices()) notify(frame.session, sentence, true);
    const SweepProgress progress = job_.progress();
    if (!running && !waiting_ && progress.total > 0 && opened_.empty()) complete_ = progress.done == progress.total;
}

/// Shows the rows that the named file has of the sweep that the fields describe: a session's file, the next start of
/// the app, an undo or a change of the fields may have brought these back. Which rows are of a kernel of one's own is
/// known when it is compiled: not before it runs.
void SweepView::follow_file(Frame& frame) {
    const std::string& path = frame.session.sweep.csv_path;
    file_.reset();
    std::error_code error;
    if (measures() || !opened_.empty() || !plan_ || !own_.empty() || path.empty()) return;
    const SweepFileRequest wanted{plan_, path, std::filesystem::last_write_time(path, error)};
    if (error) return;
    file_reader_.request(wanted);
    const std::shared_ptr<const SweepFile> file = file_reader_.latest();
    if (!file || !(file->of == wanted)) return;
    file_ = file;
    if (file->found.empty() || is_in_file(frame.session)) return;
    other_rows(axes_in_use(frame.session, frame.registry));
    for (const Record& row : file->found) results_.add(row);
    run_command_ = command_;
    run_saved_ = saved_;
    run_csv_ = path;
    complete_ = file->complete;
}

/// Back to a sweep of one's own: there is nothing of it yet.
void SweepView::close_rows(Session& session) {
    session.sweep.recorded.clear();
    other_rows({});
    run_command_.clear();
    complete_ = false;
}

void SweepView::show_available_rows(Session& session) {
    if (!available_rows_ || measures()) return;
    show_all(session.sweep);
    show_rows(*available_rows_);
}

void SweepView::show_recorded(Session& session, const std::string& name) {
    show_all(session.sweep);
    session.sweep.recorded = name;
    follow_recorded(session);
}

/// Shows what the session names: a click, a session's file or an undo may have changed it.
void SweepView::follow_recorded(Session& session) {
    const std::string& name = session.sweep.recorded;
    if (name == recorded_ || measures()) return;
    if (name.empty()) return close_rows(session);
    for (const std::filesystem::path& path : recorded_sessions())
        if (path.stem() == name)
            if (const auto rows = open_compare_data({{path}, true}, {})) {
                show_rows(*rows);
                recorded_ = name;
                return;
            }
    notify(session, fmt::format("There is no recorded session '{}' here", name), true);
    session.sweep.recorded = recorded_;
}

SweepRows sweep_rows_of(const CompareData& data) {
    std::vector<Record> rows;
    const std::size_t count = std::min(data.table.rows(), max_rows);
    for (std::size_t i = 0; i < count; ++i) {
        try {
            rows.push_back(data.table.record(i));
        } catch (const Error&) {
            continue;  // the Compare view says what is wrong with it
        }
    }
    SweepRows sweep;
    sweep.begin(axes_among(rows));
    for (Record& row : rows) sweep.add(std::move(row));
    return sweep;
}

std::string SweepView::describe(const SweepRows& sweep) {
    std::set<std::string> layers, methods;
    for (const Record& row : sweep.rows()) {
        layers.insert(layer_text(row.shape));
        methods.insert(row.method);
    }
    // A layer that is varied is named by what varies.
    const bool varied = std::ranges::any_of(
        sweep.axes(), [](const SweepAxis& axis) { return !is_launch(axis.kind) && !is_share(axis.kind); });
    std::vector<std::string> over;
    for (const SweepAxis& axis : sweep.axes()) over.push_back(name_of(axis));
    std::string text = fmt::format(
        "{}: {}", counted(sweep.rows().size(), "row"),
        methods.size() <= 3 ? fmt::format("{}", fmt::join(methods, ", ")) : fmt::format("{} methods", methods.size()));
    if (!varied && layers.size() == 1) text += " on " + *layers.begin();
    if (!varied && layers.size() > 1) text += fmt::format(" on {} layers", layers.size());
    return text + fmt::format(" over {}", fmt::join(over, ", "));
}

void SweepView::show_rows(const CompareData& data) {
    SweepRows rows = sweep_rows_of(data);
    other_rows(rows.axes());
    results_ = std::move(rows);
    opened_name_ = data.title;
    opened_ = describe_rows();
    if (!data.provenance.empty()) opened_ += ". " + data.provenance;
    if (max_rows < data.table.rows()) opened_ += fmt::format("; the first of {}", data.table.rows());
    run_command_.clear();
    complete_ = true;
}

}  // namespace convscope::app
