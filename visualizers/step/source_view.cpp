#include "visualizers/step/source_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "visualizers/theme/legible.h"

namespace convscope {
namespace {

constexpr float lit_line = 0.20F;                             ///< how much of the accent is behind the current line
constexpr std::size_t number_columns = 3, count_columns = 6;  // the gutter: " 41   120 "

float row_height(const ViewStyle& style) {
    return std::round(style.source()->FontSize * 1.35F);
}

float column_width(const ViewStyle& style) {
    return style.source()->CalcTextSizeA(style.source()->FontSize, 1e9F, 0, "0").x;
}

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

/// 120, 1 200, 1.2 M: at most five characters.
std::string short_count(std::int64_t count) {
    if (count < 100'000) return std::to_string(count);
    if (count < 10'000'000) return fmt::format("{}k", count / 1000);
    return fmt::format("{}M", count / 1'000'000);
}

}  // namespace

void SourceView::show(std::string_view text) {
    if (text.data() == text_.data() && text.size() == text_.size()) return;
    text_ = text;
    lines_ = lines_of(text);
    spans_.clear();
    for (std::string_view line : lines_) spans_.push_back(spans_of(line));
    columns_ = 0;
    in_sight_ = 0;
}

void SourceView::lay_out(std::size_t columns) {
    if (columns == columns_) return;
    columns_ = columns;
    rows_ = wrap_code(lines_, columns);
    if (wanted_ == 0) wanted_ = in_sight_;
}

float SourceView::row_of(unsigned line) const {
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const CodeRow& row) { return row.line + 1 >= line; });
    return static_cast<float>(found - rows_.begin());
}

unsigned SourceView::draw(const char* id, ImVec2 size, const SourceMarks& marks, const ViewStyle& style) {
    // Whole lines only, until a user scrolls by hand.
    const float row = row_height(style), letter = column_width(style);
    size.y = std::max(row, std::floor(size.y / row) * row);
    ImGui::BeginChild(id, size, false, ImGuiWindowFlags_NoNav);
    const float gutter = letter * static_cast<float>(number_columns + count_columns + 1);
    const float room = ImGui::GetContentRegionAvail().x - gutter - style.px(4) - ImGui::GetStyle().ScrollbarSize;
    lay_out(static_cast<std::size_t>(std::max(1.0F, room / letter)));

    const unsigned line = marks.current > 0 ? marks.current : marks.caller;
    if (line > 0 && line != in_sight_) wanted_ = in_sight_ = line;
    if (wanted_ > 0) {
        // In sight with some lines around it: left alone while it is, else brought to the upper third.
        const float y = row_of(wanted_) * row, top = ImGui::GetScrollY(), height = ImGui::GetWindowHeight();
        if (y < top + 2 * row || y > top + height - 4 * row)
            ImGui::SetScrollY(std::max(0.0F, std::floor((y - height / 3) / row) * row));
        wanted_ = 0;
    }
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float seen_from = ImGui::GetScrollY() - row, seen_to = ImGui::GetScrollY() + ImGui::GetWindowHeight();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const float y = static_cast<float>(i) * row;
        if (y >= seen_from && y <= seen_to) draw_row(i, {start.x, start.y + y}, room + gutter, marks, style);
    }
    ImGui::Dummy({1, static_cast<float>(rows_.size()) * row});
    unsigned clicked = 0;
    const float pointed = (ImGui::GetIO().MousePos.y - start.y) / row;
    if (ImGui::IsWindowHovered() && pointed >= 0 && pointed < static_cast<float>(rows_.size())) {
        const auto of_row = static_cast<unsigned>(rows_[static_cast<std::size_t>(pointed)].line + 1);
        if (ImGui::IsMouseClicked(0)) clicked = of_row;
        if (const auto said = marks.notes.find(of_row); said != marks.notes.end())
            ImGui::SetTooltip("%s", said->second.c_str());
    }
    ImGui::EndChild();
    return clicked;
}

