#include "app/ui/widgets/table_menu.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/format.h"
#include "kernels/core/format_units.h"
#include "kernels/measure/run_counts.h"

namespace convscope::app {
namespace {

std::string number(const std::optional<double>& value, const char* how = "{:.6g}") {
    return value ? fmt::format(fmt::runtime(how), *value) : std::string();
}

/// In an open popup, which it ends.
void entries(Session& session, const char* id, const std::function<TextTable()>& make) {
    constexpr std::pair<TableFormat, const char*> formats[] = {{TableFormat::tsv, "Copy the table for a spreadsheet"},
                                                               {TableFormat::csv, "Copy the table as CSV"},
                                                               {TableFormat::markdown, "Copy the table as Markdown"}};
    for (const auto& [format, name] : formats) {
        const bool picked = ImGui::MenuItem(name);
        register_item(fmt::format("{}/{}", id, static_cast<int>(format)).c_str(), {ControlRole::menu_item, name});
        if (!picked) continue;
        const TextTable table = make();
        ImGui::SetClipboardText(table_text(table, format).c_str());
        notify(session, fmt::format("Copied {}", counted(table.rows.size(), "row")));
    }
    ImGui::EndPopup();
}

}  // namespace

void table_menu(Session& session, const char* id, const std::function<TextTable()>& make) {
    if (ImGui::BeginPopupContextWindow(id, ImGuiPopupFlags_MouseButtonRight)) entries(session, id, make);
}

void table_menu(Session& session, const char* id, bool requested, const std::function<TextTable()>& make) {
    if (requested) ImGui::OpenPopup(id);
    if (ImGui::BeginPopup(id)) entries(session, id, make);
}

TextTable compared_table(const CompareResult& result) {
    const CompareData& data = *result.data;
    TextTable table{{"layer"}, {}};
    for (const std::size_t column : result.columns) table.header.push_back(table_columns()[column].name);
    for (const std::uint32_t row : result.order) {
        std::vector<std::string> cells{data.layer_names[data.layer[row]]};
        for (const std::size_t column : result.columns) cells.push_back(data.table.cell(row, column));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

namespace {

/// The table of counts that the simulated GPU has instead of times.
TextTable count_table(const LiveSnapshot& snapshot) {
    TextTable table{{"method"}, {}};
    for (int i = 0; i < run_count_count; ++i) table.header.emplace_back(to_string(static_cast<RunCount>(i)));
    table.header.emplace_back("status");
    for (const LiveSeries& series : snapshot.series) {
        if (!series.latest) continue;
        std::vector<std::string>& cells = table.rows.emplace_back();
        cells.push_back(series.method);
        for (int i = 0; i < run_count_count; ++i) cells.push_back(count_text(*series.latest, static_cast<RunCount>(i)));
        cells.push_back(fmt::format("{}: {}", to_string(series.latest->status), series.latest->status_reason));
    }
    return table;
}

}  // namespace

TextTable live_table(const LiveSnapshot& snapshot) {
    const auto counts = [](const LiveSeries& series) { return series.latest && has_counts(*series.latest); };
    if (std::ranges::any_of(snapshot.series, counts)) return count_table(snapshot);
    TextTable table{{"method", "median us", "q1 us", "q3 us", "samples", "noise %", "settled",
                     "times the vendor's speed", "vendor", "largest relative error", "status"},
                    {}};
    for (const LiveSeries& series : snapshot.series) {
        if (!series.latest) continue;
        const Record& r = *series.latest;
        std::string status = to_string(r.status);
        if (!r.status_reason.empty()) status += ": " + r.status_reason;
        table.rows.push_back({r.method, number(r.time_median_us), number(r.time_q1_us), number(r.time_q3_us),
                              std::to_string(r.samples), number(r.noise_pct, "{:.2f}"),
                              series.timing.drift ? "drifts"
                              : series.settled    ? "yes"
                                                  : "no",
                              number(r.speedup_vs_vendor, "{:.4g}"), vendor_baseline(r),
                              number(r.max_rel_err, "{:.2e}"), status});
    }
    return table;
}

}  // namespace convscope::app
