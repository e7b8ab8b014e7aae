#include "kernels/records/zeros_pay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "kernels/core/format_units.h"
#include "kernels/records/ratio_estimate.h"

namespace convscope {
namespace {

/// The row with the shortest time at each share of zeros.
struct Fastest {
    std::map<double, const Record*> at;
    void add(const Record& row) {
        const Record*& fastest = at.try_emplace(row.sparsity_target, &row).first->second;
        if (*row.time_median_us < *fastest->time_median_us) fastest = &row;
    }
};

/// By more than the 95 % interval of the ratio.
bool is_faster(const Record& row, const Record& than) {
    const double ratio = *than.time_median_us / *row.time_median_us;
    return ratio > 1 && differs_from_one(ratio, row.noise_pct, than.noise_pct);
}

constexpr double executes_less = 0.99;

/// The work of a method over the shares of zeros.
class MethodWork {
public:
    void add(const Record& row) {
        if (!row.flops_executed) return;
        if (work_.empty()) dense_ = row.flops_dense;
        double& work = work_.try_emplace(row.sparsity_target, *row.flops_executed).first->second;
        work = std::min(work, *row.flops_executed);
    }
    /// Whether it leaves out products at this share. Empty where its rows do not tell: at the smallest share of one
    /// that skips and has none without zeros, and at the only share of one that executes less than all.
    std::optional<bool> skips_at(double zeros) const {
        const double first = work_.begin()->second, least = executes_less * first;
        if (work_.at(zeros) < least) return true;
        const bool skips = std::ranges::any_of(work_, [least](const auto& one) { return one.second < least; });
        const bool unknown =
            work_.begin()->first > 0 && (skips || (work_.size() == 1 && first < executes_less * dense_));
        return unknown ? std::nullopt : std::optional(false);
    }

private:
    std::map<double, double> work_;  ///< by share of zeros
    double dense_ = 0;
};

std::optional<double> faster_from(const Fastest& sparse, const Fastest& dense) {
    std::optional<double> from;
    for (auto place = sparse.at.rbegin(); place != sparse.at.rend(); ++place) {
        const auto other = dense.at.find(place->first);
        if (other == dense.at.end()) continue;
        if (!is_faster(*place->second, *other->second)) break;
        from = place->first;
    }
    return from;
}

std::string named(const ZerosPay::Dense& dense) {
    return fmt::format("{} ({}, {})", dense.precision, dense.method, format_time_us(dense.us));
}

}  // namespace

std::string precision_of(const std::string& arithmetic) {
    if (arithmetic.empty()) return "?";
    std::string name = arithmetic.substr(0, arithmetic.find('_'));
    for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return name;
}

std::optional<ZerosPay> zeros_pay(const std::vector<Record>& rows) {
    std::map<std::string, MethodWork> work;
    for (const Record& row : rows) work[row.method].add(row);
    Fastest sparse;
    std::map<std::string, Fastest> dense;
    for (const Record& row : rows) {
        if (!is_timed(row) || row.sparsity_target >= 1 || (!row.flops_executed && !is_vendors(row))) continue;
        const std::optional<bool> skips = row.flops_executed ? work[row.method].skips_at(row.sparsity_target) : false;
        if (skips) (*skips ? sparse : dense[precision_of(row.arithmetic)]).add(row);
    }
    if (sparse.at.empty()) return std::nullopt;
    const auto& [zeros, best] = *sparse.at.rbegin();
    ZerosPay found{zeros, best->method, *best->time_median_us, {}, best->weight_sparsity_target > 0};
    for (const auto& [precision, times] : dense)
        if (const auto at = times.at.find(zeros); at != times.at.end())
            found.dense.push_back(
                {precision, at->second->method, *at->second->time_median_us, faster_from(sparse, times)});
    if (found.dense.empty()) return std::nullopt;
    std::ranges::sort(found.dense, std::greater(), &ZerosPay::Dense::us);
    return found;
}

std::string ZerosPay::verdict() const {
    const auto pays = std::ranges::find_if(dense, [](const Dense& each) { return each.from.has_value(); });
    return pays == dense.end() ? "does not pay" : fmt::format("pays from {} zeros on", format_percent(*pays->from));
}

std::string ZerosPay::sentence() const {
    std::map<double, std::vector<std::string>> paying;
    std::vector<std::string> others, parts;
    for (const Dense& each : dense) {
        if (each.from)
            paying[*each.from].push_back(named(each));
        else
            others.push_back(named(each));
    }
    for (const auto& [from, against] : paying)
        parts.push_back(fmt::format("from {} zeros on against {}", format_percent(from), fmt::join(against, " and ")));
    const std::string skipping = of_x ? "Skipping zeros of x" : "Skipping zeros";
    std::string text = paying.empty() ? skipping + " does not pay against " + fmt::format("{}", fmt::join(others, ", "))
                                      : fmt::format("{} pays {}", skipping, fmt::join(parts, ", "));
    if (!paying.empty() && !others.empty()) text += fmt::format(", not against {}", fmt::join(others, " and "));
    return text + fmt::format(": at {} zeros {} takes {}.", format_percent(zeros), method, format_time_us(us));
}

}  // namespace convscope
