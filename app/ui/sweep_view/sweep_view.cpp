#include "app/ui/sweep_view/sweep_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/session/command_lines.h"
#include "app/session/method_choice.h"
#include "app/session/sweep_axes.h"
#include "app/session/sweep_flags.h"
#include "app/ui/compare_view/load_row.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/sweep_view/sweep_metric.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/lead_line.h"
#include "app/ui/widgets/plot_grid.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"

namespace convscope::app {

std::string SweepView::shown_method(const Session& session) const {
    const std::vector<std::string> methods = methods_of(results_);
    for (const std::string& id : {session.sweep.method, session.choices.method})
        if (std::ranges::find(methods, id) != methods.end()) return id;
    return methods.empty() ? std::string() : methods.front();
}

bool SweepView::simulated(const Frame& frame) const {
    return results_.rows().empty() ? device_kind(frame.session, frame.registry) == DeviceKind::sim
                                   : results_.rows().front().device == "sim";
}

void SweepView::make_plots(Frame& frame) {
    const SweepPlotChoice choice{metric_for(frame.session.sweep.metric, simulated(frame)), shown_method(frame.session),
                                 with_model_files(frame.session, run_command_)};
    const std::string as =
        fmt::format("{} {} {}", static_cast<int>(choice.metric), choice.method, frame.session.sweep.query);
    if (plotted_ == generation_ && plotted_as_ == as) return;
    if (plotted_as_ != as)
        for (PlotState& state : states_) state.view.reset();
    plotted_ = generation_;
    plotted_as_ = as;
    filter(frame.session.sweep.query);
    if (shown_.count() == results_.rows().size()) {
        plots_ = sweep_plots(results_, choice);
        best_ = best_point(results_);
        return;
    }
    const SweepRows some = results_.only(shown_);
    const std::vector<PlotRow> numbers = shown_.list();
    plots_ = sweep_plots(some, choice);
    renumber(plots_, numbers);
    best_ = best_point(some);
    if (!best_) return;
    best_->row = numbers[best_->row];
    for (PlotRow& row : best_->tied) row = numbers[row];
}

void SweepView::filter(const std::string& query) {
    query_problem_.clear();
    shown_ = RowSet(results_.rows().size(), true);
    if (query.find_first_not_of(' ') == std::string::npos) return;
    try {
        shown_ = results_.where(query);
    } catch (const Error& error) {
        query_problem_ = error.what();
    }
}

void SweepView::draw(Frame& frame, const ViewStyle& style) {
    if (std::exchange(frame.session.requested.clear_rows, false)) clear_selection();
    const bool only_plots = style.presented && !results_.rows().empty();
    if (!only_plots) controls(frame);
    shown_plots_.clear();
    make_plots(frame);
    if (results_.rows().empty()) return nothing_yet(frame, style);
    if (!only_plots) pane_tabs(frame);
    if (plots_.empty()) return nothing_yet(frame, style);
    draw_lead(lead(frame), {.meaning = "It is ringed in the plots, and what is tied with it fainter."});
    draw_plots(frame, style);
}

/// A map of a recorded sweep, dimmed: what the view is for is seen before anything is measured.
void SweepView::draw_example(const ViewStyle& style, ImVec2 size) {
    if (!example_) {
        SweepRows rows;
        const std::string name = "blocks-ecr3";
        for (const std::filesystem::path& path : recorded_sessions())
            if (path.stem() == name)
                if (const auto data = open_compare_data({{path}, true}, {})) {
                    rows = sweep_rows_of(*data);
                    example_words_ = fmt::format("{}. {}", data->provenance, describe(rows));
                }
        example_.emplace();
        for (SweepPlot& each : sweep_plots(rows, {SweepMetric::time, "ecr3", ""}))
            if (each.pane == SweepPane::map) example_ = std::move(each.plot);
    }
    if (!example_->cells || size.x < px(200) || size.y < px(160)) return;
    const float top = ImGui::GetCursorScreenPos().y, left = ImGui::GetCursorScreenPos().x;
    {
        WithFont font(look().fonts->small);
        ImGui::TextDisabled("%s", in_lines(example_words_, size.x).c_str());
    }
    const ImVec2 at{left, ImGui::GetCursorScreenPos().y};
    size.y -= at.y - top;
    ImGui::SetCursorScreenPos(at);
    ImGui::BeginDisabled();
    PlotState state;
    show_plot("example", *example_, state, style, {}, {}, size.x, size.y);
    ImGui::EndDisabled();
    draw_dimmed(at, {at.x + size.x, at.y + size.y}, *look().theme, example_dimming);
}

/// Explains how to fill the view, and offers sweeps that were recorded on a GPU.
void SweepView::nothing_yet(Frame& frame, const ViewStyle& style) {
    const bool empty = results_.rows().empty();
    if (!empty || measures()) {
        ImGui::Dummy({0, px(16)});
        return paragraph(
            shown_.none() && !empty ? "No row meets the filter above." : "The plots begin with the second point.",
            look().theme->text.u32());
    }
    draw_lead(lead(frame), {.meaning = "What cannot run stays in the plots with its reason."});
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float width = std::min(px(560), std::max(room.x * 0.6F, std::min(room.x, px(460))));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x + width, at.y});
    draw_example(style, {room.x - width, room.y});
    ImGui::SetCursorScreenPos(at);
    ImGui::BeginChild("invitation", {width, room.y});
    ImGui::Dummy({0, px(4)});
    paragraph(
        "A sweep measures the layer on the left at every combination of the values above. Press Space or Run; what "
        "cannot run stays in the plots with its reason.",
        look().theme->text.u32());
    ImGui::Dummy({0, px(4)});
    paragraph("Or look at a sweep that was recorded on an NVIDIA GPU:", look().theme->text.u32());
    ImGui::PushStyleColor(ImGuiCol_ChildBg, look().theme->raised.u32());
    ImGui::BeginChild("recorded sweeps", {ImGui::GetContentRegionAvail().x - px(16), 0});
    ImGui::PopStyleColor();
    recorded_gallery_.draw_search("sweep/recorded ", false);
    if (const auto name = recorded_gallery_.draw({}, true, "sweep/recorded ", false))
        show_recorded(frame.session, *name);
    ImGui::EndChild();
    ImGui::EndChild();
}

