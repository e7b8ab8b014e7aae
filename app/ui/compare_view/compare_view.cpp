#include "app/ui/compare_view/compare_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "app/compare/compare_pages.h"
#include "app/session/method_choice.h"
#include "app/ui/compare_view/load_row.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_log.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/plot_grid.h"
#include "app/ui/widgets/table_menu.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/records/row_query.h"

namespace convscope::app {
namespace {

constexpr int settle_ms = 6;  ///< small tables are made in less: a click and its plot are one frame

}  // namespace

CompareView::CompareView(std::function<void()> wake)
    : loader_([](const CompareSource& source, const std::shared_ptr<CompareData>&,
                 const std::stop_token& stop) { return open_compare_data(source, stop); },
              wake),
      maker_([](const CompareRequest& request, const std::shared_ptr<CompareResult>&,
                const std::stop_token& stop) { return make_compare_result(request, stop); },
             wake),
      recorded_(wake) {}

void CompareView::open(const std::filesystem::path& path) {
    requested_.kind = RecordSource::Kind::files;
    // Whole: a session that is found after a crash is opened from another folder.
    requested_.files.push_back(std::filesystem::absolute(path).lexically_normal().string());
    ++openings_;
}

void CompareView::open_recorded(const std::string& name, bool beside) {
    if (!beside) {
        requested_ = {};
        requested_.kind = RecordSource::Kind::recorded;
        requested_.name = name;
        return;
    }
    // Of a session that the view found for itself, the name is that of its file.
    if (requested_.kind == RecordSource::Kind::automatic && source_ && source_->recorded) {
        open_recorded(source_name(source_->files[0]));
        for (std::size_t i = 1; i < source_->files.size(); ++i)
            requested_.beside.push_back(source_name(source_->files[i]));
    }
    if (requested_.kind != RecordSource::Kind::recorded) return open_recorded(name);
    if (requested_.name != name && std::ranges::find(requested_.beside, name) == requested_.beside.end())
        requested_.beside.push_back(name);
}

void CompareView::open_this_run() {
    requested_ = {};
    requested_.kind = RecordSource::Kind::this_run;
}

/// What is there to see without a file and without a GPU: a recorded session.
std::optional<CompareSource> CompareView::first_source(Frame& frame) {
    const auto has_rows = [](std::span<const Record> rows) { return !rows.empty(); };
    if (!frame.live.figures().records.empty() || std::ranges::any_of(also_measured_, has_rows)) return {};
    const std::vector<std::filesystem::path> recorded = recorded_sessions();
    for (const char* wanted : {"xu2022-scopes", "xu2022-layers"})
        for (const std::filesystem::path& path : recorded)
            if (source_name(path) == wanted) return CompareSource{{path}, true};
    if (recorded.empty()) return {};
    return CompareSource{{recorded.front()}, true};
}

/// Finds the records that the session asks for.
void CompareView::choose_source(Frame& frame) {
    RecordSource& records = frame.session.records;
    if (requested_.kind != RecordSource::Kind::automatic) records = std::exchange(requested_, {});
    switch (records.kind) {
        case RecordSource::Kind::automatic:
            if (!std::exchange(started_, true)) first_ = first_source(frame);
            source_ = first_;
            break;
        case RecordSource::Kind::this_run:
            source_.reset();
            break;
        case RecordSource::Kind::recorded:
            choose_recorded(frame);
            break;
        case RecordSource::Kind::files:
            source_ = CompareSource{{records.files.begin(), records.files.end()}, false, openings_};
            break;
    }
}

void CompareView::choose_recorded(Frame& frame) {
    RecordSource& records = frame.session.records;
    std::vector<std::string> names{records.name};
    names.insert(names.end(), records.beside.begin(), records.beside.end());
    const auto is_named = [](const std::filesystem::path& path, const std::string& name) {
        return source_name(path) == name;
    };
    if (source_ && source_->recorded && std::ranges::equal(source_->files, names, is_named)) return;
    CompareSource found{{}, true};
    const std::vector<std::filesystem::path> all = recorded_sessions();
    for (const std::string& name : names) {
        const auto at = std::ranges::find(all, name, source_name);
        if (at != all.end())
            found.files.push_back(*at);
        else
            notify(frame.session, fmt::format("There is no recorded session '{}' here", name), true);
    }
    // What is not here is not requested again in the next frame.
    if (found.files.size() < names.size()) records = {};
    if (!found.files.empty()) source_ = std::move(found);
}

/// What live timing, networks, sweeps and kernels of the user's own have measured since the app was started.
void CompareView::show_this_run(Frame& frame) {
    const SharedRecords& live = frame.live.figures().records;
    std::string state = fmt::format("{} {}", live.size(), live.empty() ? "" : live.back().timestamp_utc);
    for (const std::span<const Record> rows : also_measured_) state += fmt::format(" {}", rows.size());
    if (data_ && data_->title == this_run && state == run_state_) return;
    run_state_ = std::move(state);
    std::vector<Record> rows;
    for (const std::span<const Record> measured : also_measured_)
        rows.insert(rows.end(), measured.begin(), measured.end());
    rows.insert(rows.end(), live.begin(), live.end());
    show_data(frame, make_compare_data(rows, this_run));
}

void CompareView::show_data(Frame& frame, std::shared_ptr<const CompareData> data) {
    if (!data || data == data_) return;
    data_ = std::move(data);
    selection_.reset();
    ++opened_;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, data_->problems.lines.size()); ++i)
        notify(frame.session, data_->problems.lines[i], true);
}

