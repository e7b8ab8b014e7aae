// A chart for a page or a paper: bars or lines over named points, written as SVG and PNG without a display.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "visualizers/theme/color.h"

namespace convscope {

struct ChartSeries {
    std::string label;
    std::vector<std::optional<double>> values;  ///< one for each of Chart::points; empty where there is none
    Rgba color;
    bool dashed = false;      ///< the baseline
    bool outlined = false;    ///< another's figures, beside ours
    bool right_axis = false;  ///< in units of Chart::right_label
};

struct Chart {
    enum class Kind { bars, lines };
    Kind kind = Kind::bars;
    std::string title, subtitle;
    std::string x_label, y_label, right_label;  ///< with units; right_label is empty without a right axis
    std::vector<std::string> points;            ///< along the x axis, evenly spaced
    std::vector<ChartSeries> series;
    bool logarithmic = false;         ///< the y axis: where ratios matter
    std::optional<double> reference;  ///< a hairline across, at 1 for speed-ups
};

/// Colours of series by number: Okabe and Ito's, which a colour-blind person can tell apart; repeats.
Rgba chart_color(std::size_t series);
/// The neutral colour of the vendor.
Rgba chart_vendor_color();

/// Grows with the number of points; the height is the same for all. In units of 1/96 inch.
int chart_width(const Chart&);
inline constexpr int chart_height = 480;

// Throw Error(file) when the file cannot be written.
void write_svg(const Chart&, const std::filesystem::path&);
void write_png(const Chart&, const std::filesystem::path&, double scale = 2);

}  // namespace convscope
