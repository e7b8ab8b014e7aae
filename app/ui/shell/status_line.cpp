#include "app/ui/shell/status_line.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/live_words.h"
#include "app/ui/widgets/view.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

constexpr const char* between = "  ·  ";

/// The parts that are not empty.
std::string joined(std::initializer_list<std::string> parts) {
    std::string text;
    for (const std::string& part : parts)
        if (!part.empty()) text += (text.empty() ? "" : between) + part;
    return text;
}

/// Clock of the latest record that has one.
std::string clock(const LiveSnapshot& snapshot) {
    for (const LiveSeries& series : snapshot.series)
        if (series.latest && series.latest->sm_clock_mhz)
            return fmt::format("{:.0f} MHz{}", *series.latest->sm_clock_mhz,
                               series.latest->throttled.value_or(false) ? ", throttled" : "");
    return {};
}

/// Empty before there is one that passed.
std::string fastest_method(const LiveSnapshot& snapshot) {
    const Record* best = nullptr;
    for (const LiveSeries& series : snapshot.series) {
        const auto& record = series.latest;
        if (!record || !is_timed(*record)) continue;
        if (!best || *record->time_median_us < *best->time_median_us) best = &*record;
    }
    if (!best) return {};
    std::string time = fmt::format("fastest: {} {}", best->method, duration(*best->time_median_us));
    if (best->noise_pct) time += fmt::format(" ±{:.1f} %", *best->noise_pct);
    const std::string ratio = best->vendor_method != best->method ? describe_speedup(*best) : "";
    return joined({time, ratio.empty() ? "" : ratio + " " + vendor_baseline(*best),
                   best->verified_against.empty() ? "" : "verified"});
}

}  // namespace

std::string live_status(const LiveSnapshot& snapshot, bool current) {
    return joined({snapshot.running ? snapshot.phase : "", current ? fastest_method(snapshot) : "",
                   current ? describe_standing(snapshot) : ""});
}

