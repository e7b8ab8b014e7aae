#include "app/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/core/format_units.h"
#include "kernels/core/text.h"
#include "kernels/measure/run_counts.h"

namespace convscope::cli {
namespace {

using Row = std::vector<std::string>;

std::string three_digits(double value) {
    if (value >= 99.95) return fmt::format("{:.0f}", value);
    if (value >= 9.995) return fmt::format("{:.1f}", value);
    return fmt::format("{:.2f}", value);
}

std::string method_text(const Record& record) {
    std::string text = record.method;
    if (record.block) text += fmt::format(" [{}]", to_string(*record.block));
    if (!record.tunables.empty()) text += fmt::format(" {}", record.tunables);
    return text;
}

/// "2.00x FP32 (1.50-2.50)": the vendor's best in the method's own precision is not the vendor's best.
std::string speedup_text(const Record& record) {
    if (!record.speedup_vs_vendor) return "-";
    std::string text = fmt::format("{}x {}", three_digits(*record.speedup_vs_vendor), upper_case(record.dtype));
    if (record.speedup_interval)
        text += fmt::format(" ({}-{})", three_digits(record.speedup_interval->first),
                            three_digits(record.speedup_interval->second));
    return text;
}

/// "1.8 MB", and what a library works in apart from it: "1.8 MB + 33.6 MB library".
std::string workspace_text(const Record& record) {
    if (!record.workspace_bytes) return "-";
    std::string text = format_bytes(*record.workspace_bytes);
    if (record.library_workspace_bytes.value_or(0) > 0)
        text += fmt::format(" + {} library", format_bytes(*record.library_workspace_bytes));
    return text;
}

Row timed_row(const Record& record) {
    Row row(9, "-");
    row[0] = method_text(record);
    if (record.time_median_us) row[1] = time_text(*record.time_median_us);
    if (record.time_q1_us && record.time_q3_us)
        row[2] = fmt::format("{} - {}", time_text(*record.time_q1_us), time_text(*record.time_q3_us));
    if (record.noise_pct) row[3] = fmt::format("{:.1f} %", *record.noise_pct);
    row[4] = speedup_text(record);
    if (record.gflops) row[5] = three_digits(*record.gflops);
    row[6] = workspace_text(record);
    if (record.max_rel_err) row[7] = fmt::format("{:.1e}", *record.max_rel_err);
    row[8] = to_string(record.status);
    return row;
}

/// A row for the simulated GPU, which has no clock.
Row counted_row(const Record& record) {
    Row row{method_text(record)};
    for (int i = 0; i < run_count_count; ++i) {
        const std::string text = count_text(record, static_cast<RunCount>(i));
        row.push_back(text.empty() ? "-" : text);
    }
    row.push_back(record.max_rel_err ? fmt::format("{:.1e}", *record.max_rel_err) : "-");
    row.emplace_back(to_string(record.status));
    return row;
}

bool simulated(const Record& record) {
    return record.device == "sim";
}

Row timed_headings() {
    return {"method", "median", "quartiles", "noise", "vs vendor", "GFLOP/s", "workspace", "error", "status"};
}

Row counted_headings() {
    Row row{"method"};
    for (int i = 0; i < run_count_count; ++i) row.emplace_back(to_string(static_cast<RunCount>(i)));
    row.insert(row.end(), {"error", "status"});
    return row;
}

std::size_t longest(const Row& cells) {
    std::size_t most = 0;
    for (const std::string& cell : cells) most = std::max(most, cell.size());
    return most;
}

/// Rows of the simulated GPU: a column for each, as many side by side as a terminal of 80 columns has room for, and
/// below them why some have no counts.
std::string counted_table(const std::vector<Record>& records) {
    constexpr std::size_t max_width = 80;
    const Row names = counted_headings();
    const std::size_t name_width = longest(names);
    std::string text;
    for (std::size_t first = 0; first < records.size();) {
        std::vector<Row> columns;
        std::vector<std::pair<std::string, std::string>> reasons;  // with the methods that share one
        std::size_t width = name_width;
        for (std::size_t i = first; i < records.size(); ++i) {
            Row column = counted_row(records[i]);
            width += 2 + longest(column);
            if (i > first && width > max_width) break;
            columns.push_back(std::move(column));
            if (records[i].status == Status::passed && has_counts(records[i])) continue;
            const std::string why = why_not_counted(records[i]);
            const auto known = std::ranges::find(reasons, why, &std::pair<std::string, std::string>::first);
            if (known == reasons.end())
                reasons.emplace_back(why, records[i].method);
            else
                known->second += ", " + records[i].method;
        }
        if (first > 0) text += "\n";
        for (std::size_t line = 0; line < names.size(); ++line) {
            text += fmt::format("{:<{}}", names[line], name_width);
            for (const Row& column : columns) text += fmt::format("  {:>{}}", column[line], longest(column));
            text += "\n";
        }
        for (const auto& [why, methods] : reasons) text += fmt::format("  {}: {}\n", methods, why);
        first += columns.size();
    }
    return text;
}

std::string timed_table(const std::vector<Record>& records) {
    std::vector<Row> rows{timed_headings()};
    for (const Record& record : records) rows.push_back(timed_row(record));
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (std::size_t line = 0; line < rows.size(); ++line) {
        const Row& row = rows[line];
        text += fmt::format("{:<{}}", row[0], widths[0]);
        for (std::size_t i = 1; i + 1 < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
        text += "  " + row.back() + "\n";
        const Record* const record = line > 0 ? &records[line - 1] : nullptr;
        if (record && (record->status != Status::passed || (record->time_median_us && !record->noise_pct)))
            text += fmt::format("  {}\n", record->status_reason);
    }
    return text;
}

}  // namespace

std::string time_text(double microseconds) {
    if (microseconds < 1e3) return three_digits(microseconds) + " us";
    if (microseconds < 1e6) return three_digits(microseconds / 1e3) + " ms";
    return three_digits(microseconds / 1e6) + " s";
}

std::string table_of(const std::vector<Record>& all, Unsupported unsupported) {
    std::vector<Record> records;
    std::string left_out;
    for (const Record& record : all)
        if (unsupported == Unsupported::by_name && record.status == Status::not_supported)
            left_out += (left_out.empty() ? "" : ", ") + record.method;
        else
            records.push_back(record);
    std::string text = std::ranges::all_of(all, simulated) ? counted_table(records) : timed_table(records);
    if (!left_out.empty()) text += fmt::format("not for this layer: {} (--methods ID says why)\n", left_out);
    return text;
}

std::string heading_of(const Record& record) {
    const std::string name = record.workload.empty() ? "custom" : record.workload;
    const std::string how = simulated(record)
                                ? "no clock: what a run of each costs, all blocks counted"
                                : fmt::format("scope {}, cache {}", record.timing_scope, record.cache_mode);
    // Said where zeros in w were requested.
    std::string weights;
    if (record.weight_sparsity_target > 0 && record.weight_sparsity_measured)
        weights = fmt::format(", {:.4g} % in w ({}, {:.4g} % requested)", 100 * *record.weight_sparsity_measured,
                              record.weight_pattern, 100 * record.weight_sparsity_target);
    return fmt::format("{}: {}, {} data, {:.4g} % zeros{}, seed {}\n{} ({}), {}\n", name, to_string(record.shape),
                       record.source, 100 * record.sparsity_measured, weights, record.seed, record.device,
                       record.device_name, how);
}

}  // namespace convscope::cli