void SourceView::draw_row(std::size_t index, ImVec2 at, float width, const SourceMarks& marks,
                          const ViewStyle& style) const {
    const CodeRow& row = rows_[index];
    const Theme& theme = *style.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* font = style.source();
    const float height = row_height(style), letter = column_width(style), baseline = (height - font->FontSize) / 2;
    const auto line = static_cast<unsigned>(row.line + 1);
    const Rgba behind = line == marks.current ? mix(theme.panel, theme.accent, lit_line) : theme.panel;
    auto print = [&](float column, const Rgba& colour, std::string_view text) {
        list.AddText(font, font->FontSize, {std::round(at.x + column * letter), std::round(at.y + baseline)},
                     legible(colour, behind).u32(), text.data(), text.data() + text.size());
    };
    if (line == marks.current || line == marks.caller) {
        const bool now = line == marks.current;
        list.AddRectFilled(at, {at.x + width, at.y + height}, theme.accent.with_alpha(now ? lit_line : 0.08F).u32());
        list.AddRectFilled(at, {at.x + style.px(3), at.y + height}, theme.accent.with_alpha(now ? 1 : 0.5F).u32());
    }
    if (const auto bar = marks.bars.find(line); bar != marks.bars.end()) {
        list.AddRectFilled(at, {at.x + width, at.y + height}, bar->second.with_alpha(0.16F).u32());
        list.AddRectFilled(at, {at.x + style.px(3), at.y + height}, bar->second.u32());
    }
    const bool first_of_line = index == 0 || rows_[index - 1].line != row.line;
    if (first_of_line) {
        print(0.5F, theme.text_dim, fmt::format("{:>{}}", line, number_columns));
        if (const auto heat = marks.heat.find(line); heat != marks.heat.end())
            list.AddRectFilled({at.x + (0.5F + number_columns) * letter, at.y},
                               {at.x + (1.0F + number_columns + count_columns) * letter, at.y + height},
                               theme.warning.with_alpha(0.05F + 0.45F * heat->second).u32());
        if (const auto count = marks.counts.find(line); count != marks.counts.end())
            print(0.5F + number_columns, theme.text, fmt::format("{:>{}}", short_count(count->second), count_columns));
    }
    float column = number_columns + count_columns + 1.5F + static_cast<float>(row.indent);
    const std::string_view text = lines_[row.line];
    for (const CodeSpan& span : spans_[row.line]) {
        const std::size_t first = std::max(span.first, row.first);
        const std::size_t end = std::min(span.first + span.count, row.first + row.count);
        if (first >= end) continue;
        print(column, colour_of(span.kind, theme), text.substr(first, end - first));
        column += static_cast<float>(end - first);
    }
    if (const auto said = marks.notes.find(line); said != marks.notes.end() && first_of_line)
        draw_note(row, at, width, said->second, style);
}

/// Behind the line's text; over its end where there is no room.
void SourceView::draw_note(const CodeRow& row, ImVec2 at, float width, const std::string& note,
                           const ViewStyle& style) const {
    const Theme& theme = *style.theme;
    ImFont* font = style.caption();
    const float letter = column_width(style), height = row_height(style);
    const float behind = (number_columns + count_columns + 3.5F + static_cast<float>(row.indent + row.count)) * letter;
    const float x = at.x + std::min(behind, width * 0.4F), right = at.x + width;
    const Rgba back = mix(theme.panel, theme.bad, 0.2F);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({x, at.y}, {right, at.y + height}, back.u32());
    const ImVec4 clip{x, at.y, right, at.y + height};
    list.AddText(font, font->FontSize, {std::round(x + letter / 2), std::round(at.y + (height - font->FontSize) / 2)},
                 legible(theme.bad, back).u32(), note.data(), note.data() + note.size(), 0, &clip);
}

}  // namespace convscope
