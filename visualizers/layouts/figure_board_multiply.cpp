// One multiplication on a page: its window over x, the inputs and weights lifted out of their arrays, the products on
// their way into the sum, and those with a zero input as they fall away.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visualizers/explain/link_products.h"
#include "visualizers/layouts/figure_board.h"

namespace convscope {
namespace {

// At scale 1.
constexpr float lift_px = 3, stroke_px = 2, noted_cell_px = 44;
constexpr float growth = 0.1f;       ///< of a lifted cell
constexpr float fall_share = 0.7f;   ///< of a cell's height that a pair falls
constexpr float chip_share = 0.66f;  ///< of the smaller edge of a cell: a product on its way

float between(float a, float b, float share) {
    return a + (b - a) * share;
}

/// Quick at first, slow where it arrives.
float slowing(float share) {
    return 1 - (1 - share) * (1 - share);
}

}  // namespace

/// A figure on the screen, and how its numbers are printed.
class FigureBoard::Stage {
public:
    Stage(const FigureBoard& board, std::size_t figure)
        : board_(board), figure_(board.figures_[figure]), at_(board.corner(board.page_.figures[figure])) {
        const FigureRect& rect = board.page_.figures[figure];
        size_ = {rect.width, rect.height};
        const GridCamera& camera = board.camera(figure_);
        const double zoom = camera.zoom;
        cell_ = {static_cast<float>(rect.width / static_cast<double>(figure_.source.cols) * zoom),
                 static_cast<float>(rect.height / static_cast<double>(figure_.source.rows) * zoom)};
    }

    ImVec2 cell() const { return cell_; }
    bool readable() const {
        const ImVec2 least = printing_cell(board_.style_);
        return cell_.x >= least.x && cell_.y >= least.y;
    }
    CellText text(bool whole) const {
        return {board_.style_, cell_.x, cell_.y, figure_.source.range, whole, figure_.decor.digits};
    }
    Rgba colour(float value) const {
        const Theme& theme = *board_.style_.theme;
        return value == 0 ? theme.zero : theme.value(value, figure_.source.range);
    }
    /// The corner of an element's cell; none where it is not in sight.
    std::optional<ImVec2> corner(const Cell& element) const {
        const auto here = figure_.from_array(element);
        if (!here) return std::nullopt;
        const ImVec2 p = point(static_cast<double>(here->row), static_cast<double>(here->col));
        const float slack = 0.5f;
        if (p.x < at_.x - slack || p.y < at_.y - slack || p.x + cell_.x > at_.x + size_.x + slack ||
            p.y + cell_.y > at_.y + size_.y + slack)
            return std::nullopt;
        return p;
    }
    std::optional<ImVec2> middle(const Cell& element) const {
        const auto p = corner(element);
        if (!p) return std::nullopt;
        return ImVec2{p->x + cell_.x / 2, p->y + cell_.y / 2};
    }
    /// An area on its way from another, as far as it is in sight.
    void outline(const LinkArea& from, const LinkArea& to, float share) const {
        const auto edge = [&](std::int64_t a, std::int64_t b) {
            return static_cast<double>(a) + static_cast<double>(b - a) * share;
        };
        const double row = edge(from.row, to.row), col = edge(from.col, to.col);
        const ImVec2 a = point(row, col),
                     b = point(row + static_cast<double>(to.rows), col + static_cast<double>(to.cols));
        const ImVec2 low{std::max(a.x, at_.x), std::max(a.y, at_.y)};
        const ImVec2 high{std::min(b.x, at_.x + size_.x), std::min(b.y, at_.y + size_.y)};
        if (low.x >= high.x || low.y >= high.y) return;
        const Rgba& accent = board_.style_.theme->accent;
        ImDrawList* list = ImGui::GetWindowDrawList();
        list->AddRectFilled(low, high, accent.with_alpha(0.10f).u32());
        list->AddRect(low, high, accent.u32(), 0, 0, board_.style_.px(stroke_px));
    }

private:
    ImVec2 point(double row, double col) const {
        return grid_point(at_, size_, figure_.source, board_.camera(figure_), row, col);
    }

