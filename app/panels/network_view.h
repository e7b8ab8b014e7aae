// The Network view: every layer of a network, timed by the ticked methods, and what that comes to.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/live_panel.h"
#include "kernels/measure/network_summary.h"
#include "visualizers/network_plot.h"

namespace convscope::app {

class NetworkView {
public:
    void draw(Frame&, const ViewStyle&);
    /// The column on the right: the layer that is pointed at, or that is in the workload panel.
    void inspect(Frame&);

    const NetworkPlotData& data() const { return data_; }
    /// Where the plot is, for its picture.
    const NetworkPlotResult& plot() const { return plot_; }
    std::optional<PictureRequest> take_picture() { return std::exchange(picture_, std::nullopt); }

private:
    void choosers(Frame&);
    void method_list(Frame&);
    void state_line(Frame&, const NetworkProgress*);
    void totals(Frame&, const NetworkProgress&);
    void bars(Frame&, const ViewStyle&);
    void save(Frame&, PlotRequest);
    std::optional<std::size_t> marked(const Session&) const;

    NetworkPlotData data_;
    std::vector<MethodTotal> totals_;
    NetworkPlotState state_;
    NetworkPlotResult plot_;
    std::optional<PictureRequest> picture_;
};

}  // namespace convscope::app
