#include "app/ui/live_timing/count_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/compare/method_colours.h"
#include "app/session/command_lines.h"
#include "app/session/method_choice.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/table_menu.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr float method_width = 104, column_width = 101;  // of the table, at scale 1

/// The order in which columns are given up where the table is narrow: the last first.
constexpr std::array columns{RunCount::of_dense,     RunCount::sectors,         RunCount::bank_conflicts,
                             RunCount::instructions, RunCount::multiplications, RunCount::requests,
                             RunCount::occupancy};

const Record* counted(const Frame& frame, const std::string& method) {
    return frame.live.current(frame.session) ? frame.live.latest(method) : nullptr;
}

/// Methods of the simulated GPU that are ticked.
std::vector<const Method*> ticked(const Frame& frame) {
    std::vector<const Method*> methods;
    for (const std::string& id : live_methods(frame.session, frame.registry))
        if (const Method* method = frame.registry.find(id, DeviceKind::sim)) methods.push_back(method);
    return methods;
}

void right_aligned(const std::string& text, const Rgba& colour) {
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, ImGui::GetContentRegionAvail().x - width));
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(colour.u32()), "%s", text.c_str());
}

/// Over the empty columns of the row; whole on hover.
void over_the_row(const std::string& text) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), window = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const float right = window.x + size.x - px(8);
    ImGui::PushClipRect({at.x, window.y}, {right, window.y + size.y}, false);
    clipped_text(text.c_str(), right - at.x, look().theme->text_dim.u32());
    ImGui::PopClipRect();
    tip(text);
}

/// Why a row has no counts.
std::string reason_of(const Frame& frame, const Method& method) {
    if (const Support support = runs_layer(frame.session, method); !support) return support.reason;
    const Record* const record = counted(frame, method.info().id);
    if (!record) return frame.live.running() ? "being counted" : "";
    return record->status == Status::passed ? record->status_reason
                                            : fmt::format("{}: {}", to_string(record->status), record->status_reason);
}

}  // namespace

std::string CountPanel::state(const Live& live) {
    if (live.running()) return live.snapshot().phase;
    return live.wanted() ? "counted, and again with every change" : "the simulated GPU has no clock: it counts";
}

void CountPanel::controls(float width) {
    std::vector<std::string> names;
    for (int i = 0; i < run_count_count; ++i) names.emplace_back(to_string(static_cast<RunCount>(i)));
    if (const int picked = choice("live/count", to_string(count_), names, width); picked >= 0)
        count_ = static_cast<RunCount>(picked);
    tip(
        fmt::format("What the plot shows of each method. {}.\nThe simulated GPU has no clock: times are measured on a "
                    "real one",
                    meaning_of(count_)));
}

/// A bar for each method.
Plot CountPanel::make_plot(const Frame& frame) const {
    Plot plot;
    plot.x.name = "method";
    plot.y = {to_string(count_),
              count_ == RunCount::occupancy ? "%" : count_ == RunCount::of_dense ? "x" : "",
              false,
              true,
              {},
              {}};
    plot.title = fmt::format("{} on {}, simulated GPU", to_string(count_), frame.session.good.name);
    plot.command = bench_command(frame.session, frame.registry);
    plot.empty_hint = frame.live.running() ? frame.live.snapshot().phase : "Press Space to count what a run costs";
    for (const Method* method : ticked(frame)) {
        const Record* const record = counted(frame, method->info().id);
        const std::optional<double> value = record ? count_of(*record, count_) : std::nullopt;
        if (!value) continue;
        PlotSeries series;
        series.name = method->info().id;
        series.color = colour_of(series.name);
        series.marks = PlotSeries::Marks::bars;
        series.x.push_back(static_cast<double>(plot.x.names.size()));
        series.y.push_back(*value);
        plot.x.names.push_back(series.name);
        plot.series.push_back(std::move(series));
    }
    return plot;
}

PlotResult CountPanel::draw(Frame& frame, const ViewStyle& style) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float whole = px(method_width + column_width * static_cast<float>(columns.size()) + 16);
    const float table_width = std::clamp(room.x * 0.6F, std::min(px(380), room.x), whole);
    const float plot_width = room.x - table_width - px(16);
    PlotResult shown;
    if (plot_width > px(120)) {
        ImGui::BeginChild("plot", {plot_width, 0});
        const Plot plot = make_plot(frame);
        shown = show_plot("counts", plot, plot_state_, style);
        offer_plot(frame.session, frame.dialogs, shown, plot, plot_state_, {},
                   {"counts", [&frame] { return about_layer(frame); }});
        ImGui::EndChild();
        ImGui::SameLine(0, px(16));
    }
    ImGui::BeginChild("figures", {0, 0});
    table(frame, style, table_width);
    ImGui::EndChild();
    return shown;
}

void CountPanel::table(Frame& frame, const ViewStyle& style, float width) {
    const int shown = std::clamp(static_cast<int>((width - px(method_width)) / px(column_width)), 1,
                                 static_cast<int>(columns.size()));
    if (!ImGui::BeginTable("counts", shown + 1, ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("method", ImGuiTableColumnFlags_WidthStretch);
    for (int i = 0; i < shown; ++i)
        ImGui::TableSetupColumn(to_string(columns[static_cast<std::size_t>(i)]), ImGuiTableColumnFlags_WidthFixed,
                                px(column_width - 8));
    ImGui::TableNextRow();
    {
        WithFont font(look().fonts->small);
        ImGui::TableNextColumn();
        ImGui::TextDisabled("method");
        for (int i = 0; i < shown; ++i) {
            const RunCount count = columns[static_cast<std::size_t>(i)];
            ImGui::TableNextColumn();
            right_aligned(to_string(count), look().theme->text_dim);
            tip(meaning_of(count));
        }
    }
    for (const Method* method : ticked(frame)) row(frame, *method, style, shown);
    table_menu(frame.session, "counts menu", [&frame] { return live_table(frame.live.snapshot()); });
    ImGui::EndTable();
}

void CountPanel::row(Frame& frame, const Method& method, const ViewStyle& style, int shown) {
    const std::string& id = method.info().id;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    swatch(style.theme->method(colour_of(id)).u32());
    ImGui::SameLine(0, px(8));
    ImGui::TextUnformatted(id.c_str());
    register_rect(("live/row " + id).c_str());
    const Record* const record = counted(frame, id);
    if (!record || !has_counts(*record)) {
        const std::string reason = reason_of(frame, method);
        ImGui::SameLine(0, px(12));
        WithFont font(look().fonts->small);
        return over_the_row(reason);
    }
    for (int i = 0; i < shown; ++i) {
        ImGui::TableNextColumn();
        WithFont font(look().fonts->mono_small);
        right_aligned(count_text(*record, columns[static_cast<std::size_t>(i)]), look().theme->text);
    }
}

}  // namespace convscope::app