Lead SweepView::lead(const Frame& frame) const {
    if (results_.rows().empty()) return lead_of_plan(frame);
    const Record* const found = best_ ? results_.find(best_->row) : nullptr;
    if (!found) return measures() ? Lead{} : lead_without_results();
    const Record& row = *found;
    const std::string time = duration(*row.time_median_us), low = duration(best_->low_us),
                      high = duration(best_->high_us);
    const std::string interval = low == time && high == time ? "" : fmt::format(" ({} to {}, 95 %)", low, high);
    const std::string words =
        fmt::format("{} by {} with {}{}", interval, row.method, describe_point(results_.axes(), row),
                    best_->tied.empty() ? ""
                                        : fmt::format("; {} {} cannot be told from it", best_->tied.size(),
                                                      best_->tied.size() == 1 ? "other" : "others"));
    return {"Best: ", time, words};
}

/// Crosses alone say nothing of why.
Lead SweepView::lead_without_results() const {
    const auto& rows = results_.rows();
    if (std::ranges::any_of(rows, [](const Record& row) { return is_timed(row) || has_counts(row); })) return {};
    const Record& first = rows.front();
    return {"No point has a ", "time", fmt::format(". {}: {}", first.method, first.status_reason)};
}

void SweepView::draw_plots(Frame& frame, const ViewStyle& style) {
    std::vector<const SweepPlot*> shown;
    for (const SweepPlot& plot : plots_)
        if (frame.session.sweep.pane == SweepPane::all || frame.session.sweep.pane == plot.pane) shown.push_back(&plot);
    if (shown.empty())
        for (const SweepPlot& plot : plots_) shown.push_back(&plot);
    const float height = style.presented ? 1.3F * min_panel_height : min_panel_height;
    const PlotGrid grid(shown.size(), ImGui::GetContentRegionAvail(), {px(min_panel_width), px(height)}, px(12));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    PlotRow hovered = no_row;
    for (std::size_t i = 0; i < grid.fits(); ++i) {
        ImGui::SetCursorScreenPos({start.x + grid.at(i).x, start.y + grid.at(i).y});
        draw_plot(frame, style, *shown[i], grid.size(i).x, grid.size(i).y);
        if (shown_plots_.back().hovered != no_row) hovered = shown_plots_.back().hovered;
    }
    selection_.hovered = hovered;
}

