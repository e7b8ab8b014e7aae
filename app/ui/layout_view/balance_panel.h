// The Balance page of the layouts: how the zeros share out the work, and where they are.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/session/jobs/latest_job.h"
#include "app/ui/layout_view/balance_plots.h"
#include "app/ui/widgets/frame.h"
#include "visualizers/plot_views/plot_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class BalancePanel {
public:
    /// 'threads': what the launch panel gives the format's method.
    void draw(Frame&, Format, const ThreadMap& threads, const ViewStyle&);
    const Lead& lead() const { return lead_; }  ///< the sentence that the page leads with, of the latest draw()
    /// The width that its controls take at most; they stand at the top left.
    static float header_width();
    bool busy() const { return counter_ && counter_->busy(); }

private:
    /// The zeros are counted in a network's layers, or else in the channels of one image.
    struct Request {
        const Network* network = nullptr;
        std::shared_ptr<const Workload> workload;
        std::int64_t image = 0;
        bool operator==(const Request&) const = default;
    };
    using Counter = LatestJob<Request, std::vector<ZeroShares>>;

    void header(Frame&, Format);
    Plot zeros(Frame&);
    void plot(Frame&, const ViewStyle&, const char* name, const Plot&, PlotState&, float width, float height);

    std::unique_ptr<Counter> counter_;  ///< made when the page is first shown
    MapValues map_values_;
    Lead lead_;
    std::uint64_t snapshot_ = 0;
    PlotState products_state_, idle_state_, zeros_state_;
};

}  // namespace convscope::app