/// Keeps table and plots in step with the source and the choices.
void CompareView::follow(Frame& frame) {
    choose_source(frame);
    if (source_) {
        loader_.request(*source_);
        loader_.settle(settle_ms);
        show_data(frame, loader_.latest());
        if (const std::string error = loader_.take_error(); !error.empty()) notify(frame.session, error, true);
    } else {
        show_this_run(frame);
    }
    if (!data_) return;
    maker_.request({data_, frame.session.compare});
    maker_.settle(settle_ms);
    if (std::shared_ptr<CompareResult> made = maker_.latest(); made && made->data == data_) result_ = std::move(made);
    if (const std::string error = maker_.take_error(); !error.empty()) notify(frame.session, error, true);
    if (result_ && result_->data != data_) result_.reset();
}

void CompareView::draw(Frame& frame, const ViewStyle& style) {
    if (std::exchange(frame.session.let_go_of_rows, false)) unpin();
    if (const std::string requested = std::exchange(frame.session.recorded_requested, {}); !requested.empty())
        open_recorded(requested);
    follow(frame);
    shown_plots_.clear();
    header(frame);
    if (!data_ || !result_) {
        note(source_ ? "Reading..." : "");
        return;
    }
    source_line();
    if (data_->table.empty()) {
        ImGui::Dummy({0, px(24)});
        paragraph(source_
                      ? "No row of this file could be read; what is wrong with each stands in the column on the right."
                      : "Nothing was measured in this run yet. Press Run in the Layout view, open a recorded session "
                        "in the list above, or drop CSV files of records on the window.",
                  look().theme->text.u32());
        return;
    }
    pages(frame);
    controls(frame);
    headline();
    page(frame, style);
}

void CompareView::headline() {
    for (std::size_t i = 0; i < std::min<std::size_t>(2, result_->findings.size()); ++i) {
        clipped_text(result_->findings[i].c_str(), ImGui::GetContentRegionAvail().x,
                     (i == 0 ? look().theme->text : look().theme->text_dim).u32());
        tip(fmt::format("{}", fmt::join(result_->findings, "\n")));
    }
    if (result_->lists.set.page == "table" && !result_->same.empty()) {
        WithFont font(look().fonts->small);
        const std::string text = "The same in all rows:  " + result_->same;
        clipped_text(text.c_str(), ImGui::GetContentRegionAvail().x, look().theme->text_dim.u32());
        tip(text);
    }
}

void CompareView::page(Frame& frame, const ViewStyle& style) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ComparePage page = result_->lists.set.page;
    if (page == "table") {
        const CompareTableEvents events = table_.draw(*result_, result_->lists.set, selection_.emphasis());
        table_menu(frame.session, "compare/table menu", events.menu, [&] { return compared_table(*result_); });
        CompareChoice& set = frame.session.compare;
        if (!events.sort.empty()) {
            set.descending = set.sort == events.sort && !set.descending;
            set.sort = events.sort;
        }
        if (events.with_ctrl && events.clicked != no_row) {
            selection_.toggle(events.clicked);
            point(frame, events.hovered, no_row);
        } else {
            point(frame, events.hovered, events.clicked);
        }
        return;
    }
    const bool pairs = page == "files" && !result_->pairs.empty();
    plots(frame, style, {room.x, pairs ? room.y * 0.6F : room.y});
    if (pairs) pairs_list(frame, room.y * 0.4F - px(8));
}

/// As many of the page's plots as are legible, from the one that is chosen on.
void CompareView::plots(Frame& frame, const ViewStyle& style, ImVec2 room) {
    const std::size_t count = result_->plots.size();
    if (count == 0) return;
    // Over each stand its name and its chips.
    const ImVec2 min{px(min_panel_width), px(min_panel_height + 50)};
    const float gap = px(16), share = 0.56F;
    PlotGrid grid(count, room, min, gap, share);
    std::size_t& first = first_plot_[result_->lists.set.page.index()];
    if (grid.fits() < count) {
        std::vector<std::string> names;
        for (const Plot& each : result_->plots) names.push_back(each.subtitle.empty() ? each.y.name : each.subtitle);
        first = std::min(first, count - grid.fits());
        const float top = ImGui::GetCursorScreenPos().y;
        if (const int picked = text_tabs("compare/show", names, first, grid.fits()); picked >= 0)
            first = std::min(static_cast<std::size_t>(picked), count - grid.fits());
        room.y -= ImGui::GetCursorScreenPos().y - top;
        grid = PlotGrid(grid.fits(), room, {min.x, 1}, gap, share);
    } else {
        first = 0;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i < grid.fits(); ++i) {
        ImGui::SetCursorScreenPos({at.x + grid.at(i).x, at.y + grid.at(i).y});
        plot(frame, style, first + i, grid.size(i).x, grid.size(i).y);
    }
}

