// The marks on a page: the linked set, names that are pointed at, the cells of a formula's term, concealed arrays, and
// the frame round a second layout.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "visualizers/layouts/figure_board.h"
#include "visualizers/layouts/figure_labels.h"

namespace convscope {
namespace {

using Kind = LinkGroup::Kind;

constexpr float min_lit_px = 3;  ///< at scale 1: of a cell that a spotlight can fall on

}  // namespace

void FigureBoard::mark(Figure& figure, const LinkSet& links, bool focused) const {
    for (const Cell& cell : links.of(figure.id))
        if (const auto here = figure.from_array(cell)) figure.decor.linked.push_back(*here);
    if (focused && !links.group && links.focus.array == figure.id)
        figure.decor.focus = figure.from_array(links.focus.cell);
    for (const LinkArea& area : links.areas) {
        if (area.array != figure.id || figure.row_as_column) continue;
        if (without_window_ && (figure.id == ArrayId::x || figure.id == ArrayId::L)) continue;
        GridDecor::Outline outline{area.row - figure.offset.row,
                                   area.col - figure.offset.col,
                                   area.rows,
                                   area.cols,
                                   style_.theme->accent.with_alpha(0.75f),
                                   1.25f,
                                   area.shared ? 0 : 0.10f,
                                   area.shared};
        // A window may reach into the padding, which is not drawn.
        const std::int64_t top = std::max<std::int64_t>(0, outline.row), left = std::max<std::int64_t>(0, outline.col);
        outline.rows = std::min(outline.row + outline.rows, figure.source.rows) - top;
        outline.cols = std::min(outline.col + outline.cols, figure.source.cols) - left;
        outline.row = top;
        outline.col = left;
        if (outline.rows > 0 && outline.cols > 0) figure.decor.outlines.push_back(outline);
    }
}

/// Over the cells that are neither linked nor in a linked window; all that follow 'own_outlines' are such windows.
/// Cells that are too small for a mark of their own stay as they are, in an array that has linked ones.
void FigureBoard::spotlight(const Figure& figure, const FigureRect& rect, std::size_t own_outlines) const {
    const ImVec2 at = corner(rect), end{at.x + rect.width, at.y + rect.height};
    const std::span<const GridDecor::Outline> areas(
        figure.decor.outlines.begin() + static_cast<std::ptrdiff_t>(own_outlines), figure.decor.outlines.end());
    if (figure.decor.linked.empty() && areas.empty() && !figure.decor.focus) return draw_dimmed(at, end, *style_.theme);
    const GridCamera& view = camera(figure);
    const auto point = [&](std::int64_t row, std::int64_t col) {
        const ImVec2 p = grid_point(at, {rect.width, rect.height}, figure.source, view, static_cast<double>(row),
                                    static_cast<double>(col));
        return ImVec2{std::clamp(p.x, at.x, end.x), std::clamp(p.y, at.y, end.y)};
    };
    const auto first_row = static_cast<std::int64_t>(view.row), first_col = static_cast<std::int64_t>(view.col);
    const auto in_sight = [&view](std::int64_t all) { return static_cast<double>(all) / view.zoom; };
    const std::int64_t rows = std::min(figure.source.rows - first_row,
                                       static_cast<std::int64_t>(in_sight(figure.source.rows)) + 2),
                       cols = std::min(figure.source.cols - first_col,
                                       static_cast<std::int64_t>(in_sight(figure.source.cols)) + 2);
    if (rect.width < style_.px(min_lit_px) * static_cast<float>(cols) ||
        rect.height < style_.px(min_lit_px) * static_cast<float>(rows))
        return;
    std::vector<char> lit(static_cast<std::size_t>(rows * cols));
    const auto light = [&](std::int64_t row, std::int64_t col, std::int64_t high, std::int64_t wide) {
        for (std::int64_t r = std::max<std::int64_t>(0, row - first_row); r < std::min(rows, row - first_row + high);
             ++r)
            for (std::int64_t c = std::max<std::int64_t>(0, col - first_col);
                 c < std::min(cols, col - first_col + wide); ++c)
                lit[static_cast<std::size_t>(r * cols + c)] = 1;
    };
    for (const Cell& cell : figure.decor.linked) light(cell.row, cell.col, 1, 1);
    if (figure.decor.focus) light(figure.decor.focus->row, figure.decor.focus->col, 1, 1);
    for (const GridDecor::Outline& area : areas) light(area.row, area.col, area.rows, area.cols);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols;) {
            const auto row = lit.begin() + r * cols;
            const std::int64_t next = std::find(row + c, row + cols, 1) - row;
            if (next > c)
                draw_dimmed(point(first_row + r, first_col + c), point(first_row + r + 1, first_col + next),
                            *style_.theme);
            c = next + 1;
        }
}

