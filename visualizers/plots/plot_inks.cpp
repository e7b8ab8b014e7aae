#include <algorithm>
#include <array>
#include <cmath>

#include "visualizers/plots/plot_layout.h"
#include "visualizers/theme/legible.h"

namespace convscope {
namespace {

constexpr int choices = 40;
constexpr double told_by_colour = 20;  ///< of the colours of cells, by which alone they are told apart

/// The nth choice of a colour; the first is a series' own.
Rgba choice(const PlotSeries& series, const Theme& theme, int n) {
    if (series.neutral || series.vendor) {
        const Rgba own = series.neutral ? theme.text_dim : theme.vendor;
        const std::array greys{own, mix(own, theme.panel, 0.45F), mix(own, theme.text, 0.7F),
                               mix(own, theme.panel, 0.25F)};
        const auto at = static_cast<std::size_t>(n);
        return legible(at < greys.size() ? greys[at] : mix(own, theme.category(n), 0.35F), theme.panel, 3);
    }
    if (series.part) return theme.part(series.color + n);
    if (series.place) return theme.ordered(*series.place);
    // Another shade of the same hue first.
    constexpr auto hues = static_cast<int>(Theme::hues), shades = static_cast<int>(Theme::shades);
    const int other = n < shades ? series.color + hues * n : series.color + n;
    return theme.method(series.color < hues * shades ? other % (hues * shades) : other);
}

bool look_alike(const Rgba& a, const Rgba& b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}) < 0.06F;
}

/// One method's: its own results and another's, its times and the line fitted to them.
bool of_one(const PlotSeries& a, const PlotSeries& b) {
    if (a.color != b.color || a.vendor != b.vendor) return false;
    const bool strokes_differ = a.dashed != b.dashed || a.dotted != b.dotted;
    return a.outlined != b.outlined || (strokes_differ && !a.neutral && !b.neutral);
}

/// Without their colours: notes name them, one is a cloud and the other is not, or their marks differ.
bool told_apart(const PlotSeries& a, const PlotSeries& b) {
    if (!a.note.empty() && !b.note.empty()) return true;
    const bool a_cloud = a.marks == PlotSeries::Marks::dots, b_cloud = b.marks == PlotSeries::Marks::dots;
    return a_cloud != b_cloud || (a_cloud && a.shape != b.shape);
}

/// The first choice that is far enough from all of these, else the farthest.
Rgba far_from(const std::vector<Rgba>& inks, const PlotSeries& series, const Theme& theme) {
    double farthest = -1;
    Rgba best;
    for (int n = 0; n < choices; ++n) {
        const Rgba ink = choice(series, theme, n);
        double nearest = HUGE_VAL;
        for (const Rgba& other : inks) nearest = std::min(nearest, colour_difference(ink, other));
        if (nearest >= told_by_colour) return ink;
        if (nearest > farthest) farthest = nearest, best = ink;
    }
    return best;
}

/// The vendor's greys are what the others keep away from.
std::vector<Rgba> inks_of_cells(const Plot& plot, const Theme& theme) {
    std::vector<Rgba> inks(plot.series.size()), taken;
    for (const bool grey : {true, false})
        for (std::size_t i = 0; i < inks.size(); ++i) {
            const PlotSeries& one = plot.series[i];
            if ((one.vendor || one.neutral) != grey) continue;
            inks[i] = far_from(taken, one, theme);
            taken.push_back(inks[i]);
        }
    return inks;
}

}  // namespace

Rgba method_color(int color, bool vendor, const Theme& theme) {
    return vendor ? theme.vendor : theme.method(color);
}

std::vector<Rgba> inks_of(const Plot& plot, const Theme& theme) {
    if (plot.cells) return inks_of_cells(plot, theme);
    std::vector<Rgba> inks;
    for (const PlotSeries& one : plot.series) {
        const auto is_same = [&](const PlotSeries& other) { return other.name == one.name || of_one(other, one); };
        const auto same = std::find_if(plot.series.begin(), plot.series.end(), is_same) - plot.series.begin();
        if (same < std::ssize(inks)) {
            inks.push_back(inks[static_cast<std::size_t>(same)]);
            continue;
        }
        int n = 0;
        const auto taken = [&](const Rgba& ink) {
            for (std::size_t i = 0; i < inks.size(); ++i)
                if (look_alike(ink, inks[i]) && !told_apart(one, plot.series[i])) return true;
            return false;
        };
        while (n < choices && taken(choice(one, theme, n))) ++n;
        inks.push_back(choice(one, theme, n));
    }
    return inks;
}

}  // namespace convscope
