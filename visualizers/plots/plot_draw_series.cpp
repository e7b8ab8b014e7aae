// Lines, points and their spread.
#include <algorithm>
#include <cmath>
#include <vector>

#include "visualizers/plots/plot_strokes.h"

namespace convscope {
namespace {

constexpr std::size_t few = 4000;  ///< marks that are drawn one by one

/// At most one mark in each square: a million points cost what the screen can show.
class Thinning {
public:
    Thinning(const CanvasBox& area, double edge)
        : area_(area), edge_(edge), columns_(static_cast<std::size_t>(area.w / edge) + 1) {
        taken_.resize(columns_ * (static_cast<std::size_t>(area.h / edge) + 1));
    }
    bool take(double x, double y) {
        if (!area_.holds(x, y)) return false;
        const std::size_t at = static_cast<std::size_t>((y - area_.y) / edge_) * columns_ +
                               static_cast<std::size_t>((x - area_.x) / edge_);
        if (at >= taken_.size() || taken_[at]) return false;
        return taken_[at] = true;
    }

private:
    CanvasBox area_;
    double edge_;
    std::size_t columns_;
    std::vector<bool> taken_;
};

/// Places along a line, as far apart as 'step'.
std::vector<CanvasPoint> dots_along(const std::vector<CanvasPoint>& points, double step) {
    std::vector<CanvasPoint> dots;
    double left = 0;  // to the next dot
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const CanvasPoint a = points[i], b = points[i + 1];
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        for (; left < length; left += step)
            dots.push_back({a.x + (b.x - a.x) * left / length, a.y + (b.y - a.y) * left / length});
        left -= length;
    }
    return dots;
}

class OneSeries {
public:
    OneSeries(const PlotStrokes& strokes, std::size_t series)
        : s_(strokes), one_(strokes.plot.series[series]), color_(strokes.inks[series]) {}

    void spread() const {
        if (one_.marks == PlotSeries::Marks::dots) return whiskers();
        band(one_.low, one_.high, 0.18F);
        band(one_.inner_low, one_.inner_high, 0.3F);
    }

    void samples() const {
        if (one_.marks != PlotSeries::Marks::samples) return;
        const double edge = std::max(2.0, std::round(s_.px(2)));
        Thinning room(s_.layout.area, edge);
        std::vector<CanvasPoint> places;
        for (std::size_t i = 0; i < one_.x.size(); ++i)
            if (const CanvasPoint place = at(i, one_.y[i]); room.take(place.x, place.y)) places.push_back(place);
        s_.canvas.squares(places, edge, color_.with_alpha(0.35F));
    }

    void line() const {
        using Marks = PlotSeries::Marks;
        if (one_.marks != Marks::line && one_.marks != Marks::line_and_dots && one_.marks != Marks::level) return;
        const bool faint = s_.emphasis.chosen && !one_.row.empty();
        const Rgba color = faint ? color_.with_alpha(0.45F) : color_;
        std::vector<CanvasPoint> points;
        auto close = [&] {
            if (one_.dotted)
                s_.canvas.squares(dots_along(points, s_.px(6)), s_.px(2), color);
            else if (points.size() > 1)
                s_.canvas.polyline(points, color, s_.px(2), one_.vendor || one_.dashed);
            points.clear();
        };
        for (std::size_t i = 0; i < one_.x.size(); ++i) {
            if (std::isfinite(one_.y[i]))
                points.push_back(at(i, one_.y[i]));
            else
                close();
        }
        close();
    }

    void bars() const {
        if (one_.marks != PlotSeries::Marks::bars) return;
        for (std::size_t i = 0; i < one_.x.size(); ++i) {
            const CanvasBox box = bar_box(s_.layout, one_, i);
            if (!(box.h > 0) || !(box.w > 0)) continue;
            const Rgba color = s_.emphasis.lit(row(i)) ? color_ : s_.theme.hairline;
            s_.block(box, color, one_.outlined);
            if (row(i) == no_row || (row(i) != s_.emphasis.hovered && row(i) != s_.emphasis.pinned)) continue;
            s_.canvas.outline(box.x, box.y, box.w, box.h, s_.theme.text);
        }
    }

