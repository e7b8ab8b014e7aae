// What the Network view draws, from the session's choice and what has been measured of it.
#pragma once

#include "app/session/session.h"
#include "visualizers/plot_views/network_plot.h"

namespace convscope::app {

/// The progress of the network that is chosen, under the conditions that are chosen; null when the latest figures are
/// of something else.
const NetworkProgress* measured_network(const Session&, const LiveSnapshot&);

/// The chosen network's layers, each with its bars where it has been measured. 'measured' may be null.
NetworkPlotData network_plot_data(const Session&, const Registry&, const NetworkProgress* measured);

/// "5 of 16 layers, 40 s left: conv3_2, sampling ocpa".
std::string progress_in_words(const NetworkProgress&);

}  // namespace convscope::app
