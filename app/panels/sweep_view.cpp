#include "app/panels/sweep_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/compare/load_row.h"
#include "app/format.h"
#include "app/item_log.h"
#include "app/method_choice.h"
#include "app/panels/save_plot.h"
#include "app/sweep_view/sweep_axes.h"
#include "app/sweep_view/sweep_flags.h"
#include "app/widgets.h"
#include "kernels/core/error.h"

namespace convscope::app {
namespace {

constexpr std::size_t most_rows = 5000;  ///< of a file; more are what the Compare view is for

}  // namespace

void SweepView::follow(Frame& frame) {
    SweepChoice& choice = frame.session.sweep;
    if (frame.session.view == View::sweep || waiting_) read_plan(frame);
    if (const auto asked = std::exchange(choice.asked, {})) {
        if (*asked == SweepMove::run_or_stop)
            run_or_stop(frame);
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
        notify(frame.session, "The sweep pauses while other figures are measured");
    }
    if (waiting_ && !frame.live.running()) begin(frame);
    take_rows(frame);
    choice.state = waiting_ || job_.running() ? job_.paused() ? SweepState::paused : SweepState::running
                   : !complete_ && !results_.rows().empty() && command_ == run_command_ ? SweepState::stopped
                                                                                        : SweepState::idle;
}

/// The plan of the choices, or why there is none.
void SweepView::read_plan(Frame& frame) {
    try {
        const FlagValues flags = sweep_flags(frame.session, frame.registry);
        std::string command = command_line("sweep", flags);
        if (command == command_) return;
        command_ = std::move(command);
        plan_.reset();
        refusal_.clear();
        plan_ = std::make_shared<const SweepPlan>(frame.registry, flags);
    } catch (const Error& error) {
        plan_.reset();
        refusal_ = error.what();
        if (refusal_.empty()) refusal_ = "this cannot be swept over";
    }
}

void SweepView::run_or_stop(Frame& frame) {
    if (busy()) {
        waiting_ = false;
        job_.cancel();
        return;
    }
    read_plan(frame);
    if (!plan_) return notify(frame.session, refusal_, true);
    frame.live.stop();
    waiting_ = true;
}

/// The live timing has ended: what of the plan is not there yet is measured.
void SweepView::begin(Frame& frame) {
    waiting_ = false;
    if (!plan_) return;
    if (complete_ || command_ != run_command_) {
        results_.begin(axes_in_use(frame.session, frame.registry));
        selection_ = {};
        for (PlotState& state : states_) state.view.reset();
    }
    run_command_ = command_;
    opened_.clear();
    complete_ = false;
    job_.start(plan_, results_.rows());
    ++generation_;
}

void SweepView::take_rows(Frame& frame) {
    const bool running = job_.running();
    for (Record& row : job_.take_rows()) {
        results_.add(std::move(row));
        ++generation_;
    }
    for (const std::string& sentence : job_.take_notices()) notify(frame.session, sentence, true);
    const SweepProgress progress = job_.progress();
    if (!running && !waiting_ && progress.total > 0 && opened_.empty()) complete_ = progress.done == progress.total;
}

void SweepView::show_offered(Session& session) {
    if (!offered_ || busy()) return;
    std::vector<Record> rows;
    const std::size_t count = std::min(offered_->table.rows(), most_rows);
    for (std::size_t i = 0; i < count; ++i) {
        try {
            rows.push_back(offered_->table.record(i));
        } catch (const Error&) {
            continue;  // the Compare view says what is wrong with it
        }
    }
    results_.begin(axes_among(rows));
    for (Record& row : rows) results_.add(std::move(row));
    opened_ = fmt::format("{} rows of {}", results_.rows().size(), offered_->title);
    if (!offered_->provenance.empty()) opened_ += ", " + offered_->provenance;
    if (count < offered_->table.rows()) opened_ += fmt::format("; the first of {}", offered_->table.rows());
    run_command_.clear();
    complete_ = true;
    selection_ = {};
    session.sweep.pane = SweepPane::all;
    for (PlotState& state : states_) state.view.reset();
    ++generation_;
}

std::string SweepView::shown_method(const Session& session) const {
    const std::vector<std::string> methods = methods_of(results_);
    for (const std::string& id : {session.sweep.method, session.choices.method})
        if (std::ranges::find(methods, id) != methods.end()) return id;
    return methods.empty() ? std::string() : methods.front();
}

void SweepView::make_plots(Frame& frame) {
    SweepPlotChoice choice{frame.session.sweep.metric, shown_method(frame.session), {}, run_command_};
    const std::string as = fmt::format("{} {}", static_cast<int>(choice.metric), choice.method);
    if (plotted_ == generation_ && plotted_as_ == as) return;
    if (plotted_as_ != as)
        for (PlotState& state : states_) state.view.reset();
    plotted_ = generation_;
    plotted_as_ = as;
    for (const Record& row : results_.rows())
        if (!choice.colors.contains(row.method))
            choice.colors[row.method] =
                colour_of(frame.registry, device_kind(frame.session, frame.registry), row.method);
    plots_ = sweep_plots(results_, choice);
    best_ = best_point(results_);
}

void SweepView::draw(Frame& frame, const ViewStyle& style) {
    if (std::exchange(frame.session.let_go_of_rows, false)) let_go();
    controls(frame);
    shown_plots_.clear();
    make_plots(frame);
    if (plots_.empty()) {
        ImGui::Dummy({0, px(24)});
        paragraph(results_.rows().empty()
                      ? "A sweep measures the layer on the left at every combination of the values above. Press Space "
                        "or Run; what cannot run stays in the plots with its reason."
                      : "The plots begin with the second point.",
                  look().theme->text_dim.u32());
        return;
    }
    pane_tabs(frame);
    best_line();
    draw_plots(frame, style);
}

/// The best point, with how sure that is.
void SweepView::best_line() {
    if (!best_) return;
    const Record& row = results_.rows()[best_->row];
    const std::string words =
        fmt::format("Best: {} with {}, {} ({} to {}, 95 %){}", row.method, point_in_words(results_.axes(), row),
                    duration(*row.time_median_us), duration(best_->low_us), duration(best_->high_us),
                    best_->tied.empty() ? ""
                                        : fmt::format("; {} {} cannot be told from it", best_->tied.size(),
                                                      best_->tied.size() == 1 ? "other" : "others"));
    clipped_text(words.c_str(), ImGui::GetContentRegionAvail().x, look().theme->text.u32());
    tip(words + ". It is ringed in the plots, and what is tied with it fainter.");
}

void SweepView::draw_plots(Frame& frame, const ViewStyle& style) {
    std::vector<const SweepPlot*> shown;
    for (const SweepPlot& plot : plots_)
        if (frame.session.sweep.pane == SweepPane::all || frame.session.sweep.pane == plot.pane) shown.push_back(&plot);
    if (shown.empty())
        for (const SweepPlot& plot : plots_) shown.push_back(&plot);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float gap = px(12);
    const bool two_columns = shown.size() > 1 && room.x > px(560);
    const std::size_t rows = two_columns ? (shown.size() + 1) / 2 : shown.size();
    const float height = (room.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    // Where they are odd in number, the first has a row to itself.
    std::size_t next = 0;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    PlotRow hovered = no_row;
    for (std::size_t row = 0; row < rows; ++row) {
        const bool alone = !two_columns || (row == 0 && shown.size() % 2 == 1);
        const float width = alone ? room.x : (room.x - gap) / 2;
        for (std::size_t column = 0; column < (alone ? 1U : 2U) && next < shown.size(); ++column) {
            ImGui::SetCursorScreenPos({start.x + static_cast<float>(column) * (width + gap),
                                       start.y + static_cast<float>(row) * (height + gap)});
            draw_plot(frame, style, *shown[next++], width, height);
            if (shown_plots_.back().hovered != no_row) hovered = shown_plots_.back().hovered;
        }
    }
    selection_.hovered = hovered;
}

void SweepView::draw_plot(Frame& frame, const ViewStyle& style, const SweepPlot& shown, float width, float height) {
    PlotState& state = states_[static_cast<int>(shown.pane)];
    {
        WithFont font(look().fonts->small);
        clipped_text(shown.title.c_str(), width, look().theme->text.u32());
    }
    const float head = ImGui::GetTextLineHeight() + px(4);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImGui::SetCursorScreenPos({at.x, at.y + head});
    const PlotResult result = show_plot(
        to_string(shown.pane), shown.plot, state, style, selection_.emphasis(),
        [this](PlotRow row) { return describe(row); }, width, std::max(px(40), height - head));
    if (ItemLog::active)
        ItemLog::active->add(fmt::format("sweep/plot {}", to_string(shown.pane)),
                             {static_cast<float>(result.area.x), static_cast<float>(result.area.y)},
                             {static_cast<float>(result.area.right()), static_cast<float>(result.area.bottom())});
    if (result.brushed) selection_.brush(*result.brushed);
    if (result.clicked != no_row) load(frame, result.clicked);
    save_plot(frame.session, result, shown.plot, state, selection_.emphasis(),
              fmt::format("sweep-{}", static_cast<int>(shown.pane)));
    shown_plots_.push_back(result);
}

/// Puts a point into the workload and launch panels.
void SweepView::load(Frame& frame, PlotRow row) {
    const Record* record = results_.find(row);
    if (!record) return;
    selection_.pinned = row;
    // What is swept goes on as it is: the axes were those of this method and layer.
    SweepChoice& choice = frame.session.sweep;
    if (!choice.axes) choice.axes = axes_in_use(frame.session, frame.registry);
    if (!choice.methods) choice.methods = sweep_methods(frame.session, frame.registry);
    const auto data = make_compare_data({*record}, "sweep");
    notify(frame.session, load_row(frame.session, frame.registry, *data, 0));
}

std::string SweepView::describe(PlotRow row) const {
    const Record* record = results_.find(row);
    if (!record) return {};
    std::string text = record->method;
    if (results_.axes().size() > 2) text += ": " + point_in_words(results_.axes(), *record);
    if (is_timed(*record)) {
        if (record->speedup_vs_vendor)
            text += fmt::format(", {:.2f}x {}", *record->speedup_vs_vendor, record->vendor_method);
        if (record->occupancy_pct) text += fmt::format(", occupancy {:.0f} %", *record->occupancy_pct);
    }
    return text + "\nClick to load it into the panels";
}

void SweepView::facts_of(const Record& row) {
    paragraph(row.method, look().theme->text.u32());
    note(to_string(row.shape));
    for (const SweepAxis& axis : results_.axes())
        if (const double value = value_on(axis, row); value == value)
            fact(name_of(axis).c_str(), plot_words(scale_of(axis), value), meaning_of(axis.kind));
    if (!is_timed(row)) {
        fact("status", to_string(row.status));
        return row.status == Status::passed ? note(row.status_reason) : problem(row.status_reason);
    }
    fact("median", duration(*row.time_median_us), "Of all samples");
    if (row.time_q1_us && row.time_q3_us)
        fact("quartiles", fmt::format("{} - {}", duration(*row.time_q1_us), duration(*row.time_q3_us)));
    if (row.noise_pct)
        fact("noise", fmt::format("{} %", three_digits(*row.noise_pct)), "Half the 95 % interval of the median");
    if (row.speedup_vs_vendor)
        fact(("over " + row.vendor_method).c_str(), fmt::format("{:.2f}x", *row.speedup_vs_vendor),
             "How often as fast as the vendor's best");
    if (row.gflops) fact("rate, dense", fmt::format("{} GFLOP/s", three_digits(*row.gflops)));
    if (row.occupancy_pct) fact("occupancy", fmt::format("{:.0f} %", *row.occupancy_pct), "Predicted");
    if (row.registers) fact("registers", std::to_string(*row.registers), "Of each thread");
    if (row.shared_bytes) fact("shared memory", bytes(static_cast<double>(*row.shared_bytes)), "Of each block");
    if (row.max_rel_err) fact("error", fmt::format("{:.1e}", *row.max_rel_err), "Largest, against the judge");
}

void SweepView::inspect(Frame&) {
    heading("POINT");
    const Record* row = results_.find(selection_.hovered);
    if (!row) row = results_.find(selection_.pinned);
    if (!row && best_) row = results_.find(best_->row);
    if (!row)
        note(
            "Point at a mark to read it, click it to load it into the panels on the left. Shift and a drag brush: the "
            "same points are lit in every plot.");
    else
        facts_of(*row);
    if (!selection_.brushed()) return;
    ImGui::Dummy({0, px(4)});
    heading("BRUSHED");
    std::size_t timed = 0;
    double low = 0, high = 0;
    for (std::size_t i = 0; i < results_.rows().size(); ++i) {
        const Record& each = results_.rows()[i];
        if (!selection_.holds(static_cast<PlotRow>(i)) || !is_timed(each)) continue;
        low = timed == 0 ? *each.time_median_us : std::min(low, *each.time_median_us);
        high = std::max(high, *each.time_median_us);
        ++timed;
    }
    fact("points", fmt::format("{} of {}", selection_.count(), results_.rows().size()));
    if (timed > 0) fact("medians", fmt::format("{} - {}", duration(low), duration(high)));
    if (button("sweep/let go", "Let go")) let_go();
}

}  // namespace convscope::app
