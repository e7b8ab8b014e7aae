// Live timing: which methods run, their plot, and the table of the latest results.
#pragma once

#include <optional>
#include <string>

#include "app/ui/live_timing/count_panel.h"
#include "app/ui/widgets/frame.h"
#include "app/ui/widgets/measurement_table.h"
#include "visualizers/plot_views/plot_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class LivePanel {
public:
    void draw(Frame&, const ViewStyle&);
    /// In front of an audience: what it comes to, and the plot.
    void draw_slide(Frame&, const ViewStyle&);
    /// Before there is anything to show: what would be measured, and how, in one line.
    void draw_line(Frame& frame) { controls(frame, {}); }
    /// Whether there are results, or are about to be.
    static bool filled(const Frame&);
    /// Where the plot is, for its image.
    const PlotResult& plot() const { return plot_; }

private:
    /// A verdict stands next to them.
    void controls(Frame&, const Lead& verdict);
    static Lead verdict(const Frame&);
    void state_line(Frame&, const Lead& verdict);
    void methods(Frame&);
    void table(Frame&, const ViewStyle&);
    void row(Frame&, const Method&, const Rgba& colour, const TimeUnit&);
    void name_cell(const MethodInfo&, const Rgba& colour);
    void plot(Frame&, const ViewStyle&, float width);

    CountPanel counts_;  ///< on the simulated GPU in place of what follows
    MeasurementColumns columns_ = MeasurementColumns::all;
    Plot data_;
    std::optional<std::uint64_t> generation_;  ///< of the results in data_
    bool was_current_ = false;
    PlotState state_;
    PlotResult plot_;
    std::string method_search_;
};

}  // namespace convscope::app
