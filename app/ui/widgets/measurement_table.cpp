#include "app/ui/widgets/measurement_table.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "app/ui/widgets/format.h"
#include "app/ui/widgets/live_words.h"
#include "app/ui/widgets/widgets.h"

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

void time_cell(const std::optional<double>& us, const TimeUnit& unit) {
    ImGui::TableNextColumn();
    WithFont font(look().fonts->mono_small);
    right_aligned(us ? unit.digits(*us) : std::string());
}

/// The interval of the median, between two marks at the requested noise; the middle is the median.
void interval_bar(const TimingSummary& timing, double requested_noise_pct, const Rgba& colour) {
    constexpr double shown = 2;                  // times the requested noise, to either side
    const ImVec2 end = ImGui::GetItemRectMax();  // of the number, which ends where the column does
    const float width = ImGui::GetContentRegionAvail().x, left = end.x - width;
    const double requested = requested_noise_pct / 100 * timing.median_us;
    const auto x = [&](double us) {
        return left +
               width * static_cast<float>(std::clamp(0.5 + (us - timing.median_us) / requested / shown / 2, 0.0, 1.0));
    };
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float top = end.y, bottom = top + px(3);
    draw.AddRectFilled({x(timing.interval_us->first), top}, {x(timing.interval_us->second), bottom}, colour.u32());
    for (const double mark : {timing.median_us - requested, timing.median_us + requested})
        draw.AddRectFilled({x(mark), top - px(1)}, {x(mark) + px(1), bottom + px(1)}, look().theme->text_dim.u32());
}

/// To the left of the number.
void settled_tick(const Rgba& colour) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float size = ImGui::GetTextLineHeight() * 0.7F;
    const ImVec2 tick[] = {
        {at.x, at.y + 0.7F * size}, {at.x + 0.3F * size, at.y + size}, {at.x + 0.9F * size, at.y + 0.3F * size}};
    ImGui::GetWindowDrawList()->AddPolyline(tick, 3, colour.u32(), 0, px(1.5F));
}

void noise_cell(const LiveSeries& series, double requested_noise_pct) {
    ImGui::TableNextColumn();
    if (!series.latest->time_median_us) return;
    WithFont font(look().fonts->mono_small);
    const Theme& theme = *look().theme;
    const TimingSummary& timing = series.timing;
    if (series.settled) settled_tick(theme.good);
    if (timing.drift) {
        ImGui::PushStyleColor(ImGuiCol_Text, theme.warning.u32());
        right_aligned("drifts");
        ImGui::PopStyleColor();
    } else {
        right_aligned(series.latest->noise_pct ? fmt::format("{:.1f} %", *series.latest->noise_pct) : std::string());
    }
    if (timing.interval_us) interval_bar(timing, requested_noise_pct, series.settled ? theme.good : theme.text_dim);
    tip(describe_settled(series, requested_noise_pct));
}

std::string describe_ratio(const Record& record) {
    std::string words = "Times as fast as " + vendor_baseline(record);
    if (record.speedup_interval)
        words += fmt::format("\n95 % interval: {} to {}", three_digits(record.speedup_interval->first),
                             three_digits(record.speedup_interval->second));
    return words;
}

