#include "kernels/records/compare.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <unordered_map>

#include "kernels/records/record_key.h"

namespace convscope {
namespace {

bool several_of_a_kind(const std::vector<Record>& records) {
    std::map<std::string, std::string> names;  // by kind
    for (const Record& record : records)
        if (names.try_emplace(device_kind(record), record.device_name).first->second != record.device_name) return true;
    return false;
}

/// The latest row of each point, in the order of the points' first rows.
class Points {
public:
    Points(const std::vector<Record>& records, bool by_device_name) : by_device_name_(by_device_name) {
        for (const Record& record : records) {
            const auto [place, is_new] = places_.try_emplace(key_of(record), rows_.size());
            if (is_new)
                rows_.push_back(&record);
            else if (supersedes(record, *rows_[place->second]))
                rows_[place->second] = &record;
        }
    }

    const std::vector<const Record*>& rows() const { return rows_; }
    const Record* match(const Record& record) const {
        const auto found = places_.find(key_of(record));
        return found == places_.end() ? nullptr : rows_[found->second];
    }

private:
    std::string key_of(const Record& record) const {
        return by_device_name_ ? record.device_name + "|" + point_key(record) : point_key(record);
    }

    const bool by_device_name_;
    std::unordered_map<std::string, std::size_t> places_;
    std::vector<const Record*> rows_;
};

ComparedRow compare_row(const Record& base, const Record& other, const CompareOptions& options) {
    ComparedRow row{base, other, estimate_speedup(base, other, options.between_pct), Verdict::untimed};
    const bool base_timed = is_timed(base);
    const bool other_timed = is_timed(other);
    if (row.speedup)
        row.verdict = verdict_of(*row.speedup, options.tied_pct);
    else if (base_timed != other_timed)
        row.verdict = base_timed ? Verdict::lost : Verdict::gained;
    return row;
}

std::string values_of(const std::vector<Record>& records, std::string Record::*column) {
    std::set<std::string> values;
    for (const Record& record : records) values.insert(record.*column);
    std::string text;
    for (const std::string& value : values)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", value.empty() ? "none" : value);
    return text;
}

std::vector<std::string> differences(const std::vector<Record>& base, const std::vector<Record>& other) {
    constexpr std::pair<const char*, std::string Record::*> columns[] = {{"device_name", &Record::device_name},
                                                                         {"driver_version", &Record::driver_version},
                                                                         {"cuda_version", &Record::cuda_version},
                                                                         {"vendor_version", &Record::vendor_version},
                                                                         {"app_version", &Record::app_version}};
    std::vector<std::string> found;
    for (const auto& [name, column] : columns) {
        const std::string a = values_of(base, column), b = values_of(other, column);
        if (a != b) found.push_back(fmt::format("{}: {} and {}", name, a, b));
    }
    return found;
}

}  // namespace

Verdict verdict_of(const RatioEstimate& speedup, double tied_pct) {
    if (!speedup.interval) return Verdict::unclear;
    const double least = 1 + tied_pct / 100;
    const auto [low, high] = *speedup.interval;
    if (low > 1) return speedup.ratio > least ? Verdict::improved : Verdict::tied;
    if (high < 1) return speedup.ratio < 1 / least ? Verdict::worse : Verdict::tied;
    return low > 1 / least && high < least ? Verdict::tied : Verdict::unclear;
}

const char* to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::improved:
            return "improved";
        case Verdict::worse:
            return "worse";
        case Verdict::tied:
            return "tied";
        case Verdict::unclear:
            return "unclear";
        case Verdict::lost:
            return "lost";
        case Verdict::gained:
            return "gained";
        case Verdict::untimed:
            return "untimed";
    }
    return "?";
}

Comparison compare_records(const RecordFile& base, const RecordFile& other, const CompareOptions& options) {
    const bool by_name = several_of_a_kind(base.records) || several_of_a_kind(other.records);
    const Points a(base.records, by_name), b(other.records, by_name);
    Comparison comparison;
    comparison.differences = differences(base.records, other.records);
    for (const Record* row : a.rows()) {
        if (const Record* match = b.match(*row))
            comparison.rows.push_back(compare_row(*row, *match, options));
        else
            comparison.only_in_base.push_back(*row);
    }
    for (const Record* row : b.rows())
        if (!a.match(*row)) comparison.only_in_other.push_back(*row);
    return comparison;
}

ComparisonSummary summarise(const std::vector<ComparedRow>& rows) {
    ComparisonSummary summary;
    double logs = 0, widths = 0;  // widths: sum of the half widths of the intervals' logarithms
    bool all_have_intervals = true;
    for (const ComparedRow& row : rows) {
        ++summary.rows[row.verdict];
        if (!row.speedup) continue;
        ++summary.timed;
        logs += std::log(row.speedup->ratio);
        all_have_intervals &= row.speedup->interval.has_value();
        if (row.speedup->interval) widths += std::log(row.speedup->interval->second / row.speedup->interval->first) / 2;
    }
    if (summary.timed == 0) return summary;
    const double count = static_cast<double>(summary.timed), mean = std::exp(logs / count);
    const double half = std::exp(widths / count);
    summary.geometric_mean = mean;
    if (all_have_intervals) summary.interval = {mean / half, mean * half};
    return summary;
}

std::vector<std::pair<std::string, ComparisonSummary>> summarise_methods(const std::vector<ComparedRow>& rows) {
    std::vector<std::string> methods;
    std::map<std::string, std::vector<ComparedRow>> by_method;
    for (const ComparedRow& row : rows) {
        auto& group = by_method[row.base.method];
        if (group.empty()) methods.push_back(row.base.method);
        group.push_back(row);
    }
    std::vector<std::pair<std::string, ComparisonSummary>> summaries;
    for (const std::string& method : methods) summaries.emplace_back(method, summarise(by_method[method]));
    return summaries;
}

}  // namespace convscope
