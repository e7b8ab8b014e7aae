// The Network view's data, from the session's choice and its measurements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "visualizers/plots/plot.h"

namespace convscope::app {

/// One method on one layer.
struct NetworkBar {
    std::optional<double> time_us = {}, q1_us = {}, q3_us = {};
    std::optional<double> speedup = {};  ///< over the baseline; unset for the baseline itself
    std::string chosen = {};             ///< the method that it took, where it chooses
    std::string reason = {};             ///< why there is no time: "not supported"
    std::string no_ratio = {};           ///< why there is a time and no speed-up: "cudnn too busy"
    bool sure = true;                    ///< the time has an interval
};

struct NetworkLayer {
    std::string name;             ///< "conv1_2+pool"
    std::string shape;            ///< "64x224x224 * 64x3x3, pool 2"
    std::optional<double> zeros;  ///< share of zeros in its input, 0..1; unset: not known before it has run
    std::string from;             ///< what that rests on: "ramp"
    std::int64_t times = 1;
    std::vector<NetworkBar> bars;             ///< by method; empty: not measured yet
    std::optional<double> weight_zeros = {};  ///< share of zeros in its weights, measured; unset: not known
    bool own_weights = false;                 ///< from a file, not drawn
};

struct NetworkMethod {
    std::string id;
    bool vendor = false;
};

struct NetworkData {
    std::string title;
    std::vector<NetworkMethod> methods;
    std::vector<NetworkLayer> layers;
    std::string baseline;             ///< what the speed-ups are over
    std::optional<PlotRow> running;   ///< the layer under way
    std::string phase;                ///< and what is done with it
    std::string empty_hint, command;  ///< as the plot's
};

/// The progress of the network that is chosen, under the conditions that are chosen; null when the latest results are
/// of something else.
const NetworkProgress* measured_network(const Session&, const LiveSnapshot&);

/// A layer of a network before it is measured: its name, shape, zeros.
NetworkLayer describe_layer(const Preset&);

/// The chosen network's layers, each with its bars where it has been measured. 'measured' may be null.
NetworkData network_data(const Session&, const Registry&, const NetworkProgress* measured);

/// Why no layer has a ratio: the first reason, with its layer and method. Empty before a run.
std::string why_no_ratio(const NetworkData&);

/// A row for each layer, with a bar for each method.
Plot network_plot(const NetworkData&);
/// layer,shape,zeros,zeros_from,times,method,chosen,time_us,speedup_vs_baseline,reason,zeros_in_w
std::string network_csv(const NetworkData&);

/// "5 of 16 layers, 40 s left: conv3_2, sampling ocpa".
std::string describe_progress(const NetworkProgress&);

}  // namespace convscope::app
