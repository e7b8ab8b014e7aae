#include "visualizers/explain/figure_arrange.h"

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

constexpr double filling = 0.35;    // what a larger cell counts, beyond the size that is comfortable to read
constexpr double unprinted = 0.6;   // what a figure without values counts less, in logarithms of a cell's size
constexpr double small_cells = 16;  // figures up to this many cells a side may be drawn larger than others

struct Size {
    float width, height;
};

class Measurer {
public:
    Measurer(const std::vector<FigureSize>& figures, const PageLimits& limits, double max_units, double small_zoom)
        : figures_(figures), limits_(limits), max_(max_units), small_zoom_(small_zoom) {}

    /// Units a figure takes along one side of 'cells' cells.
    double units(const FigureSize& f, double cells) const {
        const bool is_small = std::max(f.cols, f.rows) <= small_cells;
        return std::min(cells * (is_small ? small_zoom_ : 1.0), max_);
    }
    Size cells_size(int figure, float unit) const {
        const FigureSize& f = figures_[figure];
        return {static_cast<float>(units(f, f.cols)) * unit,
                static_cast<float>(units(f, f.rows)) * unit * limits_.flat};
    }

    /// Titles and cells of figures side by side begin at one height.
    float common_top(const Arrangement& a) const {
        float top = 0;
        if (a.kind == Arrangement::Kind::row)
            for (const Arrangement& part : a.parts)
                if (part.kind == Arrangement::Kind::figure) top = std::max(top, figures_[part.figure].top);
        return top;
    }

    /// 'top': what the figures next to this one need above their cells.
    Size measure(const Arrangement& a, float unit, float top = 0) const {
        if (a.kind == Arrangement::Kind::figure) {
            const FigureSize& f = figures_[a.figure];
            const Size cells = cells_size(a.figure, unit);
            return {std::max(f.left + cells.width, f.min_width), std::max(f.top, top) + cells.height};
        }
        const bool row = a.kind == Arrangement::Kind::row;
        Size total{row ? -limits_.gap_x : 0, row ? 0 : -limits_.gap_y};
        for (const Arrangement& part : a.parts) {
            const Size size = measure(part, unit, common_top(a));
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

    /// Sum over the figures of the logarithm of a cell's size; it counts less once cells are comfortable to read.
    double legibility(float unit) const {
        double sum = 0;
        for (const FigureSize& f : figures_) {
            const Size cells = cells_size(static_cast<int>(&f - figures_.data()), unit);
            const double width = cells.width / f.cols, height = cells.height / f.rows;
            const double cell = std::sqrt(width * height), comfortable = limits_.comfortable_unit;
            sum += std::log(std::min(cell, comfortable)) + filling * std::log(std::max(cell / comfortable, 1.0));
            // At equal size, square cells have their values printed and long ones do not.
            if (width < f.print_width || height < f.print_height) sum -= unprinted;
        }
        return sum;
    }

    void place(const Arrangement& a, float unit, float x, float y, std::vector<FigureRect>& out, float top = 0) const {
        if (a.kind == Arrangement::Kind::figure) {
            const FigureSize& f = figures_[a.figure];
            const Size cells = cells_size(a.figure, unit);
            top = std::max(f.top, top);
            out[a.figure] = {x + f.left, y + top, cells.width, cells.height, top};
            return;
        }
        for (const Arrangement& part : a.parts) {
            place(part, unit, x, y, out, common_top(a));
            const Size size = measure(part, unit, common_top(a));
            (a.kind == Arrangement::Kind::row ? x : y) +=
                a.kind == Arrangement::Kind::row ? size.width + limits_.gap_x : size.height + limits_.gap_y;
        }
    }

private:
    const std::vector<FigureSize>& figures_;
    const PageLimits& limits_;
    double max_, small_zoom_;
};

struct Choice {
    const Arrangement* arrangement = nullptr;
    double max_units = 0, small_zoom = 1, score = 0;
    float unit = 0;
};

}  // namespace

Page arrange(const std::vector<Arrangement>& candidates, const std::vector<FigureSize>& figures,
             const PageLimits& limits) {
    // A candidate must be clearly better than an earlier one, which is nearer to the paper's own picture.
    const double clearly = 0.08 * static_cast<double>(figures.size());
    Choice best;
    for (const double most : {64.0, 40.0, 28.0, 22.0, 18.0, 14.0, 11.0, 9.0})
        for (const double small_zoom : {1.0, 1.5, 2.0})
            for (const Arrangement& candidate : candidates) {
                const Measurer measurer(figures, limits, most, small_zoom);
                const float unit =
                    std::min(measurer.fit(candidate), limits.largest_unit / static_cast<float>(small_zoom));
                const double score = measurer.legibility(unit);
                if (!best.arrangement || score > best.score + clearly)
                    best = {&candidate, most, small_zoom, score, unit};
            }
    Page page;
    page.unit = best.unit;
    page.figures.resize(figures.size());
    if (!best.arrangement) return page;
    page.candidate = static_cast<std::size_t>(best.arrangement - candidates.data());
    const Measurer measurer(figures, limits, best.max_units, best.small_zoom);
    const Size size = measurer.measure(*best.arrangement, best.unit);
    const float x = std::max(0.0f, (limits.width - size.width) / 2);
    const float y = std::max(0.0f, (limits.height - size.height) / 2);
    measurer.place(*best.arrangement, best.unit, x, y, page.figures);
    return page;
}

}  // namespace convscope
