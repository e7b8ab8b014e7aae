#include "app/ui/widgets/lead_line.h"

#include <imgui.h>

#include <algorithm>
#include <sstream>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/text.h"
#include "visualizers/style/tooltip.h"

namespace convscope::app {
namespace {

// At scale 1.
constexpr float bar_gap = 2, bar_height = 3, bar_width = 320, below = 6, close_below = 3;
constexpr float low_page = 320;  ///< what is lower has more need of the room: its lead is small and has no bar

constexpr float around_bar() {
    return bar_gap + bar_height + below;
}

/// 'lines' are the lead's text with line ends in the place of blanks, or its beginning.
void draw_words(const Lead& lead, ImVec2 at, const std::string& lines, const Rgba& words, const Rgba& number) {
    const std::size_t from = lead.before.size(), to = from + lead.number.size();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    std::istringstream in(lines);
    std::size_t begin = 0;
    for (std::string line; std::getline(in, line); begin += line.size() + 1, at.y += ImGui::GetFontSize()) {
        ImVec2 pen = at;
        const std::size_t end = begin + line.size();
        const auto write = [&](std::size_t first, std::size_t last, const Rgba& colour) {
            first = std::clamp(first, begin, end);
            last = std::clamp(last, begin, end);
            const std::string piece = line.substr(first - begin, last - first);
            draw.AddText(pen, colour.u32(), piece.c_str());
            pen.x += ImGui::CalcTextSize(piece.c_str()).x;
        };
        write(0, from, words);
        write(from, to, number);
        write(to, std::string::npos, words);
    }
}

/// The share that is left comes first.
void draw_bar(ImVec2 at, float width, const Lead& lead) {
    const auto share = static_cast<float>(std::clamp(*lead.share, 0.0, 1.0));
    const float parted = at.x + width * (lead.remains ? share : 1 - share);
    const ImVec2 end{at.x + width, at.y + px(bar_height)}, left_end{parted, end.y}, gone{parted, at.y};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const auto part = [&](const char* item, bool states, ImVec2 from, ImVec2 to) {
        draw.AddRectFilled(from, to, (states ? look().theme->accent : look().theme->text_dim).u32());
        if (ItemRegistry::active) ItemRegistry::active->add(item, from, to);
    };
    part(lead.remains ? "lead/share" : "lead/rest", lead.remains, at, left_end);
    part(lead.remains ? "lead/rest" : "lead/share", !lead.remains, gone, end);
}

}  // namespace

float lead_height() {
    if (ImGui::GetContentRegionAvail().y < px(low_page)) return look().fonts->text->FontSize + px(close_below);
    return look().fonts->lead->FontSize + px(around_bar());
}

void draw_lead(const Lead& said, const LeadPlace& place) {
    if (said.empty()) return;
    const Theme& theme = *look().theme;
    Lead lead = said;
    lead.number = replaced(said.number, " ", "\u00a0");  // stays in one line
    const std::string text = lead.text();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = place.width > 0 ? place.width : ImGui::GetContentRegionAvail().x;
    const float highest = place.height > 0 ? place.height : lead_height();
    const auto lines_in = [&](ImFont* font) {
        const WithFont pushed(font);
        // The leading of the last of two lines may stand in what follows.
        const bool one = place.height > 0 && 2 * font->FontSize > place.height + px(1.5F);
        return in_lines(text, width, one ? 1 : 2);
    };
    const auto is_cut = [](const std::string& lines) { return lines.find("\u2026") != std::string::npos; };
    ImFont* font = look().fonts->lead;
    std::string lines = lines_in(font);
    if (place.of_panel || is_cut(lines) || font->FontSize + px(around_bar()) > highest)
        lines = lines_in(font = look().fonts->text);
    const WithFont pushed(font);
    draw_words(lead, at, lines, place.of_panel ? theme.text_dim : theme.text,
               place.of_panel ? theme.text : theme.accent);
    capture_text(said.text());
    const float bottom = at.y + ImGui::CalcTextSize(lines.c_str()).y;
    const bool with_bar = lead.share && (place.height == 0 || bottom - at.y + px(around_bar()) <= place.height);
    if (with_bar) draw_bar({at.x, bottom + px(bar_gap)}, std::min(width, px(bar_width)), lead);
    const float taken = bottom - at.y + px(with_bar ? around_bar() : below);
    ImGui::Dummy({width, (place.height > 0 ? place.height : taken) - ImGui::GetStyle().ItemSpacing.y});
    register_rect(place.item);
    keep_tooltips_off(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    std::string words = is_cut(lines) ? said.text() : "";
    if (!words.empty() && !place.meaning.empty()) words += '\n';
    words += place.meaning;
    if (!words.empty()) tip(words);
}

}  // namespace convscope::app
