// The column on the right of the Sweep view.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/session/sweep_axes.h"
#include "app/ui/sweep_view/sweep_metric.h"
#include "app/ui/sweep_view/sweep_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/measure/run_counts.h"

namespace convscope::app {

void SweepView::facts_of(const Record& row) {
    paragraph(row.method, look().theme->text.u32());
    note(to_string(row.shape));
    for (const SweepAxis& axis : results_.axes())
        if (const double value = value_on(axis, row); value == value)
            fact(name_of(axis).c_str(), plot_words(scale_of(axis), value), meaning_of(axis.kind));
    if (has_counts(row)) {
        for (int i = 0; i < run_count_count; ++i) {
            const auto count = static_cast<RunCount>(i);
            if (count_of(row, count)) fact(to_string(count), count_text(row, count), meaning_of(count));
        }
        if (row.max_rel_err) fact("error", fmt::format("{:.1e}", *row.max_rel_err), "Largest, against the reference");
        return note(row.status_reason);
    }
    if (!is_timed(row)) {
        fact("status", to_string(row.status));
        return row.status == Status::passed ? note(why_not_counted(row)) : problem(row.status_reason);
    }
    fact("median", duration(*row.time_median_us), "Of all samples");
    if (row.time_q1_us && row.time_q3_us)
        fact("quartiles", fmt::format("{} - {}", duration(*row.time_q1_us), duration(*row.time_q3_us)));
    if (row.noise_pct)
        fact("noise", fmt::format("{} %", three_digits(*row.noise_pct)), "Half the 95 % interval of the median");
    if (row.speedup_vs_vendor)
        fact(("over " + vendor_baseline(row)).c_str(), fmt::format("{:.2f}x", *row.speedup_vs_vendor),
             "How often as fast as the vendor's best");
    if (row.gflops) fact("rate, dense", plot_words(scale_of(SweepMetric::rate), *row.gflops));
    if (row.occupancy_pct) fact("occupancy", fmt::format("{:.0f} %", *row.occupancy_pct), "Predicted");
    if (row.registers) fact("registers", std::to_string(*row.registers), "Of each thread");
    if (row.shared_bytes) fact("shared memory", bytes(static_cast<double>(*row.shared_bytes)), "Of each block");
    if (row.max_rel_err) fact("error", fmt::format("{:.1e}", *row.max_rel_err), "Largest, against the reference");
}

void SweepView::inspect(Frame&) {
    heading("POINT");
    const Record* row = results_.find(selection_.hovered);
    if (!row) row = results_.find(selection_.pinned);
    if (!row && best_) row = results_.find(best_->row);
    if (!row)
        note(
            "Point at a mark to read it, click it to load it into the panels on the left. Shift and a drag brush: the "
            "same points are lit in every plot.");
    else
        facts_of(*row);
    if (!selection_.brushed()) return;
    ImGui::Dummy({0, px(4)});
    heading("BRUSHED");
    std::size_t timed = 0;
    double low = 0, high = 0;
    for (std::size_t i = 0; i < results_.rows().size(); ++i) {
        const Record& each = results_.rows()[i];
        if (!selection_.holds(static_cast<PlotRow>(i)) || !is_timed(each)) continue;
        low = timed == 0 ? *each.time_median_us : std::min(low, *each.time_median_us);
        high = std::max(high, *each.time_median_us);
        ++timed;
    }
    fact("points", fmt::format("{} of {}", selection_.count(), results_.rows().size()));
    if (timed > 0) fact("medians", fmt::format("{} - {}", duration(low), duration(high)));
    if (button("sweep/clear", "Clear")) clear_selection();
    tip("No point is chosen then (Esc)");
}

}  // namespace convscope::app