float FigureBoard::bracket_x(const Figure& figure, const FigureRect& rect, const Bracket& bracket) const {
    return corner(rect).x - names_width(figure) - style_.px(left_lane_px) * static_cast<float>(bracket.lane) -
           style_.px(6);
}

float FigureBoard::bracket_y(const FigureRect& rect, const Bracket& bracket) const {
    return corner(rect).y - style_.px(line_px) - style_.px(lane_px) * static_cast<float>(bracket.lane) - style_.px(4);
}

CellColumn FigureBoard::column_of(const FigurePoint& point) const {
    const Figure& figure = figures_[point.figure];
    const FigureRect& rect = page_.figures[point.figure];
    const ImVec2 at = corner(rect), end{at.x + rect.width, at.y + rect.height};
    const auto x = [&](std::int64_t col) {
        const ImVec2 edge =
            grid_point(at, {rect.width, rect.height}, figure.source, camera(figure), 0, static_cast<double>(col));
        return std::clamp(edge.x, at.x, end.x);
    };
    return {{x(point.cell.col), at.y}, {x(point.cell.col + 1), end.y}};
}

std::optional<LinkGroup> FigureBoard::pointed_group(bool& companion) const {
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) return std::nullopt;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float half = style_.px(lane_px) / 2, half_left = style_.px(left_lane_px) / 2;
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        const Figure& figure = figures_[i];
        const FigureRect& rect = page_.figures[i];
        const ImVec2 at = corner(rect), size{rect.width, rect.height};
        auto along = [&](double row, double col) {
            return grid_point(at, size, figure.source, camera(figure), row, col);
        };
        companion = figure.companion;
        for (const Bracket& b : figure.left) {
            const float top = along(static_cast<double>(b.first), 0).y;
            const float bottom = along(static_cast<double>(b.first + b.count), 0).y;
            if (b.group && std::abs(mouse.x - bracket_x(figure, rect, b)) < half_left && mouse.y >= top &&
                mouse.y < bottom)
                return b.group;
        }
        for (const Bracket& b : figure.above) {
            const float left = along(0, static_cast<double>(b.first)).x;
            const float right = along(0, static_cast<double>(b.first + b.count)).x;
            const float y = bracket_y(rect, b) - style_.px(4);
            if (b.group && std::abs(mouse.y - y) < half && mouse.x >= left && mouse.x < right) return b.group;
        }
        const bool on_label =
            mouse.x < at.x && mouse.x >= at.x - style_.px(row_label_px) && mouse.y >= at.y && mouse.y < at.y + size.y;
        if (!figure.row_group || !on_label) continue;
        const GridCamera& view = camera(figure);
        const auto row = static_cast<std::int64_t>(view.row + (mouse.y - at.y) / rect.height *
                                                                  static_cast<double>(figure.source.rows) / view.zoom);
        if (row < figure.source.rows) return figure.row_group(row);
    }
    return std::nullopt;
}

/// Rings the names that belong to what is pointed at: the thread that does the work, its block row.
void FigureBoard::mark_names(const Figure& figure, const FigureRect& rect, const LinkSet& links) const {
    const ImVec2 at = corner(rect), size{rect.width, rect.height};
    const Rgba& accent = style_.theme->accent;
    auto ring = [&](ImVec2 middle, float half_width) {
        const float half = style_.px(8.5f);
        ImGui::GetWindowDrawList()->AddRect({middle.x - half_width, middle.y - half},
                                            {middle.x + half_width, middle.y + half}, accent.u32(), style_.px(4), 0,
                                            style_.px(1.5f));
    };
    auto is_meant = [&](const LinkGroup& group) {
        if (links.group == group) return true;
        if (group.kind == Kind::block_row) return links.block == group.index;
        return group.kind == Kind::thread && links.block == group.block && links.thread == group.index;
    };
    for (const Bracket& b : figure.left) {
        if (!b.group || !is_meant(*b.group)) continue;
        const double middle = static_cast<double>(b.first) + static_cast<double>(b.count) / 2;
        const float y = grid_point(at, size, figure.source, camera(figure), middle, 0).y;
        if (y >= at.y && y <= at.y + size.y) ring({bracket_x(figure, rect, b), y}, style_.px(13));
    }
    for (const Bracket& b : figure.above) {
        if (!b.group || !is_meant(*b.group)) continue;
        const double middle = static_cast<double>(b.first) + static_cast<double>(b.count) / 2;
        const float x = grid_point(at, size, figure.source, camera(figure), 0, middle).x;
        if (x >= at.x && x <= at.x + size.x) ring({x, bracket_y(rect, b) - style_.px(4)}, style_.px(11));
    }
    if (!figure.row_group) return;
    const GridCamera& view = camera(figure);
    const float cell = static_cast<float>(rect.height / static_cast<double>(figure.source.rows) * view.zoom);
    if (cell < style_.px(line_px)) return;
    for (auto row = static_cast<std::int64_t>(view.row); row < figure.source.rows; ++row) {
        const float y = grid_point(at, size, figure.source, view, static_cast<double>(row) + 0.5, 0).y;
        if (y > at.y + size.y) break;
        if (y < at.y || !is_meant(figure.row_group(row))) continue;
        const float width = title_width({}, figure.row_label(row), style_);
        ring({at.x - style_.px(9) - width / 2, y}, width / 2 + style_.px(5));
    }
}

