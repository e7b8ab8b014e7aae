#include "visualizers/plots/plot_notes.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace convscope {
namespace {

/// The small squares of the area that are drawn on already.
class Occupied {
public:
    Occupied(const CanvasBox& area, double edge)
        : area_(area),
          edge_(edge),
          columns_(static_cast<std::ptrdiff_t>(area.w / edge) + 1),
          rows_(static_cast<std::ptrdiff_t>(area.h / edge) + 1),
          taken_(static_cast<std::size_t>(columns_ * rows_)) {}

    void add(const CanvasBox& box) {
        for (const std::size_t square : under(box)) taken_[square] = true;
    }
    void add_line(const CanvasPoint& a, const CanvasPoint& b) {
        const double steps = std::ceil(std::hypot(b.x - a.x, b.y - a.y) / edge_ * 2) + 1;
        if (!(steps < 1e5)) return;
        for (double i = 0; i <= steps; ++i) {
            const double x = a.x + (b.x - a.x) * i / steps, y = a.y + (b.y - a.y) * i / steps;
            add({x, y, 0, 0});
        }
    }
    bool free(const CanvasBox& box) const {
        if (box.x < area_.x || box.right() > area_.right() || box.y < area_.y || box.bottom() > area_.bottom())
            return false;
        return std::ranges::none_of(under(box), [this](std::size_t square) { return taken_[square]; });
    }

private:
    std::vector<std::size_t> under(const CanvasBox& box) const {
        const auto place = [&](double offset, std::ptrdiff_t end) {
            return static_cast<std::ptrdiff_t>(std::clamp(std::floor(offset / edge_), -1.0, static_cast<double>(end)));
        };
        const std::ptrdiff_t left = place(box.x - area_.x, columns_), top = place(box.y - area_.y, rows_);
        const std::ptrdiff_t right = place(box.right() - area_.x, columns_ - 1);
        const std::ptrdiff_t bottom = place(box.bottom() - area_.y, rows_ - 1);
        std::vector<std::size_t> squares;
        for (std::ptrdiff_t y = std::max<std::ptrdiff_t>(0, top); y <= bottom; ++y)
            for (std::ptrdiff_t x = std::max<std::ptrdiff_t>(0, left); x <= right; ++x)
                squares.push_back(static_cast<std::size_t>(y * columns_ + x));
        return squares;
    }

    CanvasBox area_;
    double edge_;
    std::ptrdiff_t columns_, rows_;
    std::vector<bool> taken_;
};

void add_marks(const Plot& plot, const PlotState& state, const PlotLayout& layout, const PlotLook& look,
               Occupied& occupied) {
    using Marks = PlotSeries::Marks;
    const double dot = look.px(4);
    for (const PlotSeries& one : plot.series) {
        if (is_hidden(state, one)) continue;
        const bool dots = one.marks == Marks::dots || one.marks == Marks::line_and_dots || one.marks == Marks::samples;
        const bool line = one.marks == Marks::line || one.marks == Marks::line_and_dots || one.marks == Marks::level;
        CanvasPoint before{NAN, NAN};
        for (std::size_t i = 0; i < one.x.size(); ++i) {
            if (!std::isfinite(one.y[i])) {
                before.x = NAN;
                continue;
            }
            const CanvasPoint at = layout.at(one.x[i], one.y[i], one.right);
            if (dots) occupied.add({at.x - dot, at.y - dot, 2 * dot, 2 * dot});
            if (one.marks == Marks::bars) occupied.add(bar_box(layout, one, i));
            if (line && std::isfinite(before.x)) occupied.add_line(before, at);
            before = at;
        }
    }
}

/// The place at this share of the line's points.
CanvasPoint along(const PlotSeries& one, const PlotLayout& layout, double share) {
    const double place = share * static_cast<double>(one.x.size() - 1);
    const auto before = static_cast<std::size_t>(place), after = std::min(before + 1, one.x.size() - 1);
    const CanvasPoint a = layout.at(one.x[before], one.y[before]), b = layout.at(one.x[after], one.y[after]);
    const double rest = place - static_cast<double>(before);
    return {a.x + rest * (b.x - a.x), a.y + rest * (b.y - a.y)};
}

/// Places for words of this size, the better ones first: before the line's beginning, where a roof has nothing but air,
/// then above and below the line itself.
std::vector<PlacedNote> candidates(const PlotSeries& one, const PlotLayout& layout, const PlotLook& look, double w,
                                   double h) {
    const CanvasPoint from = layout.at(one.x.front(), one.y.front());
    std::vector<PlacedNote> list;
    if (layout.area.holds(from.x, from.y)) {
        for (double off = 8; off <= 120; off += 4)
            for (double gap = 8; gap <= 96; gap += 8)
                for (const double side : {-1, 1}) {
                    const double down = look.px(side * (off - gap));
                    if (off < gap || std::abs(down) > 1.5 * h) continue;
                    const double left = from.x - look.px(gap) - w;
                    list.push_back({{}, {left, from.y + down - h / 2, w, h}, from, std::abs(down) > look.px(2)});
                }
    }
    constexpr int steps = 48;
    const double apart = look.px(12);  // lines that run close to one another need to be told which one it is
    for (const bool above : {true, false})
        for (int i = 0; i <= steps; ++i) {
            const CanvasPoint at = along(one, layout, static_cast<double>(i) / steps);
            const double top = above ? at.y - apart - h : at.y + apart;
            for (const double left : {at.x - w, at.x}) list.push_back({{}, {left, top, w, h}, at, true});
        }
    return list;
}

}  // namespace

std::vector<PlacedNote> place_notes(Canvas& canvas, const Plot& plot, const PlotState& state, const PlotLayout& layout,
                                    const PlotLook& look) {
    std::vector<PlacedNote> placed;
    std::vector<const PlotSeries*> from_the_top;
    for (const PlotSeries& one : plot.series)
        if (!one.note.empty() && !one.y.empty() && !is_hidden(state, one)) from_the_top.push_back(&one);
    if (from_the_top.empty()) return placed;
    std::ranges::stable_sort(from_the_top, std::greater(), [](const PlotSeries* one) { return one->y.front(); });
    // The highest roof's name is as high as the roof: half of it above the area, as marks on its edge are.
    const double out = look.px(6);
    const CanvasBox& area = layout.area;
    Occupied occupied({area.x, area.y - out, area.w, area.h + out}, look.px(3));
    add_marks(plot, state, layout, look, occupied);
    const auto place = [&](const PlotSeries& one, const std::string& text) {
        const double w = canvas.text_width(text, look.text) + look.px(4), h = look.text * 1.1;
        for (PlacedNote& candidate : candidates(one, layout, look, w, h)) {
            if (!area.holds(candidate.of.x, candidate.of.y) || !occupied.free(candidate.box)) continue;
            candidate.text = text;
            occupied.add(candidate.box);
            placed.push_back(candidate);
            return true;
        }
        return false;
    };
    for (const PlotSeries* one : from_the_top)
        if (!place(*one, one->note) && !one->brief_note.empty()) place(*one, one->brief_note);
    return placed;
}

}  // namespace convscope
