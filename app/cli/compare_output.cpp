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

std::string row_text(const ComparedRow& row) {
    const std::string ratio = row.speedup ? fmt::format("{:.3f}x", row.speedup->ratio) : "-";
    return fmt::format("{:>9}  {:>15}  {:<8}  {:>13}  {:>13}  {}\n", ratio,
                       interval_text(row.speedup ? row.speedup->interval : std::nullopt), to_string(row.verdict),
                       time_or_status(row.base), time_or_status(row.other), point_text(row.base));
}

std::string list_text(const std::vector<Record>& rows, const std::string& file) {
    if (rows.empty()) return {};
    std::string text = fmt::format("\nonly in '{}': {}\n", file, counted(rows.size(), "row"));
    for (std::size_t i = 0; i < std::min(rows.size(), max_listed); ++i)
        text += fmt::format("  {}\n", point_text(rows[i]));
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

/// Those that a CSV has: padding that differs by side stands in one cell.
const std::vector<std::string>& written_columns() {
    static const std::vector<std::string> columns = [] {
        std::vector<std::string> list;
        for (const char* name : point_columns())
            if (std::ranges::find(csv_columns(), name) != csv_columns().end()) list.emplace_back(name);
        return list;
    }();
    return columns;
}

std::vector<std::string> point_cells(const Record& record) {
    const std::vector<std::string> cells = csv_cells(record);
    const std::vector<std::string>& names = csv_columns();
    std::vector<std::string> chosen;
    for (const std::string& name : written_columns())
        chosen.push_back(cells[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())]);
    return chosen;
}

/// A line of the CSV; 'base' or 'other' is null for a row that one file has alone.
std::string csv_row_of(const NamedComparison& files, const Record* base, const Record* other,
                       const std::optional<RatioEstimate>& speedup, const std::string& verdict) {
    std::vector<std::string> cells{files.base, files.other};
    for (std::string& text : point_cells(base ? *base : *other)) cells.push_back(std::move(text));
    for (const Record* record : {base, other}) {
        cells.push_back(record ? to_string(record->status) : "");
        cells.push_back(record ? cell::print(record->time_median_us) : "");
    }
    const bool interval = speedup && speedup->interval;
    cells.push_back(speedup ? cell::print(speedup->ratio) : "");
    cells.push_back(interval ? cell::print(speedup->interval->first) : "");
    cells.push_back(interval ? cell::print(speedup->interval->second) : "");
    cells.push_back(speedup ? speedup->from : "");
    cells.push_back(verdict);
    return csv_line(cells) + "\r\n";
}

Json pair_json(const std::optional<std::pair<double, double>>& pair) {
    return pair ? Json::array({pair->first, pair->second}) : Json(nullptr);
}

Json point_json(const Record& record) {
    Json json = Json::object();
    const std::vector<std::string> cells = point_cells(record);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Json number = Json::parse(cells[i], nullptr, false);
        json[written_columns()[i]] = cells[i].empty() ? Json(nullptr) : number.is_number() ? number : Json(cells[i]);
    }
    return json;
}

Json row_json(const ComparedRow& row) {
    Json json = point_json(row.base);
    for (const auto& [name, record] : {std::pair{"base", &row.base}, {"other", &row.other}}) {
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

}  // namespace

std::string comparison_text(const NamedComparison& files) {
    const Comparison& comparison = files.comparison;
    std::string text = fmt::format("'{}' against the base '{}'\n", files.other, files.base);
    for (const std::string& difference : comparison.differences) text += fmt::format("  {}\n", difference);
    text += fmt::format("\n{:>9}  {:>15}  {:<8}  {:>13}  {:>13}  measurement\n", "speed-up", "99 %", "verdict", "base",
                        "other");
    for (const ComparedRow& row : comparison.rows) text += row_text(row);
    text += list_text(comparison.only_in_base, files.base) + list_text(comparison.only_in_other, files.other) + "\n";
    const auto methods = summarise_methods(comparison.rows);
    if (methods.size() > 1)
        for (const auto& [method, summary] : methods) text += summary_text(method, summary);
    const ComparisonSummary all = summarise(comparison.rows);
    text += summary_text("all", all);
    if (all.rows.contains(Verdict::unclear))
        text +=
            "unclear: separate records of the same thing differ by more than that, now and then; "
            "bench --verdict A B takes two methods in turn, --between PCT says what records differ by here\n";
    return text;
}

std::string comparison_csv(const std::vector<NamedComparison>& comparisons) {
    std::vector<std::string> header{"base_file", "other_file"};
    header.insert(header.end(), written_columns().begin(), written_columns().end());
    for (const char* name : {"base_status", "base_median_us", "other_status", "other_median_us", "speedup",
                             "speedup_low", "speedup_high", "interval_from", "verdict"})
        header.emplace_back(name);
    std::string text = csv_line(header) + "\r\n";
    for (const NamedComparison& files : comparisons) {
        for (const ComparedRow& row : files.comparison.rows)
            text += csv_row_of(files, &row.base, &row.other, row.speedup, to_string(row.verdict));
        for (const Record& record : files.comparison.only_in_base)
            text += csv_row_of(files, &record, nullptr, std::nullopt, "only_in_base");
        for (const Record& record : files.comparison.only_in_other)
            text += csv_row_of(files, nullptr, &record, std::nullopt, "only_in_other");
    }
    return text;
}

std::string comparison_json(const std::vector<NamedComparison>& comparisons) {
    Json array = Json::array();
    for (const NamedComparison& files : comparisons) {
        Json json{{"base", files.base}, {"other", files.other}, {"differences", files.comparison.differences}};
        json["summary"] = summary_json(summarise(files.comparison.rows));
        json["methods"] = Json::object();
        for (const auto& [method, summary] : summarise_methods(files.comparison.rows))
            json["methods"][method] = summary_json(summary);
        for (const char* key : {"rows", "only_in_base", "only_in_other"}) json[key] = Json::array();
        for (const ComparedRow& row : files.comparison.rows) json["rows"].push_back(row_json(row));
        for (const Record& record : files.comparison.only_in_base) json["only_in_base"].push_back(point_json(record));
        for (const Record& record : files.comparison.only_in_other) json["only_in_other"].push_back(point_json(record));
        array.push_back(std::move(json));
    }
    return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace convscope::cli