    const FigureBoard& board_;
    const Figure& figure_;
    ImVec2 at_, size_{0, 0}, cell_{0, 0};
};

std::optional<std::size_t> FigureBoard::own_figure(ArrayId id) const {
    for (std::size_t i = 0; i < figures_.size(); ++i)
        if (figures_[i].id == id && figures_[i].key.empty() && !figures_[i].concealed) return i;
    return std::nullopt;
}

bool FigureBoard::shows_multiplication() const {
    return own_figure(ArrayId::x) && own_figure(ArrayId::w) && own_figure(ArrayId::y);
}

void FigureBoard::multiply(const Multiplication& m, const MultiplyMoment& now,
                           const std::optional<MultiplyWindow>& before) const {
    const auto of_x = own_figure(ArrayId::x), of_w = own_figure(ArrayId::w), of_y = own_figure(ArrayId::y);
    const auto of_l = own_figure(ArrayId::L), of_conv = own_figure(ArrayId::conv);
    const ConvShape& s = m.shape;
    const Stage x(*this, *of_x), w(*this, *of_w), y(*this, *of_y);
    // MEC multiplies what stands in L: a window's part of a strip.
    const auto strip = [&s](const Cell& conv) {
        return LinkArea{ArrayId::L, conv.col, conv.row * s.stride_h * s.s, 1, s.window()};
    };
    if (now.window < m.windows.size()) {
        const MultiplyWindow& window = m.windows[now.window];
        const MultiplyWindow& from = now.window > 0 ? m.windows[now.window - 1] : before ? *before : window;
        x.outline(from.in_x, window.in_x, slowing(now.slide));
        if (of_l) Stage(*this, *of_l).outline(strip(from.conv), strip(window.conv), slowing(now.slide));
    }
    const bool from_l = of_l && Stage(*this, *of_l).readable();
    const Stage inputs(*this, from_l ? *of_l : *of_x);
    const std::optional<Stage> sums = of_conv ? std::optional<Stage>(std::in_place, *this, *of_conv) : std::nullopt;
    if (m.pairs.empty() || !inputs.readable() || !w.readable()) return;

    ImDrawList* list = ImGui::GetWindowDrawList();
    const Theme& theme = *style_.theme;
    const CellText input_text = inputs.text(m.whole_inputs), weight_text = w.text(m.whole_weights);
    const auto window_size = static_cast<std::size_t>(s.window());
    const auto place = [&](std::size_t i) {
        const MultiplyPair& pair = m.pairs[i];
        if (!from_l) return pair.x;
        const LinkArea row = strip(m.windows[i / window_size].conv);
        return Cell{row.row, row.col + static_cast<std::int64_t>(i % window_size)};
    };
    const bool all = now.window >= m.windows.size();
    const std::size_t first = all ? 0 : now.window * window_size, end = all ? m.pairs.size() : first + window_size;

    const auto lifted = [&](const Stage& of, const CellText& text, ImVec2 p, float value, float down, float alpha) {
        const ImVec2 cell = of.cell();
        const float up = style_.px(lift_px) * now.lift, more = growth * now.lift / 2;
        p.y += down - up;
        const ImVec2 a{p.x - cell.x * more, p.y - cell.y * more};
        const ImVec2 b{p.x + cell.x * (1 + more), p.y + cell.y * (1 + more)};
        const Rgba colour = of.colour(value);
        list->AddRectFilled(a, b, colour.with_alpha(alpha).u32(), style_.px(2));
        list->AddRect(a, b, theme.accent.with_alpha(alpha).u32(), style_.px(2), 0, style_.px(stroke_px));
        if (text.fits()) text.draw(list, p, value, readable_on(colour).with_alpha(alpha));
    };
    const auto crossed = [&](const Stage& of, ImVec2 p, float alpha) {
        const ImVec2 cell = of.cell(), b{p.x + cell.x, p.y + cell.y};
        list->AddRectFilled(p, b, theme.panel.with_alpha(0.45f * alpha).u32());
        const float in = 0.24f;
        const ImU32 ink = theme.text_dim.with_alpha(alpha).u32();
        const float left = p.x + cell.x * in, right = b.x - cell.x * in;
        const float top = p.y + cell.y * in, bottom = b.y - cell.y * in;
        list->AddLine({left, top}, {right, bottom}, ink, style_.px(stroke_px));
        list->AddLine({left, bottom}, {right, top}, ink, style_.px(stroke_px));
    };

    // Skipped products lie below those that are multiplied: they fall away from between them.
    for (std::size_t i = first; i < end; ++i) {
        const auto p = m.pairs[i].skipped ? inputs.corner(place(i)) : std::nullopt;
        if (!p) continue;
        if (now.fall > 0) crossed(inputs, *p, now.fall);
        if (now.fall < 1)
            lifted(inputs, input_text, *p, 0, slowing(now.fall) * fall_share * inputs.cell().y, 1 - now.fall);
    }
    for (std::size_t i = first; i < end; ++i) {
        const MultiplyPair& pair = m.pairs[i];
        if (pair.skipped) continue;
        if (const auto p = inputs.corner(place(i))) {
            lifted(inputs, input_text, *p, pair.input, 0, 1);
            note_weight(*p, inputs.cell(), weight_text.text_of(pair.weight), readable_on(inputs.colour(pair.input)),
                        now.lift);
        }
        if (const auto p = w.corner(pair.w)) lifted(w, weight_text, *p, pair.weight, 0, 1);
    }

    // A sum is not there before its products are.
    const auto wait = [&](const Stage& of, const Cell& element) {
        const auto p = of.corner(element);
        if (!p) return;
        const ImVec2 b{p->x + of.cell().x, p->y + of.cell().y};
        list->AddRectFilled(*p, b, theme.raised.u32());
        list->AddRect(*p, b, theme.accent.u32(), 0, 0, style_.px(stroke_px));
    };
    const auto chip = [&](ImVec2 from, ImVec2 to, ImVec2 cell, double value, float share) {
        const float t = slowing(share), half = std::min(cell.x, cell.y) * chip_share * (1 - 0.25f * t) / 2;
        const ImVec2 at{between(from.x, to.x, t), between(from.y, to.y, t)};
        list->AddRectFilled({at.x - half, at.y - half}, {at.x + half, at.y + half}, theme.accent.u32(), style_.px(3));
        const std::string number = fmt::format("{:.3g}", value);
        ImFont* font = style_.caption();
        const ImVec2 room = font->CalcTextSizeA(font->FontSize, 1e9f, 0, number.c_str());
        if (room.x > 2 * half || room.y > 2 * half) return;
        list->AddText(font, font->FontSize, {std::round(at.x - room.x / 2), std::round(at.y - room.y / 2)},
                      readable_on(theme.accent).u32(), number.c_str());
    };
    const bool through_sums = m.pools() && sums;
    const bool arrived = m.pools() ? now.pooling >= 1 : all || now.flight >= 1;
    if (!arrived) wait(y, m.y);
    for (std::size_t i = now.window; through_sums && i < m.windows.size(); ++i)
        if (i > now.window || now.flight < 1) wait(*sums, m.windows[i].conv);
    for (std::size_t i = first; !all && i < end && now.flight > 0 && now.flight < 1; ++i) {
        if (m.pairs[i].skipped) continue;
        const auto from = inputs.middle(place(i));
        const auto to = through_sums ? sums->middle(m.windows[now.window].conv) : y.middle(m.y);
        if (from && to) chip(*from, *to, inputs.cell(), m.pairs[i].product(), now.flight);
    }
    if (!through_sums || !all) return;
    for (std::size_t i = 0; i < m.windows.size(); ++i)
        if (const auto p = sums->corner(m.windows[i].conv); p && i != m.largest && now.pooling > 0)
            crossed(*sums, *p, now.pooling);
    const auto from = m.largest ? sums->middle(m.windows[*m.largest].conv) : std::nullopt;
    const auto to = y.middle(m.y);
    if (from && to && now.pooling > 0 && now.pooling < 1) chip(*from, *to, sums->cell(), m.result, now.pooling);
}

/// In the corner of a lifted input: "×2", what it is multiplied with.
void FigureBoard::note_weight(ImVec2 corner, ImVec2 cell, const std::string& weight, const Rgba& ink,
                              float alpha) const {
    if (std::min(cell.x, cell.y) < style_.px(noted_cell_px)) return;
    const std::string note = "\u00d7" + weight;
    ImFont* font = style_.caption();
    const ImVec2 room = font->CalcTextSizeA(font->FontSize, 1e9f, 0, note.c_str());
    const float edge = style_.px(4);
    if (room.x > cell.x - 2 * edge) return;
    ImGui::GetWindowDrawList()->AddText(
        font, font->FontSize,
        {std::round(corner.x + cell.x - room.x - edge), std::round(corner.y + cell.y - room.y - edge)},
        ink.with_alpha(alpha).u32(), note.c_str());
}

}  // namespace convscope
