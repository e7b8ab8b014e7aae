// The live timing plot: time against sample, a median line and a quartile band per method. Data goes in as plain
// numbers; pictures of it come out as SVG and CSV.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "visualizers/plots/plot_request.h"
#include "visualizers/theme.h"

namespace convscope {

struct TimingSeries {
    std::string name;                ///< the method's id
    int color = 0;                   ///< its number in Theme::category; the same in every plot
    bool vendor = false;             ///< neutral and dashed
    std::vector<double> samples_us;  ///< the latest last; NaN leaves a gap
    std::optional<double> median_us, q1_us, q3_us;
};

struct TimingPlotData {
    std::vector<TimingSeries> series;
    std::string empty_hint = "Nothing measured yet. Press Run to time the chosen methods.";
    std::string command = {};  ///< the command line that takes these figures again; empty: there is none
};

/// What a person has set. Plain data.
struct TimingPlotState {
    std::optional<bool> log_scale;  ///< unset: where the medians shown differ so much that a ratio says more
    bool legend = true;             ///< above the plot; without it, names stand at the ends of the lines
    std::set<std::string> hidden;   ///< names switched off in the legend
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
/// sample,<name>_us,...: one row per sample, hidden series included, empty cells where a series is shorter.
std::string timing_plot_csv(const TimingPlotData&);

}  // namespace convscope
