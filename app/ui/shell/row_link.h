// Links the Compare view and the Sweep view where both show the same records: one brush, one pinned row, one filter.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/compare/compare_data.h"
#include "app/session/row_selection.h"
#include "app/session/session.h"

namespace convscope::app {

class CompareView;
class SweepView;

/// For each of the records its row in the table, or no_row: what was measured is the same, and so is the time of day.
std::vector<PlotRow> same_records(const CompareData&, const std::vector<Record>&);

class RowLink {
public:
    /// Once a frame, after the views were drawn. When the view changes from one to the other, or the one that is shown
    /// opens other rows, it takes over what is chosen in the other.
    void update(Session&, CompareView&, SweepView&);

private:
    std::optional<ViewId> shown_;
    std::uint64_t compare_opened_ = 0, sweep_opened_ = 0;
};

}  // namespace convscope::app
