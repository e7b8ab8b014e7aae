// The Network view: every layer of a network, timed by the ticked methods, and what that comes to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/ui/network_view/network_data.h"
#include "app/ui/network_view/recorded_network.h"
#include "app/ui/widgets/view.h"
#include "kernels/measure/network_summary.h"
#include "visualizers/explain/lead.h"
#include "visualizers/plot_views/plot_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class NetworkView : public View {
public:
    void draw(Frame&, const ViewStyle&) override;
    /// The method that gains most over the vendor, once there is one; else why there is none, or what to do.
    Lead lead(const Frame&) const override;
    /// The layer that is pointed at, or that is in the workload panel.
    void inspect(Frame&) override;
    bool uses_layer() const override { return false; }
    Explanation explain(const Session&) const override;
    std::string status(const Frame&) const override;
    RunButton run_button(const Frame&) const override;
    void run_or_stop(Frame&) override;
    bool busy(const Session& session) const override { return session.model.running; }

    const NetworkData& data() const { return data_; }

private:
    void forget_another(const std::string& name);
    void network_list(Session&);
    void choosers(Frame&);
    void methods(Frame&);
    void state_line(Frame&, const NetworkProgress*);
    void totals(Frame&, const NetworkProgress&);
    void bars(Frame&, const ViewStyle&);
    void find_recorded(const Network&);
    void draw_recorded(const Plot&, const ViewStyle&, const PlotEmphasis&);
    std::optional<std::size_t> marked(const Session&) const;
    /// Where the zeros of the network come from, at the chosen batch.
    const std::string& profile(const Session&);

    std::string shown_name_;  ///< of the network that data_ and plot_ are of
    NetworkData data_;
    std::optional<RecordedNetwork> recorded_;  ///< of the network whose name is:
    std::string recorded_name_;
    PlotState recorded_state_;
    std::vector<MethodTotal> totals_;
    PlotState state_;
    PlotResult plot_;
    std::string profile_;
    std::pair<std::string, std::int64_t> profile_of_;  ///< network and batch
    std::string method_search_, network_search_;
};

}  // namespace convscope::app