void FigureBoard::draw_concealed(const FigureRect& rect) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = corner(rect), end{at.x + rect.width, at.y + rect.height};
    list->AddRectFilled(at, end, style_.theme->raised.u32(), style_.px(4));
    list->PushClipRect(at, end, true);
    const auto line = [&](ImFont* font, const char* words, float below) {
        const ImVec2 size = font->CalcTextSizeA(font->FontSize, 1e9f, 0, words);
        if (size.x > rect.width) return;
        list->AddText(
            font, font->FontSize,
            {std::round(at.x + (rect.width - size.x) / 2), std::round(at.y + rect.height / 2 + below - size.y / 2)},
            style_.theme->text_dim.u32(), words);
    };
    const float half = style_.body()->FontSize / 2 + style_.px(2);
    const bool two = rect.height > 4 * half;
    line(style_.body(), "?", two ? -half : 0);
    if (two) line(style_.caption(), "hidden in this step", half);
    list->PopClipRect();
}

void FigureBoard::draw_companion_frame() const {
    ImVec2 low{1e9f, 1e9f}, high{-1e9f, -1e9f};
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        if (!figures_[i].companion) continue;
        const FigureRect& rect = page_.figures[i];
        const ImVec2 at = corner(rect);
        const float title = title_width(figures_[i].title, figures_[i].note, style_);
        const float left = at.x - margins(figures_[i]).left;
        low = {std::min(low.x, left), std::min(low.y, at.y - rect.top)};
        high = {std::max({high.x, at.x + rect.width, left + title}), std::max(high.y, at.y + rect.height)};
    }
    if (low.x > high.x) return;
    const float room = style_.px(8);
    ImGui::GetWindowDrawList()->AddRectFilled({low.x - room, low.y - room}, {high.x + room, high.y + room},
                                              style_.theme->raised.with_alpha(0.45f).u32(), style_.px(6));
}

void FigureBoard::light(const LitTerm& term) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Rgba& accent = style_.theme->accent;
    const float gap = style_.px(3), thick = style_.px(3), text = title_width({}, term.symbol, style_);
    auto name = [&](ImVec2 middle) {
        draw_row_label({middle.x + text / 2 + style_.px(3), middle.y}, term.symbol, accent, style_);
    };
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        const ImVec2 a = corner(page_.figures[i]);
        const ImVec2 b{a.x + page_.figures[i].width, a.y + page_.figures[i].height};
        for (const LitPart& part : term.parts) {
            if (part.array != figures_[i].id || figures_[i].concealed) continue;
            switch (part.along) {
                case LitPart::Along::cols:
                    list->AddRectFilled({a.x, b.y + gap}, {b.x, b.y + gap + thick}, accent.u32());
                    name({(a.x + b.x) / 2, b.y + gap + thick / 2});
                    break;
                case LitPart::Along::rows:
                    list->AddRectFilled({b.x + gap, a.y}, {b.x + gap + thick, b.y}, accent.u32());
                    name({b.x + gap + thick / 2, (a.y + b.y) / 2});
                    break;
                case LitPart::Along::all:
                    list->AddRect({a.x - gap, a.y - gap}, {b.x + gap, b.y + gap}, accent.u32(), style_.px(3), 0, thick);
                    name({(a.x + b.x) / 2, b.y + gap});
                    break;
            }
        }
    }
}

}  // namespace convscope
