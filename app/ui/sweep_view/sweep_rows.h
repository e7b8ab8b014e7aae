// The rows of a sweep as they come in, and the best of them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/compare_data.h"
#include "app/session/sweep_choice.h"
#include "kernels/records/record.h"
#include "kernels/records/row_set.h"
#include "visualizers/plots/plot_layout.h"

namespace convscope::app {

/// Rows keep their number. A row that measures what an earlier one did takes its place.
class SweepRows {
public:
    void begin(std::vector<SweepAxis> axes);  ///< of another sweep: forgets what there is
    bool add(Record);                         ///< false where an earlier row measured the same

    const std::vector<SweepAxis>& axes() const { return axes_; }
    const std::vector<Record>& rows() const { return rows_; }
    const Record* find(PlotRow row) const { return row < rows_.size() ? &rows_[row] : nullptr; }

    /// Which rows a filter lets through (row_query.h). Throws Error(usage) for one that does not read.
    RowSet where(const std::string& query) const;
    /// Those of the set, numbered again.
    SweepRows only(const RowSet&) const;

private:
    std::vector<SweepAxis> axes_;
    std::vector<Record> rows_;
    std::map<std::string, std::size_t> place_;  // by measurement_key
};

/// The axes along which the rows of a sweep's file vary. A launch axis counts only where it varies on the same work.
std::vector<SweepAxis> axes_among(const std::vector<Record>&);

/// The rows of a file, as a sweep over what varies among them: the first 5000.
SweepRows sweep_rows_of(const CompareData&);

/// "block x 64, block y 2".
std::string describe_point(const std::vector<SweepAxis>&, const Record&);

/// The least time among rows of ours that have the same workload.
struct BestPoint {
    PlotRow row = no_row;
    double low_us = 0, high_us = 0;  ///< 95 % interval of its median
    std::vector<PlotRow> tied;       ///< the medians of these cannot be told from it
};
/// Nothing while the workload itself varies: rows of different work have no best.
std::optional<BestPoint> best_point(const SweepRows&);

}  // namespace convscope::app