    void dots() const {
        if (one_.marks != PlotSeries::Marks::dots && one_.marks != PlotSeries::Marks::line_and_dots) return;
        const double radius = s_.px(one_.x.size() > few ? 1.5 : one_.x.size() > 200 ? 2.5 : 3.5);
        Thinning room(s_.layout.area, s_.px(2));
        // Those that step back first, so that the lit ones lie on top.
        for (const bool lit : {false, true})
            for (std::size_t i = 0; i < one_.x.size(); ++i) {
                if (!std::isfinite(one_.y[i]) || s_.emphasis.lit(row(i)) != lit) continue;
                const CanvasPoint place = at(i, one_.y[i]);
                if (one_.x.size() > few && !room.take(place.x, place.y)) continue;
                s_.mark(one_, place, radius, lit ? color_ : s_.theme.hairline);
            }
    }

    void rings() const {
        if (one_.marks == PlotSeries::Marks::bars) return;
        for (std::size_t i = 0; i < one_.row.size(); ++i)
            if (std::isfinite(one_.y[i])) {
                const PlotRow r = one_.row[i];
                if (r != s_.plot.best && r != s_.emphasis.pinned && r != s_.emphasis.hovered && s_.plot.tied.empty())
                    continue;
                s_.ring(at(i, one_.y[i]), r);
            }
    }

private:
    /// The position of a value at point i.
    CanvasPoint at(std::size_t i, double value) const { return s_.layout.at(one_.x[i], value, one_.right); }
    PlotRow row(std::size_t i) const { return i < one_.row.size() ? one_.row[i] : no_row; }

    void band(const std::vector<double>& low, const std::vector<double>& high, float alpha) const {
        if (low.size() != one_.x.size() || high.size() != one_.x.size()) return;
        std::vector<CanvasPoint> above, below;
        auto close = [&] {
            if (above.size() > 1) s_.canvas.band(above, below, color_.with_alpha(alpha));
            above.clear();
            below.clear();
        };
        for (std::size_t i = 0; i < one_.x.size(); ++i) {
            if (!std::isfinite(one_.y[i]) || !std::isfinite(low[i]) || !std::isfinite(high[i])) {
                close();
                continue;
            }
            above.push_back(at(i, high[i]));
            below.push_back(at(i, low[i]));
        }
        close();
    }

    void whiskers() const {
        if (one_.x.size() > few || one_.low.size() != one_.x.size() || one_.high.size() != one_.x.size()) return;
        for (std::size_t i = 0; i < one_.x.size(); ++i) {
            if (!std::isfinite(one_.low[i]) || !std::isfinite(one_.high[i])) continue;
            const CanvasPoint from = at(i, one_.low[i]), to = at(i, one_.high[i]);
            s_.canvas.line(from.x, from.y, to.x, to.y,
                           s_.emphasis.lit(row(i)) ? color_.with_alpha(0.6F) : s_.theme.hairline, s_.px(1.5));
        }
    }

    const PlotStrokes& s_;
    const PlotSeries& one_;
    const Rgba color_;
};

}  // namespace

void PlotStrokes::series() const {
    if (plot.reference) {
        const double at = layout.at_y(*plot.reference), hair = std::max(1.0, px(1));
        const CanvasBox& area = layout.area;
        if (layout.lying)
            canvas.line(at, area.y, at, area.bottom(), theme.text_dim, hair);
        else
            canvas.line(area.x, at, area.right(), at, theme.text_dim, hair);
    }
    auto each = [this](void (OneSeries::*draw)() const) {
        for (std::size_t i = 0; i < plot.series.size(); ++i)
            if (!is_hidden(state, plot.series[i])) (OneSeries(*this, i).*draw)();
    };
    each(&OneSeries::bars);
    each(&OneSeries::spread);
    each(&OneSeries::samples);
    each(&OneSeries::line);
    each(&OneSeries::rings);
    each(&OneSeries::dots);
}

}  // namespace convscope
