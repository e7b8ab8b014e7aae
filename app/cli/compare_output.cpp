#include "app/cli/compare_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/cli/table.h"
#include "kernels/core/format_units.h"
#include "kernels/records/cell.h"
#include "kernels/records/record_csv.h"
#include "kernels/records/record_key.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_listed = 20;
constexpr std::array verdicts{Verdict::improved, Verdict::worse,  Verdict::tied,   Verdict::unclear,
                              Verdict::lost,     Verdict::gained, Verdict::untimed};

std::string interval_text(const std::optional<std::pair<double, double>>& interval) {
    return interval ? fmt::format("{:.3f} - {:.3f}", interval->first, interval->second) : "-";
}

std::string time_or_status(const Record& record) {
    if (is_timed(record)) return time_text(*record.time_median_us);
    return to_string(record.status);
}

std::string row_text(const ComparedRecords& records, const ComparedRow& row) {
    const Record base = records.record(row.base);
    const std::string ratio = row.speedup ? fmt::format("{:.3f}x", row.speedup->ratio) : "-";
    return fmt::format("{:>9}  {:>15}  {:<8}  {:>13}  {:>13}  {}\n", ratio,
                       interval_text(row.speedup ? row.speedup->interval : std::nullopt), to_string(row.verdict),
                       time_or_status(base), time_or_status(records.record(row.other)), point_text(base));
}

std::string list_text(const ComparedRecords& records, const std::vector<std::uint32_t>& rows, const std::string& file) {
    if (rows.empty()) return {};
    std::string text = fmt::format("\nonly in '{}': {}\n", file, counted(rows.size(), "row"));
    for (std::size_t i = 0; i < std::min(rows.size(), max_listed); ++i)
        text += fmt::format("  {}\n", point_text(records.record(rows[i])));
    if (rows.size() > max_listed) text += fmt::format("  and {} more\n", rows.size() - max_listed);
    return text;
}

std::string summary_text(const std::string& name, const ComparisonSummary& summary) {
    std::string text = fmt::format("{}: ", name);
    if (summary.geometric_mean) {
        text += fmt::format("{:.3f}x", *summary.geometric_mean);
        if (summary.interval) text += fmt::format(" ({})", interval_text(summary.interval));
        text += fmt::format(" over {}, geometric mean", counted(summary.timed, "row"));
    } else {
        text += "no row has both times";
    }
    for (const Verdict verdict : verdicts)
        if (const auto found = summary.rows.find(verdict); found != summary.rows.end())
            text += fmt::format("; {} {}", found->second, to_string(verdict));
    return text + "\n";
}

/// Numbers of those that a CSV has: padding that differs by side stands in one cell.
const std::vector<std::size_t>& written_columns() {
    static const std::vector<std::size_t> columns = [] {
        std::vector<std::size_t> list;
        for (const char* name : point_columns())
            if (const auto at = std::ranges::find(csv_columns(), name); at != csv_columns().end())
                list.push_back(static_cast<std::size_t>(at - csv_columns().begin()));
        return list;
    }();
    return columns;
}

/// A line of the CSV; 'base' or 'other' is null for a row that one file has alone.
std::string csv_row_of(const NamedComparison& files, const std::optional<Record>& base,
                       const std::optional<Record>& other, const std::optional<RatioEstimate>& speedup,
                       const std::string& verdict) {
    std::vector<std::string> cells{files.base, files.other};
    for (const std::size_t column : written_columns()) cells.push_back(csv_cell(base ? *base : *other, column));
    for (const auto* given : {&base, &other}) {
        const std::optional<Record>& record = *given;
        cells.push_back(record ? to_string(record->status) : "");
        cells.push_back(record ? cell::print(record->time_median_us) : "");
    }
    const bool interval = speedup && speedup->interval;
    cells.push_back(speedup ? cell::print(speedup->ratio) : "");
    cells.push_back(interval ? cell::print(speedup->interval->first) : "");
    cells.push_back(interval ? cell::print(speedup->interval->second) : "");
    cells.emplace_back(speedup ? speedup->from : "");
    cells.push_back(verdict);
    return csv_line(cells) + "\r\n";
}

Json pair_json(const std::optional<std::pair<double, double>>& pair) {
    return pair ? Json::array({pair->first, pair->second}) : Json(nullptr);
}

Json point_json(const Record& record) {
    Json json = Json::object();
    for (const std::size_t column : written_columns()) {
        const std::string cell = csv_cell(record, column);
        const Json number = Json::parse(cell, nullptr, false);
        json[csv_columns()[column]] = cell.empty() ? Json(nullptr) : number.is_number() ? number : Json(cell);
    }
    return json;
}

