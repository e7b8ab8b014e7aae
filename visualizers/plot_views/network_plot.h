// The times of a network's layers: a group of horizontal bars for each layer, one bar for each method. Data goes in as
// plain numbers; pictures of it come out as SVG and CSV.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "visualizers/plot_views/timing_plot.h"
#include "visualizers/style/view_style.h"

namespace convscope {

struct NetworkSeries {
    std::string name;     ///< the method's id
    int color = 0;        ///< its number in Theme::category; the same in every plot
    bool vendor = false;  ///< neutral
};

/// One method on one layer.
struct NetworkBar {
    std::optional<double> time_us, q1_us, q3_us;
    std::optional<double> speedup;  ///< over the baseline; unset for the baseline itself
    std::string chosen;             ///< the method that it took, where it chooses
    std::string reason;             ///< why there is no time: "not supported"
};

struct NetworkLayer {
    std::string name;             ///< "conv1_2+pool"
    std::string shape;            ///< "64x224x224 * 64x3x3, pool 2"
    std::optional<double> zeros;  ///< share of zeros in its input, 0..1; unset: not known before it has run
    std::string from;             ///< what that rests on: "ramp"
    std::int64_t times = 1;
    std::vector<NetworkBar> bars;  ///< by series; empty: not measured yet
};

struct NetworkPlotData {
    std::vector<NetworkSeries> series;
    std::vector<NetworkLayer> layers;
    std::string baseline;                ///< what the speed-ups are over
    std::optional<std::size_t> running;  ///< the layer under way
    std::string phase;                   ///< and what is done with it
    std::string empty_hint;              ///< stands where the bars will, until there are some
    std::string command;                 ///< the command line that measures this again; empty: there is none
};

/// What a user has set. Plain data.
struct NetworkPlotState {
    bool log_scale = false;
    std::set<std::string> hidden;  ///< series switched off
};

struct NetworkPlotResult {
    PlotRequest request = PlotRequest::none;  ///< chosen from the right-click menu
    std::optional<std::size_t> hovered, clicked;
    float x = 0, y = 0, width = 0, height = 0;  ///< of the plot on the screen, for a PNG
    struct Row {
        std::size_t layer;
        float x, y, width, height;  ///< on the screen, of the part that is in sight
    };
    std::vector<Row> rows;
};

/// Draws into what is left of the current window. 'marked' is the layer that is looked at elsewhere. Layers that do not
/// fit are scrolled to by the wheel.
NetworkPlotResult draw_network_plot(const char* id, const NetworkPlotData&, NetworkPlotState&,
                                    std::optional<std::size_t> marked, const ViewStyle&);

/// The whole picture, all layers, as a file's text.
std::string network_plot_svg(const NetworkPlotData&, const NetworkPlotState&, const Theme&, int width = 900);
/// layer,shape,zeros,zeros_from,times,method,chosen,time_us,speedup_vs_baseline,reason: hidden series included.
std::string network_plot_csv(const NetworkPlotData&);

}  // namespace convscope
