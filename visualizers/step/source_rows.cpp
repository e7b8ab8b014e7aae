// Draws a pane of code: its heading, and for each line the text, the gutter and the line's error.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "visualizers/step/source_columns.h"
#include "visualizers/step/source_view.h"
#include "visualizers/step/warp_strip_parts.h"
#include "visualizers/style/tooltip.h"
#include "visualizers/theme/legible.h"

namespace convscope {
namespace {

// The gutter at scale 1: the breakpoint's dot, the number's right edge, the bar.
constexpr float dot_at = 7, dot_radius = 4, number_right = 35, bar_left = 38, bar_right = 47;
constexpr float min_note = 160;

Rgba colour_of(CodeKind kind, const Theme& theme) {
    switch (kind) {
        case CodeKind::comment:
            return theme.text_dim;
        case CodeKind::keyword:
            return theme.category(theme.dark ? 1 : 5);
        case CodeKind::plain:
            return theme.text;
    }
    return theme.text;
}

/// 120, 100k, 12M: at most five characters.
std::string short_count(std::int64_t count) {
    if (count < 100'000) return std::to_string(count);
    if (count < 10'000'000) return fmt::format("{}k", count / 1000);
    return fmt::format("{}M", count / 1'000'000);
}

}  // namespace

/// The unit above the bars, then the file.
void SourceView::draw_heading(ImVec2 at, float width, const Columns& of, const SourceMarks& marks,
                              const ViewStyle& style) const {
    ImFont* font = style.caption();
    const float y = at.y + (of.row - font->FontSize) / 2, unit = extent_of(font, marks.unit).x;
    const float right = of.code - style.px(9);
    print(font, {at.x + std::max(0.0F, right - unit), y}, style.theme->text_dim, marks.unit);
    const ImVec2 box{at.x + std::max(unit, right), at.y + of.row};
    if (!marks.meaning.empty() && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, box))
        tooltip(at, box, fmt::format("{}. Most: {}", marks.meaning, max_), style.body(), style.scale);
    const float title = at.x + std::max(unit, right) + style.px(9);
    draw_shortened(font, {title, y}, at.x + width - title, marks.title, style.theme->text_dim);
}

void SourceView::draw_behind(std::size_t line, ImVec2 at, float width, const SourceMarks& marks,
                             const ViewStyle& style) const {
    const Theme& theme = *style.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto number = static_cast<unsigned>(line + 1);
    const ImVec2 end{at.x + width, at.y + top_of(line + 1) - top_of(line)};
    if (number == marks.current || number == marks.caller || marks.linked.contains(number))
        list.AddRectFilled(at, end, theme.accent.with_alpha(number == marks.current ? lit_line : 0.08F).u32());
    if (const auto bar = marks.bars.find(number); bar != marks.bars.end())
        list.AddRectFilled(at, end, bar->second.with_alpha(0.16F).u32());
    if (number == marks.chosen)
        list.AddRect({at.x + gutter(style), at.y}, {end.x - 1, end.y}, theme.text_dim.u32(), style.px(2));
}

void SourceView::draw_code(std::size_t line, ImVec2 at, const Columns& of, const Rgba& behind,
                           const ViewStyle& style) const {
    ImFont* font = style.source();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string_view text = lines_[line];
    const std::vector<std::size_t>& rows = rows_of(line);
    for (std::size_t row = 0; row < rows.size(); ++row, at.y += of.row) {
        const std::size_t from = indents_[line].first + rows[row],
                          to = row + 1 < rows.size() ? indents_[line].first + rows[row + 1] : text.size();
        std::size_t column = indents_[line].indent + (row > 0 ? wrapped_indent : 0);
        for (const CodeSpan& span : spans_[line]) {
            const std::size_t first = std::max(span.first, from), end = std::min(span.first + span.count, to);
            if (first >= end) continue;
            const std::string_view part = text.substr(first, end - first);
            list.AddText(font, font->FontSize,
                         {std::round(at.x + static_cast<float>(column) * of.letter),
                          std::round(at.y + (of.row - font->FontSize) / 2)},
                         legible(colour_of(span.kind, *style.theme), behind).u32(), part.data(),
                         part.data() + part.size());
            column += columns_of(part);
        }
    }
}

void SourceView::draw_gutter(std::size_t line, ImVec2 at, const Columns& of, const SourceMarks& marks,
                             const ViewStyle& style) const {
    const Theme& theme = *style.theme;
    ImFont* font = style.source();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto number = static_cast<unsigned>(line + 1);
    const bool current = number == marks.current;
    const float y = at.y + (of.row - font->FontSize) / 2;
    const Rgba behind = current ? mix(theme.panel, theme.accent, lit_line) : theme.panel;
    if (current || number == marks.caller || marks.linked.contains(number))
        list.AddRectFilled(at, {at.x + style.px(3), at.y + of.row}, theme.accent.with_alpha(current ? 1 : 0.5F).u32());
    if (const auto bar = marks.bars.find(number); bar != marks.bars.end())
        list.AddRectFilled(at, {at.x + style.px(3), at.y + of.row}, bar->second.u32());
    if (marks.breakpoints && marks.breakpoints->contains(number))
        list.AddCircleFilled({at.x + style.px(dot_at), at.y + of.row / 2}, style.px(dot_radius), theme.bad.u32());
    const std::string text = std::to_string(number);
    print(font, {at.x + style.px(number_right) - extent_of(font, text).x, y},
          legible(current ? theme.text : theme.text_dim, behind), text);
    const auto count = marks.counts.find(number);
    if (count == marks.counts.end() || count->second <= 0) return;
    const float heat = static_cast<float>(static_cast<double>(count->second) / static_cast<double>(max_));
    const float left = at.x + style.px(bar_left), longest = style.px(bar_right - bar_left);
    list.AddRectFilled({left, at.y + 1}, {left + std::max(style.px(2), heat * longest), at.y + of.row - 1},
                       mix(theme.panel, theme.warning, 0.35F + 0.65F * heat).u32());
    if (!of.numbers) return;
    const std::string printed = short_count(count->second);
    print(font, {at.x + of.code - style.px(9) - extent_of(font, printed).x, y}, legible(theme.text, behind), printed);
}

/// Behind the line's text, as far as there is room.
void SourceView::draw_note(std::size_t line, ImVec2 at, float width, const std::string& note,
                           const ViewStyle& style) const {
    const Theme& theme = *style.theme;
    ImFont* font = style.caption();
    const float letter = extent_of(style.source(), "0").x, right = at.x + width;
    const auto shown =
        static_cast<float>(indents_[line].indent + columns_of(lines_[line].substr(indents_[line].first)));
    const float x = std::max(at.x + gutter(style), origin_.x + (shown + 2) * letter);
    if (right - x < style.px(min_note)) return;  // the line is marked, and says it where it is pointed at
    const Rgba back = mix(theme.panel, theme.bad, 0.2F);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({x, at.y}, {right, at.y + row_}, back.u32());
    const ImVec4 clip{x, at.y, right, at.y + row_};
    list.AddText(font, font->FontSize, {std::round(x + letter / 2), std::round(at.y + (row_ - font->FontSize) / 2)},
                 legible(theme.bad, back).u32(), note.data(), note.data() + note.size(), 0, &clip);
}

}  // namespace convscope
