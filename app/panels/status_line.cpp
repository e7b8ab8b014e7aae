#include "app/panels/status_line.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/format.h"
#include "app/item_log.h"
#include "app/widgets.h"

namespace convscope::app {
namespace {

std::string device_name(const Frame& frame) {
    for (const DeviceInfo* info : frame.registry.devices())
        if (info->id == frame.session.choices.device) return info->id + " " + info->name;
    return "no device";
}

/// Clock of the latest record that has one.
std::string clock(const LiveSnapshot& figures) {
    for (const LiveSeries& series : figures.series)
        if (series.latest && series.latest->sm_clock_mhz)
            return fmt::format("{:.0f} MHz{}", *series.latest->sm_clock_mhz,
                               series.latest->throttled.value_or(false) ? ", throttled" : "");
    return {};
}

}  // namespace

std::string fastest_method(const LiveSnapshot& figures) {
    const Record* best = nullptr;
    for (const LiveSeries& series : figures.series) {
        const auto& record = series.latest;
        if (!record || record->status != Status::passed || !record->time_median_us) continue;
        if (!best || *record->time_median_us < *best->time_median_us) best = &*record;
    }
    if (!best) return {};
    std::string text = fmt::format("fastest: {} {}", best->method, duration(*best->time_median_us));
    if (best->noise_pct) text += fmt::format(" ±{:.1f} %", *best->noise_pct);
    if (best->speedup_vs_vendor && best->vendor_method != best->method)
        text += fmt::format("  ·  {}x {}", three_digits(*best->speedup_vs_vendor), best->vendor_method);
    if (!best->verified_against.empty()) text += "  ·  verified";
    return text;
}

void StatusLine::draw(Frame& frame, const std::string& path, double frame_ms) {
    WithFont font(look().fonts->small);
    std::string left = device_name(frame) + "  ·  " + path + fmt::format("  ·  {:.1f} ms/frame", frame_ms);
    const LiveSnapshot& figures = frame.live.figures();
    if (const std::string mhz = clock(figures); !mhz.empty()) left += "  ·  " + mhz;
    ImGui::TextDisabled("%s", left.c_str());
    log_item("status/machine");
    const std::string right = figures.running ? figures.phase : std::string();
    std::string text = frame.live.current(frame.session) ? fastest_method(figures) : std::string();
    if (!right.empty()) text = text.empty() ? right : right + "  ·  " + text;
    if (text.empty() && frame.session.view == View::layout) text = "Space measures the ticked methods";
    if (text.empty() && frame.session.view == View::step) text = "Space plays and pauses, arrows step";
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SameLine();
    const float at = ImGui::GetWindowWidth() - width - px(16);
    if (at > ImGui::GetCursorPosX()) {
        ImGui::SetCursorPosX(at);
        ImGui::TextUnformatted(text.c_str());
    }
}

}  // namespace convscope::app