void SweepView::draw_plot(Frame& frame, const ViewStyle& style, const SweepPlot& shown, float width, float height) {
    PlotState& state = states_[static_cast<int>(shown.pane)];
    {
        WithFont font(look().fonts->small);
        ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text.u32());
        ImGui::TextUnformatted(in_lines(shown.title, width, 2).c_str());
        ImGui::PopStyleColor();
    }
    tip(shown.title);
    const float head = ImGui::GetItemRectSize().y + px(4);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImGui::SetCursorScreenPos({at.x, at.y + head});
    const PlotResult result = show_plot(
        to_string(shown.pane), shown.plot, state, style, selection_.emphasis(),
        [this](PlotRow row) { return describe(row); }, width, std::max(px(40), height - head));
    if (ItemRegistry::active)
        ItemRegistry::active->add(fmt::format("sweep/plot {}", to_string(shown.pane)),
                                  {static_cast<float>(result.area.x), static_cast<float>(result.area.y)},
                                  {static_cast<float>(result.area.right()), static_cast<float>(result.area.bottom())});
    if (result.brushed) selection_.brush(*result.brushed);
    if (result.clicked != no_row) load(frame, result.clicked);
    offer_plot(frame.session, frame.dialogs, result, shown.plot, state, selection_.emphasis(),
               {fmt::format("sweep-{}", static_cast<int>(shown.pane)),
                [this] { return opened_.empty() ? about_record(results_.rows().front()) : opened_; }});
    shown_plots_.push_back(result);
}

/// Puts a point into the workload and launch panels.
void SweepView::load(Frame& frame, PlotRow row) {
    const Record* record = results_.find(row);
    if (!record) return;
    selection_.pinned = row;
    // The sweep stays the same: its default axes and methods would follow the layer and method that are loaded.
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
    if (results_.axes().size() > 2) text += ": " + describe_point(results_.axes(), *record);
    if (is_timed(*record)) {
        if (record->speedup_vs_vendor)
            text += fmt::format(", {:.2f}x {}", *record->speedup_vs_vendor, vendor_baseline(*record));
        if (record->occupancy_pct) text += fmt::format(", occupancy {:.0f} %", *record->occupancy_pct);
    } else if (has_counts(*record)) {
        text += fmt::format(", {} sectors, occupancy {}", count_text(*record, RunCount::sectors),
                            count_text(*record, RunCount::occupancy));
    }
    return text + "\nClick to load it into the panels";
}

Explanation SweepView::explain(const Session&) const {
    return {"Sweep: one layer at many points, and which is best",
            "Every combination of the axes' values is measured with the engine of 'convscope sweep', each result "
            "verified first. What cannot run stays as a cross or a hatched cell that says why. Lines have their "
            "quartiles as a band; the map shows two axes at once; below, predicted occupancy next to the measured "
            "time, and every point as a line over all axes. Point to read a mark, click to load it into the "
            "panels, Shift and a drag to brush: the same points are lit in every plot. The best point is ringed, "
            "with its interval; those that cannot be told from it are ringed faintly. Right click saves a plot "
            "or copies the command line."};
}

std::string SweepView::status(const Frame& frame) const {
    return frame.session.sweep_state == SweepState::running  ? "the sweep runs"
           : frame.session.sweep_state == SweepState::paused ? "the sweep is paused"
                                                             : "Space measures every point of the axes";
}

RunButton SweepView::run_button(const Frame& frame) const {
    const SweepState state = frame.session.sweep_state;
    if (state == SweepState::running || state == SweepState::paused)
        return {true, "Stop the sweep; what is measured stays (Space)"};
    return {false, simulated(frame) ? "Count what the ticked methods do at every point of the axes (Space)"
                                    : "Measure the ticked methods at every point of the axes (Space)"};
}

}  // namespace convscope::app
