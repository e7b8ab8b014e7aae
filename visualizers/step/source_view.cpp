#include "visualizers/step/source_view.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "visualizers/step/source_columns.h"
#include "visualizers/style/tooltip.h"
#include "visualizers/theme/legible.h"

namespace convscope {
namespace {

constexpr float numbers_from = 360;  ///< px at scale 1: narrower panes have the counts as bars alone
constexpr std::size_t min_row = 16;  ///< columns of a line's row, whatever its indent

}  // namespace

void SourceView::show(std::string_view text) {
    if (text.data() == text_.data() && text.size() == text_.size()) return;
    text_ = text;
    lines_ = lines_of(text);
    indents_ = dedent(lines_);
    spans_.clear();
    widest_ = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        spans_.push_back(spans_of(lines_[i]));
        widest_ = std::max(widest_, indents_[i].indent + columns_of(lines_[i].substr(indents_[i].first)));
    }
    in_sight_ = 0;
}

SourceView::Columns SourceView::columns(float width, const ViewStyle& style) const {
    ImFont* font = style.source();
    Columns of{};
    of.letter = font->CalcTextSizeA(font->FontSize, 1e9F, 0, "0").x;
    of.row = std::round(font->FontSize * (style.presented ? 1.2F : 1.35F));
    of.gutter = gutter(style);
    of.numbers = width >= style.px(numbers_from);
    of.code = of.gutter + (of.numbers ? static_cast<float>(count_columns) * of.letter : 0) + style.px(8);
    return of;
}

/// The line stands there whole, in as many rows as it takes; broken at blanks where there are any.
void SourceView::wrap(unsigned line, std::size_t columns) {
    wrapped_ = line <= lines_.size() ? line : 0;
    rows_ = {0};
    if (wrapped_ == 0) return;
    const CodeIndent indent = indents_[line - 1];
    const std::string_view text = lines_[line - 1].substr(indent.first);
    for (;;) {
        const std::size_t before = indent.indent + (rows_.size() > 1 ? wrapped_indent : 0);
        const std::size_t room = std::max(min_row, columns - std::min(columns, before));
        const std::string_view rest = text.substr(rows_.back());
        if (columns_of(rest) <= room) return;
        const std::size_t end = character_at(rest, room), blank = rest.rfind(' ', end);
        rows_.push_back(rows_.back() + (blank == std::string_view::npos || blank == 0 ? end : blank + 1));
    }
}

const std::vector<std::size_t>& SourceView::rows_of(std::size_t line) const {
    static const std::vector<std::size_t> one{0};
    return line + 1 == wrapped_ ? rows_ : one;
}

/// The top of a line, counted from that of the first.
float SourceView::top_of(std::size_t line) const {
    const std::size_t more = wrapped_ > 0 && line >= wrapped_ ? rows_.size() - 1 : 0;
    return static_cast<float>(line + more) * row_;
}

/// Before the window begins: a line that is new in the light goes to a third of the height, and so does one that was
/// asked for and is out of sight. A text that is all in sight stays where it is.
void SourceView::follow(unsigned line, float height, float row) {
    const float above = std::floor(height / 3 / row) * row;
    const auto at_a_third = [&](unsigned of) { return std::max(0.0F, top_of(of - 1) - above); };
    if (wanted_ > 0) {
        const float y = top_of(wanted_ - 1);
        if (y < scroll_ || y + row > scroll_ + height) scroll_wanted_ = at_a_third(wanted_);
        wanted_ = 0;
    }
    if (line > 0 && (line != in_sight_ || height != height_)) scroll_wanted_ = at_a_third(in_sight_ = line);
    height_ = height;
    if (!scroll_wanted_) return;
    if (top_of(lines_.size()) <= height) scroll_wanted_ = 0;
    ImGui::SetNextWindowScroll({-1, *scroll_wanted_});
}

