#include "app/panels/figures_table.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
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

}  // namespace

void figures_cells(const Record& record) {
    time_cell(record.time_median_us);
    ImGui::TableNextColumn();
    {
        WithFont font(look().fonts->mono_small);
        if (record.time_q1_us && record.time_q3_us)
            right_aligned(three_digits(*record.time_q1_us) + " - " + three_digits(*record.time_q3_us));
    }
    tip("First and third quartile, in us");
    cell(record.noise_pct, "{:.1f} %");
    cell(record.speedup_vs_vendor, "{:.2f}x");
    if (!record.vendor_method.empty()) tip("Times as fast as " + record.vendor_method);
    ImGui::TableNextColumn();
    {
        WithFont font(look().fonts->mono_small);
        if (record.max_rel_err) right_aligned(error_size(*record.max_rel_err));
    }
    if (record.tolerance)
        tip(fmt::format("Largest relative error against the judge; allowed is {}", error_size(*record.tolerance)));
    ImGui::TableNextColumn();
    WithFont font(look().fonts->small);
    ImGui::PushStyleColor(ImGuiCol_Text, status_colour(record.status).u32());
    ImGui::TextUnformatted(in_words(record.status));
    ImGui::PopStyleColor();
    if (!record.status_reason.empty()) tip(record.status_reason);
}

bool begin_figures(const char* id) {
    constexpr ImGuiTableFlags flags =
        ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_PadOuterX;
    if (!ImGui::BeginTable(id, 7, flags)) return false;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("method", ImGuiTableColumnFlags_WidthStretch);
    for (const char* name : {"median", "quartiles", "noise", "ratio", "error", "status"}) ImGui::TableSetupColumn(name);
    WithFont font(look().fonts->small);
    ImGui::TableNextRow();
    for (const char* name : {"method", "median", "quartiles us", "noise", "vs vendor", "error", "status"}) {
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", name);
    }
    return true;
}

}  // namespace convscope::app
