// The live timing plot: time against sample, and for each method a median line in the bands of its interval and its
// quartiles, with its name where the line ends. Data goes in as plain numbers; pictures come out as SVG and CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "visualizers/plots/plot_request.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// A time that does not stay the same: the medians before and after a sample.
struct TimingChange {
    double before_us = 0, after_us = 0;
    std::size_t at = 0;  ///< the first of samples_us that belongs to 'after'
};

struct TimingSeries {
    std::string name;                ///< the method's id
    int color = 0;                   ///< its number in Theme::category; the same in every plot
    bool vendor = false;             ///< neutral and dashed
    std::vector<double> samples_us;  ///< the latest last; NaN leaves a gap
    std::int64_t stride = 1;         ///< of so many samples, one is in samples_us
    std::optional<double> median_us, q1_us, q3_us;
    std::optional<std::pair<double, double>> interval_us;  ///< of the median
    std::optional<TimingChange> change;                    ///< drawn as two lines without bands, and said
};

struct TimingPlotData {
    std::vector<TimingSeries> series;
    std::string empty_hint = "Nothing measured yet. Press Run to time the chosen methods.";
    std::string command = {};  ///< the command line that takes these figures again; empty: there is none
};

/// What a user has set. Plain data.
struct TimingPlotState {
    std::optional<bool> log_scale;  ///< unset: where the medians shown differ so much that a ratio says more
    std::set<std::string> hidden;   ///< names switched off by a click
    struct View {
        double x0 = 0, x1 = 1, y0 = 0, y1 = 1;  ///< samples; microseconds
    };
    std::optional<View> view;  ///< unset: everything is shown
};

struct TimingPlotResult {
    PlotRequest request = PlotRequest::none;    ///< chosen from the right-click menu
    float x = 0, y = 0, width = 0, height = 0;  ///< of the plot on the screen, for a PNG
};

/// Draws into the current window, 'width' x 'height' px (0: all that is left).
TimingPlotResult draw_timing_plot(const char* id, const TimingPlotData&, TimingPlotState&, const ViewStyle&,
                                  float width = 0, float height = 0);

/// The same picture as a file's text, at width x height CSS px.
std::string timing_plot_svg(const TimingPlotData&, const TimingPlotState&, const Theme&, int width = 800,
                            int height = 400);
/// sample,<name>_us,...: a row for each sample that any series has, hidden ones included, empty cells where one has
/// none.
std::string timing_plot_csv(const TimingPlotData&);

}  // namespace convscope