void CompareView::plot(Frame& frame, const ViewStyle& style, std::size_t index, float width, float height) {
    const Plot& plot = result_->plots[index];
    Shown& shown = states_[result_->lists.set.page.index()][index];
    std::string of = fmt::format("{}|{}|{}|{}", plot.title, plot.x.name, plot.y.name, plot.x.names.size());
    for (const HeldColumn& each : result_->held[index])
        if (each.column == "layer") of += "|" + each.value;
    if (shown.of != of) {
        shown.state = PlotState();
        shown.of = of;
    }
    if (!plot.subtitle.empty()) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        WithFont font(look().fonts->small);
        clipped_text(plot.subtitle.c_str(), width, look().theme->text.u32());
        const float line = ImGui::GetTextLineHeight() + px(2);
        ImGui::SetCursorScreenPos({at.x, at.y + line});
        height -= line;
    }
    height -= chips(frame, index, width);
    const PlotResult result = show_plot(
        fmt::format("plot {}", index).c_str(), plot, shown.state, style, selection_.emphasis(),
        [this](PlotRow row) { return describe(row); }, width, height);
    if (ItemLog::active)
        ItemLog::active->add(fmt::format("compare/plot {}", index),
                             {static_cast<float>(result.area.x), static_cast<float>(result.area.y)},
                             {static_cast<float>(result.area.right()), static_cast<float>(result.area.bottom())});
    if (result.brushed) selection_.brush(*result.brushed);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool inside = mouse.x >= result.x && mouse.x < result.x + result.width && mouse.y >= result.y &&
                        mouse.y < result.y + result.height;
    if (inside || result.clicked != no_row) point(frame, result.hovered, result.clicked);
    shown_plots_.push_back(result);
    note_drawn(frame.session, {plot.subtitle.empty() ? plot.y.name : plot.subtitle,
                               plot,
                               shown.state,
                               {960, 560, look().theme},
                               data_->provenance});
    save(frame, index, result.request);
}

/// The pairs that differ most, in words.
void CompareView::pairs_list(Frame& frame, float height) {
    if (!ImGui::BeginChild("pairs", {0, std::max(px(40), height)})) return ImGui::EndChild();
    const auto words = [&](const ComparedPair& pair) {
        const CompareColumns& c = compare_columns();
        return fmt::format("{:9} {:5.2f}x ({:.2f} to {:.2f})  {:12} {}  {} -> {}", to_string(pair.verdict), pair.ratio,
                           pair.low, pair.high, data_->text(pair.after, c.method),
                           data_->layer_names[data_->layer[pair.after]], duration(data_->number(pair.before, c.time)),
                           duration(data_->number(pair.after, c.time)));
    };
    ImGui::PushFont(look().fonts->mono_small);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(result_->pairs.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const ComparedPair& pair = result_->pairs[static_cast<std::size_t>(i)];
            const Rgba colour = pair.verdict == Verdict::improved ? look().theme->good
                                : pair.verdict == Verdict::worse  ? look().theme->bad
                                                                  : look().theme->text_dim;
            ImGui::PushStyleColor(ImGuiCol_Text, colour.u32());
            ImGui::PushID(i);
            const bool clicked = ImGui::Selectable(words(pair).c_str(), pair.after == selection_.pinned);
            ImGui::PopID();
            ImGui::PopStyleColor();
            if (ImGui::IsItemHovered() || clicked)
                point(frame, ImGui::IsItemHovered() ? pair.after : no_row, clicked ? pair.after : no_row);
        }
    ImGui::PopFont();
    ImGui::EndChild();
}

void CompareView::point(Frame& frame, PlotRow hovered, PlotRow clicked) {
    selection_.hovered = hovered;
    if (clicked == no_row || clicked >= data_->table.rows()) return;
    selection_.pinned = clicked;
    load(frame, clicked);
    // What is looked at closely follows the click.
    frame.session.compare.layer = data_->layer_names[data_->layer[clicked]];
}

void CompareView::load(Frame& frame, std::size_t row) {
    const std::string said = load_row(frame.session, frame.registry, *data_, row);
    notify(frame.session, said);
}

Explanation CompareView::explain(const Session&) const {
    return {"Compare: what records show",
            "Records come from recorded sessions, from CSV and JSON files (drop them on the window) or from this "
            "run. What is timed: one switch says what is timed, and the speed-up over the vendor "
            "changes with it; the bars show where the time goes. Roofline counts only work that was done. Who "
            "wins: the fastest method over two axes, and where a method overtakes the vendor. Click a point to "
            "load its layer and launch configuration; Shift and a drag choose rows; right click saves a plot "
            "or copies the command line that measures its rows again."};
}

}  // namespace convscope::app