namespace {

/// A piece of the line: what it says, what it says where room is short (empty: nothing), and what it means.
struct Piece {
    std::string text, shorter, meaning;
    const char* item_name;
    int kept;  ///< the least are shortened first
};

float width_of(const std::vector<Piece>& pieces) {
    float width = 0;
    for (const Piece& piece : pieces)
        if (!piece.text.empty())
            width += ImGui::CalcTextSize(piece.text.c_str()).x + (width > 0 ? ImGui::CalcTextSize(between).x : 0);
    return width;
}

void draw_pieces(const std::vector<Piece>& pieces, bool dim) {
    bool first = true;
    for (const Piece& piece : pieces) {
        if (piece.text.empty()) continue;
        if (!first) {
            ImGui::SameLine(0, 0);
            ImGui::TextDisabled("%s", between);
            ImGui::SameLine(0, 0);
        }
        first = false;
        if (dim)
            ImGui::TextDisabled("%s", piece.text.c_str());
        else
            ImGui::TextUnformatted(piece.text.c_str());
        // The time of a frame is another in each.
        if (ReaderReport::active && std::string_view(piece.item_name) != "status/frame")
            ReaderReport::active->text(piece.item_name, piece.text);
        register_rect(piece.item_name);
        tip(piece.meaning);
    }
}

std::vector<Piece> about_the_machine(const Frame& frame, const std::string& path, double frame_ms) {
    std::vector<Piece> pieces;
    if (const DeviceInfo* info = frame.registry.device_info(frame.session.choices.device)) {
        pieces.push_back({info->id + " " + info->name, info->id,
                          fmt::format("The device that runs and is measured: {}", info->name), "status/device", 1});
        if (!info->driver_version.empty())
            pieces.push_back({fmt::format("driver {}", info->driver_version), "", "Of the device", "status/driver", 2});
    }
    if (pieces.empty()) pieces.push_back({"no device", "no device", "Nothing can be measured", "status/device", 1});
    pieces.push_back({path, path.substr(0, path.find(" (")), fmt::format("How the arrays get to the screen: {}", path),
                      "status/path", 0});
    pieces.push_back({frame_ms > 0 ? fmt::format("{:.1f} ms/frame", frame_ms) : "", "",
                      "From a frame's first command until the GPU has drawn it: the median of the latest frames",
                      "status/frame", 4});
    if (const std::string mhz = clock(frame.live.snapshot()); !mhz.empty() && frame.view().status_shows_live())
        pieces.push_back({mhz, mhz, "Clock of the multiprocessors in the latest measurement", "status/clock", 5});
    return pieces;
}

Piece about_now(const Frame& frame) {
    const std::string& meaning_of_ring = focus_order().meaning();
    if (!meaning_of_ring.empty())
        return {meaning_of_ring.substr(0, meaning_of_ring.find('\n')), "", meaning_of_ring, "status/now", 3};
    const LiveSnapshot& snapshot = frame.live.snapshot();
    if (!frame.view().status_shows_live()) {
        const std::string text = frame.view().status(frame);
        return {text, text, text, "status/now", 3};
    }
    const bool current = frame.live.current(frame.session);
    const std::string fastest = current ? fastest_method(snapshot) : std::string();
    const std::string brief = fastest.substr(0, fastest.find(between));
    std::string text = live_status(snapshot, current);
    if (text.empty()) text = frame.view().status(frame);
    const std::string meaning =
        "The fastest method that passed the check: median of all its samples, noise, and how many times as fast as the "
        "vendor's best";
    return {text, brief.empty() ? text : brief, text + (brief.empty() ? "" : "\n" + meaning), "status/now", 3};
}

/// "notices", to be read again; "2 problems" while there are some that nobody has read.
std::string notices_name(const DesktopState& desktop_state) {
    const auto& past = desktop_state.past;
    const auto fresh = past.begin() + static_cast<std::ptrdiff_t>(std::min(past.size(), desktop_state.read));
    const auto problems = std::count_if(fresh, past.end(), [](const PastNotice& each) { return each.problem; });
    return problems == 0 ? "notices" : counted(static_cast<std::size_t>(problems), "problem");
}

void notices_button(DesktopState& desktop_state) {
    const std::string name = notices_name(desktop_state);
    ImGui::PushStyleColor(ImGuiCol_Button, 0);
    ImGui::PushStyleColor(ImGuiCol_Text, (name == "notices" ? look().theme->text_dim : look().theme->text).u32());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    if (button("status/notices", name.c_str())) desktop_state.overlay = Overlay::notices;
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(2);
    tip("What was saved, copied or rejected in this run (Ctrl+L)");
}

}  // namespace

void StatusLine::draw(Frame& frame, const std::string& path, double frame_ms) {
    WithFont font(look().fonts->small);
    DesktopState& desktop_state = frame.session.desktop_state;
    std::vector<Piece> left = about_the_machine(frame, path, frame_ms);
    std::vector<Piece> right{about_now(frame)};
    const std::string notices = notices_name(desktop_state);
    const float button_width = desktop_state.past.empty() ? 0 : ImGui::CalcTextSize(notices.c_str()).x + px(16);
    const float room = ImGui::GetContentRegionAvail().x - button_width;
    const auto too_long = [&] { return width_of(left) + px(24) + width_of(right) > room; };
    for (int kept = 0; kept <= 5 && too_long(); ++kept)
        for (std::vector<Piece>* side : {&left, &right})
            for (Piece& piece : *side)
                if (piece.kept == kept) piece.text = piece.shorter;
    if (too_long()) right.front().text.clear();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    draw_pieces(left, true);
    if (ItemRegistry::active) ItemRegistry::active->add("status/machine", start, ImGui::GetItemRectMax());
    ImGui::SameLine();
    const float at = ImGui::GetContentRegionMax().x - button_width - width_of(right);
    ImGui::SetCursorPosX(std::max(at, ImGui::GetCursorPosX()));
    draw_pieces(right, false);
    if (desktop_state.past.empty()) return;
    ImGui::SameLine(0, px(16));
    notices_button(desktop_state);
}

}  // namespace convscope::app
