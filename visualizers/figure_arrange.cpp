#include "visualizers/figure_arrange.h"

#include <algorithm>

namespace convscope {
namespace {

struct Size {
    float width, height;
};

class Measurer {
public:
    Measurer(const std::vector<FigureSize>& figures, const PageLimits& limits, double most_units)
        : figures_(figures), limits_(limits), most_(most_units) {}

    float cells_width(int figure, float unit) const {
        return static_cast<float>(std::min(figures_[figure].cols, most_)) * unit;
    }
    float cells_height(int figure, float unit) const {
        return static_cast<float>(std::min(figures_[figure].rows, most_)) * unit;
    }

    Size measure(const Arrangement& a, float unit) const {
        if (a.kind == Arrangement::Kind::figure) {
            const FigureSize& f = figures_[a.figure];
            return {std::max(f.left + cells_width(a.figure, unit), f.min_width), f.top + cells_height(a.figure, unit)};
        }
        const bool row = a.kind == Arrangement::Kind::row;
        Size total{row ? -limits_.gap_x : 0, row ? 0 : -limits_.gap_y};
        for (const Arrangement& part : a.parts) {
            const Size size = measure(part, unit);
            total.width = row ? total.width + size.width + limits_.gap_x : std::max(total.width, size.width);
            total.height = row ? std::max(total.height, size.height) : total.height + size.height + limits_.gap_y;
        }
        return total;
    }

    /// The largest unit at which the arrangement fits the page.
    float fit(const Arrangement& a) const {
        float low = 1, high = limits_.largest_unit;
        for (int step = 0; step < 24; ++step) {
            const float middle = (low + high) / 2;
            const Size size = measure(a, middle);
            (size.width <= limits_.width && size.height <= limits_.height ? low : high) = middle;
        }
        return low;
    }

    void place(const Arrangement& a, float unit, float x, float y, std::vector<FigureRect>& out) const {
        if (a.kind == Arrangement::Kind::figure) {
            const FigureSize& f = figures_[a.figure];
            out[a.figure] = {x + f.left, y + f.top, cells_width(a.figure, unit), cells_height(a.figure, unit),
                             measure(a, unit).width};
            return;
        }
        for (const Arrangement& part : a.parts) {
            place(part, unit, x, y, out);
            const Size size = measure(part, unit);
            (a.kind == Arrangement::Kind::row ? x : y) +=
                a.kind == Arrangement::Kind::row ? size.width + limits_.gap_x : size.height + limits_.gap_y;
        }
    }

private:
    const std::vector<FigureSize>& figures_;
    const PageLimits& limits_;
    double most_;
};

}  // namespace

Page arrange(const std::vector<Arrangement>& candidates, const std::vector<FigureSize>& figures,
             const PageLimits& limits) {
    // A candidate must be clearly better than an earlier one, which is nearer to the paper's own picture.
    constexpr float clearly = 1.08f;
    const Arrangement* best = nullptr;
    float best_unit = 0;
    double units = 0;
    for (const double most : {64.0, 40.0, 28.0, 22.0, 18.0, 14.0, 11.0, 9.0}) {
        best = nullptr;
        best_unit = 0;
        units = most;
        const Measurer measurer(figures, limits, most);
        for (const Arrangement& candidate : candidates) {
            const float unit = measurer.fit(candidate);
            if (best && unit < best_unit * clearly) continue;
            best = &candidate;
            best_unit = unit;
        }
        if (best_unit >= limits.comfortable_unit) break;
    }
    Page page;
    page.unit = best_unit;
    page.figures.resize(figures.size());
    if (!best) return page;
    const Measurer measurer(figures, limits, units);
    const Size size = measurer.measure(*best, best_unit);
    const float x = std::max(0.0f, (limits.width - size.width) / 2);
    const float y = std::max(0.0f, (limits.height - size.height) / 3);
    measurer.place(*best, best_unit, x, y, page.figures);
    return page;
}

}  // namespace convscope
