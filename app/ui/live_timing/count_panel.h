// In place of live timing on the simulated GPU, which has no clock: the counted cost of a run of each method.
#pragma once

#include "app/ui/widgets/frame.h"
#include "kernels/measure/run_counts.h"
#include "visualizers/plot_views/plot_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class CountPanel {
public:
    /// "counted, and again with every change": in place of live timing's state.
    static std::string state(const Live&);
    /// Which count the plot shows: in place of timing scope and cache.
    void controls(float width);
    /// Returns where the plot is.
    PlotResult draw(Frame&, const ViewStyle&);

private:
    Plot make_plot(const Frame&) const;
    void table(Frame&, const ViewStyle&, float width);
    void row(Frame&, const Method&, const ViewStyle&, int columns);

    RunCount count_ = RunCount::sectors;
    PlotState plot_state_;
};

}  // namespace convscope::app
