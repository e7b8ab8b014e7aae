#include "app/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace convscope::cli {
namespace {

constexpr std::array headings{"method", "median", "quartiles", "noise", "vs vendor", "GFLOP/s", "error", "status"};
using Row = std::array<std::string, headings.size()>;

std::string three_digits(double value) {
    if (value >= 99.95) return fmt::format("{:.0f}", value);
    if (value >= 9.995) return fmt::format("{:.1f}", value);
    return fmt::format("{:.2f}", value);
}

std::string launch_text(const Record& record) {
    std::string text = record.method;
    if (record.block) text += fmt::format(" [{}]", to_string(*record.block));
    if (!record.tunables.empty()) text += fmt::format(" {}", record.tunables);
    return text;
}

std::string speedup_text(const Record& record) {
    if (!record.speedup_vs_vendor) return "-";
    std::string text = three_digits(*record.speedup_vs_vendor) + "x";
    if (record.speedup_interval)
        text += fmt::format(" ({}-{})", three_digits(record.speedup_interval->first),
                            three_digits(record.speedup_interval->second));
    return text;
}

Row row_of(const Record& record) {
    Row row;
    row.fill("-");
    row[0] = launch_text(record);
    if (record.time_median_us) row[1] = time_text(*record.time_median_us);
    if (record.time_q1_us && record.time_q3_us)
        row[2] = fmt::format("{} - {}", time_text(*record.time_q1_us), time_text(*record.time_q3_us));
    if (record.noise_pct) row[3] = fmt::format("{:.1f} %", *record.noise_pct);
    row[4] = speedup_text(record);
    if (record.gflops) row[5] = three_digits(*record.gflops);
    if (record.max_rel_err) row[6] = fmt::format("{:.1e}", *record.max_rel_err);
    row[7] = to_string(record.status);
    return row;
}

}  // namespace

std::string time_text(double microseconds) {
    if (microseconds < 1e3) return three_digits(microseconds) + " us";
    if (microseconds < 1e6) return three_digits(microseconds / 1e3) + " ms";
    return three_digits(microseconds / 1e6) + " s";
}

std::string table_of(const std::vector<Record>& records) {
    std::vector<Row> rows;
    rows.emplace_back();
    std::copy(headings.begin(), headings.end(), rows.front().begin());
    for (const Record& record : records) rows.push_back(row_of(record));
    std::array<std::size_t, headings.size()> widths{};
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (std::size_t line = 0; line < rows.size(); ++line) {
        const Row& row = rows[line];
        text += fmt::format("{:<{}}", row[0], widths[0]);
        for (std::size_t i = 1; i + 1 < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
        text += "  " + row.back() + "\n";
        const bool explain = line > 0 && records[line - 1].status != Status::passed;
        if (explain) text += fmt::format("  {}\n", records[line - 1].status_reason);
    }
    return text;
}

std::string heading_of(const Record& record) {
    const std::string name = record.workload.empty() ? "custom" : record.workload;
    return fmt::format("{}: {}, {} data, {:.4g} % zeros, seed {}\n{} ({}), scope {}, cache {}\n", name,
                       to_string(record.shape), record.source, 100 * record.sparsity_measured, record.seed,
                       record.device, record.device_name, record.timing_scope, record.cache_mode);
}

}  // namespace convscope::cli
