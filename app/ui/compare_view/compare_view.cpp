#include "app/ui/compare_view/compare_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "app/session/method_choice.h"
#include "app/ui/compare_view/load_row.h"
#include "app/ui/widgets/lead_line.h"
#include "app/ui/widgets/table_menu.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/records/row_query.h"

namespace convscope::app {
namespace {

constexpr int settle_ms = 6;  ///< small tables are made in less: a click and its plot are one frame

}  // namespace

CompareView::CompareView(std::function<void()> wake)
    : loader_(
          [this](const CompareSource& source, const std::shared_ptr<CompareData>&, const std::stop_token& stop) {
              read_ = 0;
              return open_compare_data(source, stop, [this](double share) { read_ = share; });
          },
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

void CompareView::open_recorded(const std::string& name, bool companion) {
    if (!companion) {
        requested_ = {};
        requested_.kind = RecordSource::Kind::recorded;
        requested_.name = name;
        return;
    }
    // A session that the view found for itself takes the name of its file.
    if (requested_.kind == RecordSource::Kind::automatic && source_ && source_->recorded) {
        open_recorded(source_name(source_->files[0]));
        for (std::size_t i = 1; i < source_->files.size(); ++i)
            requested_.companions.push_back(source_name(source_->files[i]));
    }
    if (requested_.kind != RecordSource::Kind::recorded) return open_recorded(name);
    if (requested_.name != name && std::ranges::find(requested_.companions, name) == requested_.companions.end())
        requested_.companions.push_back(name);
}

void CompareView::open_this_run() {
    requested_ = {};
    requested_.kind = RecordSource::Kind::this_run;
}

/// Without a file and without a GPU the view opens a recorded session.
std::optional<CompareSource> CompareView::first_source(Frame& frame) {
    const auto has_rows = [](std::span<const Record> rows) { return !rows.empty(); };
    if (!frame.live.snapshot().records.empty() || std::ranges::any_of(also_measured_, has_rows)) return {};
    const std::vector<std::filesystem::path> recorded = recorded_sessions();
    for (const char* wanted : {"zeros-vgg19-conv5_1", "xu2022-scopes"})
        for (const std::filesystem::path& path : recorded)
            if (source_name(path) == wanted) return CompareSource{{path}, true};
    if (recorded.empty()) return {};
    return CompareSource{{recorded.front()}, true};
}

/// Finds the records that the session asks for.
void CompareView::choose_source(Frame& frame) {
    RecordSource& records = frame.session.records;
    if (requested_.kind != RecordSource::Kind::automatic) {
        records = std::exchange(requested_, {});
        // Two files that are opened together are to be compared.
        if (records.files.size() == 2) {
            CompareChoice& set = frame.session.compare;
            set.page = "files";
            set.before = std::filesystem::path(records.files[0]).filename().string();
            set.after = std::filesystem::path(records.files[1]).filename().string();
        }
    }
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
    names.insert(names.end(), records.companions.begin(), records.companions.end());
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
    // A missing session would be requested, and reported, in every frame.
    if (found.files.size() < names.size()) records = {};
    if (!found.files.empty()) source_ = std::move(found);
}

/// Shows what live timing, networks, sweeps and user kernels have measured since the app was started.
void CompareView::show_this_run(Frame& frame) {
    const SharedRecords& live = frame.live.snapshot().records;
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
void CompareView::update(Frame& frame) {
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

std::string CompareView::reading() const {
    if (!source_ || !loader_.busy()) return {};
    std::string names;
    for (const std::filesystem::path& file : source_->files)
        names += (names.empty() ? "" : ", ") + file.filename().string();
    const double share = read_;
    return "Reading " + names + (share > 0 ? ": " + describe_progress(share, loader_.busy_seconds()) : "");
}

std::string CompareView::status(const Frame&) const {
    return reading();
}

void CompareView::draw(Frame& frame, const ViewStyle& style) {
    if (std::exchange(frame.session.requested.clear_rows, false)) clear_selection();
    if (const std::string requested = std::exchange(frame.session.requested.recorded, {}); !requested.empty())
        open_recorded(requested);
    update(frame);
    shown_plots_.clear();
    if (!style.presented) header(frame);
    if (!data_ || !result_) {
        note(loader_.busy() || !loading() ? reading() : "Making the plots...");
        return;
    }
    // A slide begins with what was found.
    if (style.presented) draw_lead(lead(frame));
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
    // In front of an audience what is timed can still be switched: it is what that page is about.
    if (!style.presented) {
        pages(frame);
        draw_lead(lead(frame));
    }
    if (result_->shown.count() == 0) return note("No row meets the filter.");
    if (!style.presented || frame.session.compare.page == "scopes") controls(frame);
    if (!style.presented || result_->lists.set.page == "table") more_findings();
    page(frame, style);
}

/// The other findings, below the page's controls.
void CompareView::more_findings() {
    std::string more;
    for (std::size_t i = 1; i < result_->findings.size(); ++i)
        more += (i > 1 ? "\n" : "") + result_->findings[i].text();
    if (!more.empty()) {
        WithFont font(look().fonts->small);
        ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text_dim.u32());
        ImGui::TextUnformatted(in_lines(result_->findings[1].text(), ImGui::GetContentRegionAvail().x, 2).c_str());
        ImGui::PopStyleColor();
        tip(more);
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

void CompareView::point(Frame& frame, PlotRow hovered, PlotRow clicked) {
    selection_.hovered = hovered;
    if (clicked == no_row || clicked >= data_->table.rows()) return;
    selection_.pinned = clicked;
    load(frame, clicked);
    // The detail plot follows the click.
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