SourceEvents SourceView::draw(const char* id, ImVec2 size, const SourceMarks& marks, const ViewStyle& style) {
    const Columns of = columns(size.x, style);
    row_ = of.row;
    max_ = 1;
    for (const auto& [line, count] : marks.counts) max_ = std::max(max_, count);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float heading = of.row + style.px(2);
    draw_heading(at, size.x, of, marks, style);

    // Whole lines only.
    const float bar = ImGui::GetStyle().ScrollbarSize, text_width = of.letter * static_cast<float>(widest_ + 1);
    const unsigned lit = marks.current > 0 ? marks.current : marks.caller;
    wrap(style.presented ? lit : 0, static_cast<std::size_t>(std::max(0.0F, (size.x - of.code) / of.letter)));
    const float rows = top_of(lines_.size());
    const bool sideways = of.code + text_width > size.x - bar;
    const float below = sideways && !style.presented ? bar : 0;  // a slide has no scroll bars; the wheel scrolls it
    const float height = std::max(of.row, std::floor((size.y - heading - below) / of.row) * of.row);
    ImGui::SetCursorScreenPos({at.x, at.y + heading});
    follow(lit, height, of.row);
    const ImGuiWindowFlags bars = style.presented ? ImGuiWindowFlags_NoScrollbar : ImGuiWindowFlags_HorizontalScrollbar;
    ImGui::BeginChild(id, {size.x, height + below}, false, ImGuiWindowFlags_NoNav | bars);
    const float width = ImGui::GetWindowWidth();
    scroll_ = ImGui::GetScrollY();
    // A window that is new knows only in its second frame how far it can scroll.
    if (scroll_wanted_ && (scroll_ == *scroll_wanted_ || !ImGui::IsWindowAppearing())) scroll_wanted_.reset();
    if (style.presented) ImGui::SetScrollY(std::round(scroll_ / of.row) * of.row);  // after the wheel, too
    // The corner of the first line; the gutter does not go sideways.
    const ImVec2 corner{ImGui::GetWindowPos().x, ImGui::GetCursorScreenPos().y};
    origin_ = {corner.x + of.code - ImGui::GetScrollX(), corner.y};

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float from = ImGui::GetScrollY(), to = from + height;
    const auto for_each_in_sight = [&](auto draw_line) {
        for (std::size_t i = 0; i < lines_.size(); ++i)
            if (top_of(i + 1) >= from && top_of(i) <= to) draw_line(i, ImVec2{corner.x, corner.y + top_of(i)});
    };
    for_each_in_sight([&](std::size_t i, ImVec2 line) { draw_behind(i, line, width, marks, style); });
    list.PushClipRect({corner.x + of.code - style.px(4), -1e6F}, {corner.x + width, 1e6F}, true);
    for_each_in_sight([&](std::size_t i, ImVec2 line) {
        const Rgba behind =
            i + 1 == marks.current ? mix(style.theme->panel, style.theme->accent, lit_line) : style.theme->panel;
        draw_code(i, {origin_.x, line.y}, of, behind, style);
        const auto said = marks.notes.find(static_cast<unsigned>(i + 1));
        if (said != marks.notes.end()) draw_note(i, line, width, said->second, style);
    });
    list.PopClipRect();
    for_each_in_sight([&](std::size_t i, ImVec2 line) { draw_gutter(i, line, of, marks, style); });
    if (marks.outdated) draw_dimmed(corner, {corner.x + of.code - style.px(4), corner.y + rows}, *style.theme);
    const SourceEvents events = this->events(corner, of, marks, style);
    // The last line comes to a third of the height, too.
    const float above = std::floor(height / 3 / of.row) * of.row;
    ImGui::Dummy({of.code + text_width, rows <= height ? rows : rows + height - above});
    ImGui::EndChild();
    return events;
}

float SourceView::width(const ViewStyle& style) const {
    const Columns of = columns(style.px(numbers_from), style);
    return of.code + of.letter * static_cast<float>(widest_ + 1) + ImGui::GetStyle().ScrollbarSize;
}

ImVec2 SourceView::place_of(unsigned line) const {
    return {origin_.x, origin_.y + top_of(line - 1)};
}

SourceEvents SourceView::events(ImVec2 corner, const Columns& of, const SourceMarks& marks, const ViewStyle& style) {
    SourceEvents events;
    keep_tooltips_off(ImGui::GetWindowPos(), {ImGui::GetWindowPos().x + ImGui::GetWindowWidth(),
                                              ImGui::GetWindowPos().y + ImGui::GetWindowHeight()});
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float pointed = mouse.y - corner.y;
    if (!ImGui::IsWindowHovered() || pointed < 0 || pointed >= top_of(lines_.size())) return events;
    std::size_t i = 0;
    while (top_of(i + 1) <= pointed) ++i;
    const auto line = static_cast<unsigned>(i + 1);
    events.pointed = line;
    // The neighbouring lines must be in sight, too: their numbers stay visible.
    const ImVec2 above{corner.x, corner.y + top_of(i) - of.row},
        below{corner.x + of.gutter, corner.y + top_of(i + 1) + of.row};
    if (mouse.x < corner.x + of.code - style.px(4)) {
        const auto count = marks.counts.find(line);
        const std::string ran = count == marks.counts.end() ? std::string("0") : std::to_string(count->second);
        std::string said = ran + " " + marks.unit;
        if (marks.breakpoints) {
            const auto stop = marks.stops.lower_bound(line);
            const bool here = stop != marks.stops.end() && *stop == line;
            if (!here) said = "the trace keeps no step of this line\n(it keeps memory accesses and multiply-adds)";
            if (here)
                said += "\nClick for a breakpoint: play stops here";
            else if (stop != marks.stops.end())
                said += "\nClick for a breakpoint at line " + std::to_string(*stop) + ", the next with a step";
        }
        tooltip(above, below, "line " + std::to_string(line) + ": " + said, style.body(), style.scale);
        if (ImGui::IsMouseClicked(0)) (marks.breakpoints ? events.toggled : events.clicked) = line;
    } else {
        if (ImGui::IsMouseClicked(0)) events.clicked = line;
        if (const auto said = marks.notes.find(line); said != marks.notes.end())
            tooltip(above, below, said->second, style.body(), style.scale);
        const auto row = static_cast<std::size_t>((pointed - top_of(i)) / of.row);
        const std::size_t from = rows_of(i)[row], indent = indents_[i].indent + (row > 0 ? wrapped_indent : 0);
        const float column = (mouse.x - origin_.x) / of.letter - static_cast<float>(indent);
        const std::string_view text = lines_[i].substr(indents_[i].first);
        if (column >= 0)
            events.name = name_at(text, from + character_at(text.substr(from), static_cast<std::size_t>(column)));
        if (!events.name.empty()) {
            const auto begin = std::max(from, static_cast<std::size_t>(events.name.data() - text.data()));
            const float x =
                origin_.x + of.letter * static_cast<float>(indent + columns_of(text.substr(from, begin - from)));
            const float y = corner.y + top_of(i) + static_cast<float>(row) * of.row;
            events.named = line;
            events.name_min = {x, y};
            events.name_max = {x + of.letter * static_cast<float>(events.name.size()), y + of.row};
        }
    }
    if (ImGui::IsMouseReleased(1)) events.menu = line;
    return events;
}

}  // namespace convscope