Json row_json(const ComparedRecords& records, const ComparedRow& row) {
    const Record base = records.record(row.base), other = records.record(row.other);
    Json json = point_json(base);
    for (const auto& [name, record] : {std::pair{"base", &base}, {"other", &other}}) {
        json[std::string(name) + "_status"] = to_string(record->status);
        json[std::string(name) + "_median_us"] = record->time_median_us ? Json(*record->time_median_us) : Json(nullptr);
    }
    json["speedup"] = row.speedup ? Json(row.speedup->ratio) : Json(nullptr);
    json["speedup_interval"] = pair_json(row.speedup ? row.speedup->interval : std::nullopt);
    json["interval_from"] = row.speedup ? row.speedup->from : "";
    json["verdict"] = to_string(row.verdict);
    return json;
}

Json summary_json(const ComparisonSummary& summary) {
    Json json{{"timed_rows", summary.timed}};
    json["geometric_mean"] = summary.geometric_mean ? Json(*summary.geometric_mean) : Json(nullptr);
    json["interval"] = pair_json(summary.interval);
    for (const Verdict verdict : verdicts)
        json[to_string(verdict)] = summary.rows.contains(verdict) ? summary.rows.at(verdict) : 0;
    return json;
}

std::string json_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A member that is an array, behind others.
template <class Rows, class ToJson>
void add_rows(std::string& text, const char* name, const Rows& rows, ToJson to_json) {
    text += fmt::format(",\n\"{}\": [", name);
    for (std::size_t i = 0; i < rows.size(); ++i) text += (i > 0 ? ",\n" : "\n") + json_text(to_json(rows[i]));
    text += "]";
}

}  // namespace

void print_comparison(const ComparedRecords& records, const NamedComparison& files) {
    const Comparison& comparison = files.comparison;
    fmt::print("'{}' against the base '{}'\n", files.other, files.base);
    for (const std::string& difference : comparison.differences) fmt::print("  {}\n", difference);
    fmt::print("\n{:>9}  {:>15}  {:<8}  {:>13}  {:>13}  measurement\n", "speed-up", "99 %", "verdict", "base", "other");
    for (const ComparedRow& row : comparison.rows) fmt::print("{}", row_text(records, row));
    fmt::print("{}{}\n", list_text(records, comparison.only_in_base, files.base),
               list_text(records, comparison.only_in_other, files.other));
    const auto methods = summarise_methods(records, comparison.rows);
    if (methods.size() > 1)
        for (const auto& [method, summary] : methods) fmt::print("{}", summary_text(method, summary));
    const ComparisonSummary all = summarise(comparison.rows);
    fmt::print("{}", summary_text("all", all));
    if (all.rows.contains(Verdict::unclear))
        fmt::print(
            "unclear: separate records of the same thing differ by more than that, now and then; "
            "bench --verdict A B takes two methods in turn, --between PCT says what records differ by here\n");
}

std::string comparison_csv(const ComparedRecords& records, const std::vector<NamedComparison>& comparisons) {
    std::vector<std::string> header{"base_file", "other_file"};
    for (const std::size_t column : written_columns()) header.push_back(csv_columns()[column]);
    for (const char* name : {"base_status", "base_median_us", "other_status", "other_median_us", "speedup",
                             "speedup_low", "speedup_high", "interval_from", "verdict"})
        header.emplace_back(name);
    std::string text = csv_line(header) + "\r\n";
    for (const NamedComparison& files : comparisons) {
        for (const ComparedRow& row : files.comparison.rows)
            text += csv_row_of(files, records.record(row.base), records.record(row.other), row.speedup,
                               to_string(row.verdict));
        for (const std::uint32_t row : files.comparison.only_in_base)
            text += csv_row_of(files, records.record(row), {}, {}, "only_in_base");
        for (const std::uint32_t row : files.comparison.only_in_other)
            text += csv_row_of(files, {}, records.record(row), {}, "only_in_other");
    }
    return text;
}

/// Text by text, because of a million rows a tree of values would take many times the room.
std::string comparison_json(const ComparedRecords& records, const std::vector<NamedComparison>& comparisons) {
    std::string text;
    for (const NamedComparison& files : comparisons) {
        const Comparison& comparison = files.comparison;
        Json head{{"base", files.base}, {"other", files.other}, {"differences", comparison.differences}};
        head["summary"] = summary_json(summarise(comparison.rows));
        head["methods"] = Json::object();
        for (const auto& [method, summary] : summarise_methods(records, comparison.rows))
            head["methods"][method] = summary_json(summary);
        text += text.empty() ? "[\n" : ",\n";
        text += json_text(head);
        text.pop_back();  // rows follow before its end
        add_rows(text, "rows", comparison.rows, [&](const ComparedRow& row) { return row_json(records, row); });
        const auto point = [&](std::uint32_t row) { return point_json(records.record(row)); };
        add_rows(text, "only_in_base", comparison.only_in_base, point);
        add_rows(text, "only_in_other", comparison.only_in_other, point);
        text += "}";
    }
    return text + "\n]\n";
}

}  // namespace convscope::cli
