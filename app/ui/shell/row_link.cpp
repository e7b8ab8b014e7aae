#include "app/ui/shell/row_link.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "app/ui/compare_view/compare_view.h"
#include "app/ui/sweep_view/sweep_view.h"
#include "kernels/core/error.h"
#include "kernels/measure/measure.h"
#include "kernels/records/record_key.h"

namespace convscope::app {
namespace {

std::string key_of(const Record& record) {
    return record.timestamp_utc + " " + measurement_key(record);
}

/// Row i of the sweep's is rows[i] of the table's.
void copy(const RowSelection& from, RowSelection& to, const std::vector<PlotRow>& rows, bool to_the_table) {
    std::vector<PlotRow> brushed;
    to.pinned = no_row;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == no_row) continue;
        const auto swept = static_cast<PlotRow>(i);
        const PlotRow source = to_the_table ? swept : rows[i], target = to_the_table ? rows[i] : swept;
        if (from.brushed() && from.holds(source)) brushed.push_back(target);
        if (from.pinned == source) to.pinned = target;
    }
    to.brush(brushed);
}

}  // namespace

std::vector<PlotRow> same_records(const CompareData& data, const std::vector<Record>& records) {
    std::vector<PlotRow> rows(records.size(), no_row);
    std::unordered_map<std::string, std::size_t> by_key;
    std::set<std::string_view> times;
    for (std::size_t i = 0; i < records.size(); ++i) {
        by_key.emplace(key_of(records[i]), i);
        times.insert(records[i].timestamp_utc);
    }
    const TextColumn& time = data.table.text(table_column("timestamp_utc"));
    for (std::size_t row = 0; row < data.table.rows(); ++row) {
        if (!times.contains(time[row])) continue;
        try {
            const auto found = by_key.find(key_of(data.table.record(row)));
            if (found != by_key.end()) rows[found->second] = static_cast<PlotRow>(row);
        } catch (const Error&) {
            continue;  // no record, and so none of the sweep's
        }
    }
    return rows;
}

void RowLink::update(Session& session, CompareView& compare, SweepView& sweep) {
    if (session.view != "compare" && session.view != "sweep") return;
    const bool to_sweep = session.view == "sweep";
    if (!to_sweep && compare.loading()) return;  // it may be about to show other rows
    const bool turned = std::exchange(shown_, session.view) != session.view;
    const bool compare_opened = std::exchange(compare_opened_, compare.opened()) != compare.opened();
    const bool sweep_opened = std::exchange(sweep_opened_, sweep.opened()) != sweep.opened();
    if (!turned && !(to_sweep ? sweep_opened : compare_opened)) return;
    if (!compare.data() || sweep.results().rows().empty()) return;
    const std::vector<PlotRow> rows = same_records(*compare.data(), sweep.results().rows());
    if (std::ranges::all_of(rows, [](PlotRow row) { return row == no_row; })) return;
    if (to_sweep) {
        copy(compare.selection(), sweep.selection(), rows, false);
        session.sweep.query = session.compare.query;
    } else {
        copy(sweep.selection(), compare.selection(), rows, true);
        // A file that was opened here keeps the filter that stands here.
        if (turned || session.compare.query.empty()) session.compare.query = session.sweep.query;
    }
}

}  // namespace convscope::app
