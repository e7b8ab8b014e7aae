#include "app/ui/step_view/lane_table.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/ui/widgets/widgets.h"
#include "visualizers/grid/cell_text.h"
#include "visualizers/step/step_description.h"
#include "visualizers/step/warp_strip_parts.h"
#include "visualizers/style/tooltip.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_in_row = 4;
constexpr float text_width = 320, between = 14;  ///< px at scale 1

struct Entry {
    std::string name, value;
    unsigned thread = 0;
    bool now = false;
};

std::string number(double value) {
    return std::isnan(value) ? "NaN" : short_value(value, 9);
}

/// One entry for all lanes where they are the same, else one for each.
std::vector<Entry> entries_of(const LaneValues& values) {
    std::vector<Entry> entries;
    const auto same = [&](const LaneValue& lane) {
        return lane.value == values.lanes[0].value && lane.element.empty() && lane.value.has_value();
    };
    const std::size_t count = values.lanes.size();
    if (count > 1 && std::ranges::all_of(values.lanes, same))
        return {{std::to_string(count) + " lanes", lane_text(values.lanes[0]), values.lanes[0].thread, false}};
    for (const LaneValue& lane : values.lanes)
        entries.push_back(
            {thread_name(lane.thread), lane.value ? lane_text(lane) : lane.element + " -", lane.thread, lane.now});
    return entries;
}

}  // namespace

std::string lane_text(const LaneValue& lane) {
    if (!lane.value) return lane.why_not;
    return lane.element.empty() ? number(*lane.value) : lane.element + " " + number(*lane.value);
}

void lane_tooltip(const LaneValues& values, ImVec2 min, ImVec2 max, unsigned chosen) {
    const Theme& theme = *look().theme;
    const std::vector<Entry> entries = entries_of(values);
    ImFont *text = look().fonts->small, *mono = look().fonts->mono_small;
    const auto extent = [](ImFont* font, const std::string& words) {
        return font->CalcTextSizeA(font->FontSize, 1e9F, 0, words.c_str());
    };
    std::string words;
    {
        const WithFont font(text);
        words = in_lines(values.meaning.empty() ? values.why_not : values.meaning, px(text_width));
    }
    const ImVec2 head = extent(text, words);
    float name = 0, value = 0;
    for (const Entry& each : entries) {
        name = std::max(name, extent(text, each.name).x);
        value = std::max(value, extent(mono, each.value).x);
    }
    const std::size_t in_row = std::min(max_in_row, std::max<std::size_t>(1, entries.size()));
    const std::size_t rows = (entries.size() + in_row - 1) / in_row;
    const float cell = px(12) + name + px(6) + value + px(between), line = text->FontSize + px(4);
    const float table = entries.empty() ? 0 : cell * static_cast<float>(in_row) - px(between);
    const ImVec2 size{std::max(head.x, table), head.y + (rows > 0 ? px(6) : 0) + line * static_cast<float>(rows)};
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    ImGui::SetNextWindowPos(place_of_tooltip(min, max, {size.x + 2 * padding.x, size.y + 2 * padding.y}, look().scale));
    ImGui::BeginTooltip();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddText(text, text->FontSize, at, theme.text.u32(), words.c_str());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& each = entries[i];
        const ImVec2 from{at.x + cell * static_cast<float>(i % in_row),
                          at.y + head.y + px(6) + line * static_cast<float>(i / in_row)};
        const float y = from.y + (text->FontSize - px(8)) / 2;
        draw.AddRectFilled({from.x, y}, {from.x + px(8), y + px(8)}, thread_colour(theme, each.thread, chosen).u32(),
                           px(2));
        const bool mine = each.thread == chosen;
        draw.AddText(text, text->FontSize, {from.x + px(12), from.y}, (mine ? theme.accent : theme.text_dim).u32(),
                     each.name.c_str());
        draw.AddText(mono, mono->FontSize,
                     {from.x + px(12) + name + px(6), from.y + (text->FontSize - mono->FontSize) / 2},
                     (mine       ? theme.accent
                      : each.now ? theme.text
                                 : theme.text_dim)
                         .u32(),
                     each.value.c_str());
    }
    ImGui::Dummy(size);
    ImGui::EndTooltip();
}

}  // namespace convscope::app
