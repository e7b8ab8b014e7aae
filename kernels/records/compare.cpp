#include "kernels/records/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>

namespace convscope {
namespace {

bool several_of_a_kind(const ComparedRecords& records, RowsOfFile file) {
    std::map<std::string_view, std::string_view> names;  // by kind
    for (std::uint32_t row = file.first; row < file.last; ++row) {
        const std::string_view device = records.text(row, &Record::device),
                               name = records.text(row, &Record::device_name);
        if (names.try_emplace(device.substr(0, device.find(':')), name).first->second != name) return true;
    }
    return false;
}

/// The latest row of each point, in the order of the points' first rows.
class Points {
public:
    Points(const ComparedRecords& records, RowsOfFile file, bool by_device_name)
        : records_(records),
          by_device_name_(by_device_name),
          places_(
              0, [this](std::uint32_t row) { return hash(row); },
              [this](std::uint32_t a, std::uint32_t b) { return same(a, b); }) {
        for (std::uint32_t row = file.first; row < file.last; ++row) {
            const auto [place, is_new] = places_.try_emplace(row, static_cast<std::uint32_t>(rows_.size()));
            if (is_new)
                rows_.push_back(row);
            else if (records.supersedes(row, rows_[place->second]))
                rows_[place->second] = row;
        }
    }
    Points(const Points&) = delete;
    Points& operator=(const Points&) = delete;

    const std::vector<std::uint32_t>& rows() const { return rows_; }
    std::optional<std::uint32_t> match(std::uint32_t row) const {
        const auto found = places_.find(row);
        return found == places_.end() ? std::nullopt : std::optional(rows_[found->second]);
    }

private:
    std::size_t hash(std::uint32_t row) const { return records_.point_hash(row); }
    bool same(std::uint32_t a, std::uint32_t b) const {
        return records_.same_point(a, b) &&
               (!by_device_name_ || records_.text(a, &Record::device_name) == records_.text(b, &Record::device_name));
    }

    const ComparedRecords& records_;
    const bool by_device_name_;
    std::vector<std::uint32_t> rows_;
    /// By a row of the point, the place in rows_.
    std::unordered_map<std::uint32_t, std::uint32_t, std::function<std::size_t(std::uint32_t)>,
                       std::function<bool(std::uint32_t, std::uint32_t)>>
        places_;
};

/// One row of records that stands in both files: nothing lies between them.
bool is_one_measurement(const Record& a, const Record& b) {
    return !a.timestamp_utc.empty() && a.timestamp_utc == b.timestamp_utc && a.time_median_us == b.time_median_us &&
           a.time_q1_us == b.time_q1_us && a.time_q3_us == b.time_q3_us && a.noise_pct == b.noise_pct;
}

ComparedRow compare_row(const ComparedRecords& records, std::uint32_t base, std::uint32_t other,
                        const CompareOptions& options) {
    const Record of_base = records.record(base), of_other = records.record(other);
    ComparedRow row{base, other, estimate_speedup(of_base, of_other, options.between_pct), Verdict::untimed};
    if (row.speedup && is_one_measurement(of_base, of_other)) row.speedup->interval = {1, 1};
    const bool base_timed = is_timed(of_base);
    if (row.speedup)
        row.verdict = verdict_of(*row.speedup, options.tied_pct);
    else if (base_timed != is_timed(of_other))
        row.verdict = base_timed ? Verdict::lost : Verdict::gained;
    return row;
}

std::string values_of(const ComparedRecords& records, RowsOfFile file, std::string Record::*column) {
    std::set<std::string_view> values;
    for (std::uint32_t row = file.first; row < file.last; ++row) values.insert(records.text(row, column));
    std::string text;
    for (const std::string_view value : values)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", value.empty() ? "none" : value);
    return text;
}

std::vector<std::string> differences(const ComparedRecords& records, RowsOfFile base, RowsOfFile other) {
    constexpr std::pair<const char*, std::string Record::*> columns[] = {{"device_name", &Record::device_name},
                                                                         {"driver_version", &Record::driver_version},
                                                                         {"cuda_version", &Record::cuda_version},
                                                                         {"vendor_version", &Record::vendor_version},
                                                                         {"app_version", &Record::app_version}};
    std::vector<std::string> found;
    if (base.first == base.last || other.first == other.last) return found;  // no row, no device
    for (const auto& [name, column] : columns) {
        const std::string a = values_of(records, base, column), b = values_of(records, other, column);
        if (a != b) found.push_back(fmt::format("{}: {} and {}", name, a, b));
    }
    return found;
}

/// Takes rows one by one.
class Summing {
public:
    void add(const ComparedRow& row) {
        ++summary_.rows[row.verdict];
        if (!row.speedup) return;
        ++summary_.timed;
        logs_ += std::log(row.speedup->ratio);
        all_have_intervals_ &= row.speedup->interval.has_value();
        if (row.speedup->interval)
            widths_ += std::log(row.speedup->interval->second / row.speedup->interval->first) / 2;
    }
    ComparisonSummary summary() const {
        ComparisonSummary summary = summary_;
        if (summary.timed == 0) return summary;
        const double count = static_cast<double>(summary.timed), mean = std::exp(logs_ / count);
        const double half = std::exp(widths_ / count);
        summary.geometric_mean = mean;
        if (all_have_intervals_) summary.interval = {mean / half, mean * half};
        return summary;
    }

private:
    ComparisonSummary summary_;
    double logs_ = 0, widths_ = 0;  ///< widths: sum of the half widths of the intervals' logarithms
    bool all_have_intervals_ = true;
};

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

Comparison compare_records(const ComparedRecords& records, RowsOfFile base, RowsOfFile other,
                           const CompareOptions& options) {
    const bool by_name = several_of_a_kind(records, base) || several_of_a_kind(records, other);
    const Points a(records, base, by_name), b(records, other, by_name);
    Comparison comparison;
    comparison.differences = differences(records, base, other);
    comparison.rows.reserve(std::min(a.rows().size(), b.rows().size()));
    for (const std::uint32_t row : a.rows()) {
        if (const auto match = b.match(row))
            comparison.rows.push_back(compare_row(records, row, *match, options));
        else
            comparison.only_in_base.push_back(row);
    }
    for (const std::uint32_t row : b.rows())
        if (!a.match(row)) comparison.only_in_other.push_back(row);
    return comparison;
}

ComparisonSummary summarise(const std::vector<ComparedRow>& rows) {
    Summing sum;
    for (const ComparedRow& row : rows) sum.add(row);
    return sum.summary();
}

std::vector<std::pair<std::string, ComparisonSummary>> summarise_methods(const ComparedRecords& records,
                                                                         const std::vector<ComparedRow>& rows) {
    std::vector<std::string_view> methods;
    std::map<std::string_view, Summing> sums;
    for (const ComparedRow& row : rows) {
        const std::string_view method = records.text(row.base, &Record::method);
        const auto [sum, is_new] = sums.try_emplace(method);
        if (is_new) methods.push_back(method);
        sum->second.add(row);
    }
    std::vector<std::pair<std::string, ComparisonSummary>> summaries;
    for (const std::string_view method : methods) summaries.emplace_back(method, sums.at(method).summary());
    return summaries;
}

}  // namespace convscope
