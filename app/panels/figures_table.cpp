#include "app/panels/figures_table.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "app/format.h"
#include "app/widgets.h"

namespace convscope::app {
namespace {

/// "0", "1e-7": the size of an error is all that is asked of it.
std::string error_size(double value) {
    if (value == 0) return "0";
    const auto exponent = static_cast<int>(std::floor(std::log10(value)));
    return fmt::format("{:.0f}e{}", value / std::pow(10.0, exponent), exponent);
}

void right_aligned(const std::string& text) {
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, ImGui::GetContentRegionAvail().x - width));
    ImGui::TextUnformatted(text.c_str());
}

void cell(const std::optional<double>& value, const char* format) {
    ImGui::TableNextColumn();
    WithFont font(look().fonts->mono_small);
    right_aligned(value ? fmt::format(fmt::runtime(format), *value) : std::string());
}

void time_cell(const std::optional<double>& us) {
    ImGui::TableNextColumn();
    WithFont font(look().fonts->mono_small);
    right_aligned(us ? duration(*us) : std::string());
}

const char* in_words(Status status) {
    switch (status) {
        case Status::passed:
            return "verified";
        case Status::not_supported:
            return "unsupported";
        case Status::invalid_config:
            return "refused";
        case Status::out_of_memory:
            return "no memory";
        case Status::runtime_error:
            return "failed";
        default:
            return to_string(status);
    }
}

const Rgba& status_colour(Status status) {
    const Theme& theme = *look().theme;
    if (status == Status::passed) return theme.good;
    if (status == Status::incorrect || status == Status::runtime_error) return theme.bad;
    return theme.text_dim;
}

void error_cell(const Record& record) {
    ImGui::TableNextColumn();
    if (record.max_rel_err) {
        WithFont font(look().fonts->mono_small);
        right_aligned(error_size(*record.max_rel_err));
    }
    if (record.tolerance)
        tip(fmt::format("Largest relative error against the judge; allowed is {}", error_size(*record.tolerance)));
}

void status_cell(const Record& record) {
    ImGui::TableNextColumn();
    WithFont font(look().fonts->small);
    ImGui::PushStyleColor(ImGuiCol_Text, status_colour(record.status).u32());
    right_aligned(in_words(record.status));
    ImGui::PopStyleColor();
    if (!record.status_reason.empty()) tip(record.status_reason);
}

/// Widths are fixed, so that figures that change from round to round move nothing.
struct Column {
    const char* title;
    float width;   ///< at scale 1; 0: the rest
    bool compact;  ///< shown in compact tables too
};
constexpr Column columns[] = {{"method", 0, true},  {"median", 56, true}, {"quartiles us", 104, false},
                              {"noise", 48, true},  {"ratio", 42, true},  {"error", 56, true},
                              {"status", 76, false}};

}  // namespace

int figures_columns(bool compact) {
    return static_cast<int>(
        std::count_if(std::begin(columns), std::end(columns), [&](const Column& c) { return c.compact || !compact; }));
}

void figures_cells(const Record& record, bool compact) {
    time_cell(record.time_median_us);
    const bool quartiles = record.time_q1_us && record.time_q3_us;
    const std::string range =
        quartiles ? three_digits(*record.time_q1_us) + " - " + three_digits(*record.time_q3_us) : std::string();
    if (compact) {
        if (quartiles) tip("Quartiles " + range + " us");
    } else {
        ImGui::TableNextColumn();
        {
            WithFont font(look().fonts->mono_small);
            right_aligned(range);
        }
        tip("First and third quartile, in us");
    }
    cell(record.noise_pct, "{:.1f} %");
    ImGui::TableNextColumn();
    if (record.speedup_vs_vendor) {
        WithFont font(look().fonts->mono_small);
        const double ratio = *record.speedup_vs_vendor;
        right_aligned((ratio < 9.995 ? fmt::format("{:.2f}", ratio) : three_digits(ratio)) + "x");
    }
    if (!record.vendor_method.empty()) tip("Times as fast as " + record.vendor_method);
    // A result that is not right, or missing, is said where its error would stand.
    if (compact && record.status != Status::passed) return status_cell(record);
    error_cell(record);
    if (!compact) status_cell(record);
}

bool begin_figures(const char* id, bool compact) {
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(compact ? 6 : 8), px(2)});
    const bool open = ImGui::BeginTable(id, figures_columns(compact), flags);
    ImGui::PopStyleVar();
    if (!open) return false;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const Column& column : columns)
        if (column.compact || !compact)
            ImGui::TableSetupColumn(
                column.title, column.width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                px(column.width));
    WithFont font(look().fonts->small);
    ImGui::TableNextRow();
    ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text_dim.u32());
    for (const Column& column : columns) {
        if (compact && !column.compact) continue;
        ImGui::TableNextColumn();
        if (column.width == 0)
            ImGui::TextUnformatted(column.title);
        else
            right_aligned(column.title);
    }
    ImGui::PopStyleColor();
    return true;
}

}  // namespace convscope::app
