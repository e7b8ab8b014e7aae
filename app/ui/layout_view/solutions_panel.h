// The page of MEC's Solutions A and B: which is shown, and the steps through its products.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "app/session/layout_extras.h"
#include "app/ui/widgets/frame.h"
#include "visualizers/layouts/solutions_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class SolutionsPanel {
public:
    /// Returns the sentence about the cell that is pointed at, or pinned; empty without one.
    std::string draw(Frame&, const ViewStyle&);
    const Lead& lead() const { return lead_; }  ///< the sentence that the page leads with, of the latest draw()

private:
    void choose(Frame&, bool takes_b);
    void transport(std::optional<PlayMove>& requested, bool& playing, std::int64_t& step, std::int64_t steps,
                   bool by_keys_alone);
    /// 'elsewhere': the keys are another's.
    void play(bool& playing, std::int64_t& step, std::int64_t steps, bool elsewhere);

    SolutionsView view_;
    Lead lead_;
    std::optional<SolutionCell> pinned_;
    std::pair<std::uint64_t, bool> pinned_in_;  ///< of which snapshot, and whether in Solution B
    double since_ = 0;                          ///< when the present step was taken while playing
};

}  // namespace convscope::app
