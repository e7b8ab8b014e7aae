// The Network view: every layer of a network, timed by the ticked methods, and what that comes to.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets/view.h"
#include "kernels/measure/network_summary.h"
#include "visualizers/plot_views/network_plot.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class NetworkView : public View {
public:
    void draw(Frame&, const ViewStyle&) override;
    /// The layer that is pointed at, or that is in the workload panel.
    void inspect(Frame&) override;
    Explanation explain(const Session&) const override;
    std::string status(const Frame&) const override;
    RunButton run_button(const Frame&) const override;
    void run_or_stop(Frame&) override;
    std::optional<PlotPlace> plot() const override { return PlotPlace{plot_.x, plot_.y, plot_.width, plot_.height}; }
    std::optional<PictureRequest> take_picture() override { return std::exchange(picture_, std::nullopt); }

    const NetworkPlotData& data() const { return data_; }

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