const char* describe_status(Status status) {
    switch (status) {
        case Status::passed:
            return "verified";
        case Status::not_supported:
            return "unsupported";
        case Status::invalid_config:
            return "rejected";
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
    if (is_wrong(status) || status == Status::runtime_error) return theme.bad;
    return theme.text_dim;
}

void error_cell(const Record& record) {
    ImGui::TableNextColumn();
    if (record.max_rel_err) {
        WithFont font(look().fonts->mono_small);
        right_aligned(error_size(*record.max_rel_err));
    }
    if (record.tolerance)
        tip(fmt::format("Largest relative error against the reference; allowed is {}", error_size(*record.tolerance)));
}

void status_cell(const Record& record) {
    ImGui::TableNextColumn();
    WithFont font(look().fonts->small);
    ImGui::PushStyleColor(ImGuiCol_Text, status_colour(record.status).u32());
    right_aligned(describe_status(record.status));
    ImGui::PopStyleColor();
    if (!record.status_reason.empty()) tip(record.status_reason);
}

/// Widths are fixed, so that numbers that change from round to round move nothing.
struct Column {
    const char* title;
    float width;              ///< at scale 1; 0: the rest
    MeasurementColumns last;  ///< the narrowest tables that it is in
    bool is_time = false;     ///< its title has the unit
    bool shown_in(MeasurementColumns columns) const { return columns <= last; }
};
constexpr Column all_measurement_columns[] = {{"method", 0, MeasurementColumns::brief},
                                              {"median", 64, MeasurementColumns::brief, true},
                                              {"quartiles", 104, MeasurementColumns::all, true},
                                              {"noise", 60, MeasurementColumns::compact},
                                              {"ratio", 42, MeasurementColumns::compact},
                                              {"error", 56, MeasurementColumns::brief},
                                              {"status", 76, MeasurementColumns::all}};

void ratio_cell(const Record& record, const MissingRatio& missing) {
    ImGui::TableNextColumn();
    if (!missing.brief.empty()) {
        WithFont font(look().fonts->small);
        ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text_dim.u32());
        right_aligned(missing.brief);
        ImGui::PopStyleColor();
        return tip(missing.sentence);
    }
    if (record.speedup_vs_vendor) {
        WithFont font(look().fonts->mono_small);
        right_aligned(times_as_fast(*record.speedup_vs_vendor));
    }
    if (!record.vendor_method.empty()) tip(describe_ratio(record));
}

}  // namespace

int measurement_columns(MeasurementColumns columns) {
    return static_cast<int>(
        std::ranges::count_if(all_measurement_columns, [&](const Column& c) { return c.shown_in(columns); }));
}

void measurement_cells(const LiveSeries& series, const MissingRatio& missing, double requested_noise_pct,
                       MeasurementColumns columns, const TimeUnit& unit) {
    const Record& record = *series.latest;
    time_cell(record.time_median_us, unit);
    const bool quartiles = record.time_q1_us && record.time_q3_us;
    const std::string range =
        quartiles ? unit.digits(*record.time_q1_us) + " - " + unit.digits(*record.time_q3_us) : std::string();
    std::string median = "Median of all samples that count";
    if (quartiles && columns != MeasurementColumns::all) median += fmt::format("; quartiles {} {}", range, unit.name);
    if (series.timing.drift) median += "\n" + describe_settled(series, requested_noise_pct);
    if (record.time_median_us) tip(median);
    if (columns == MeasurementColumns::all) {
        ImGui::TableNextColumn();
        {
            WithFont font(look().fonts->mono_small);
            right_aligned(range);
        }
        tip(fmt::format("First and third quartile, in {}", unit.name));
    }
    if (columns != MeasurementColumns::brief) {
        noise_cell(series, requested_noise_pct);
        ratio_cell(record, missing);
    }
    // A result that is not right, or missing, is said where its error would stand.
    if (columns != MeasurementColumns::all && record.status != Status::passed) return status_cell(record);
    error_cell(record);
    if (columns == MeasurementColumns::all) status_cell(record);
}

bool begin_measurement_table(const char* id, MeasurementColumns columns, const TimeUnit& unit) {
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(columns == MeasurementColumns::all ? 8 : 6), px(2)});
    const bool open = ImGui::BeginTable(id, measurement_columns(columns), flags);
    ImGui::PopStyleVar();
    if (!open) return false;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const Column& column : all_measurement_columns)
        if (column.shown_in(columns))
            ImGui::TableSetupColumn(
                column.title, column.width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                px(column.width));
    WithFont font(look().fonts->small);
    ImGui::TableNextRow();
    ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text_dim.u32());
    for (const Column& column : all_measurement_columns) {
        if (!column.shown_in(columns)) continue;
        ImGui::TableNextColumn();
        if (column.width == 0)
            ImGui::TextUnformatted(column.title);
        else
            right_aligned(column.is_time ? fmt::format("{} {}", column.title, unit.name) : column.title);
    }
    ImGui::PopStyleColor();
    return true;
}

}  // namespace convscope::app
