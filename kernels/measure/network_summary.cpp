#include "kernels/measure/network_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "kernels/measure/sample_counts.h"

namespace convscope {
namespace {

MethodTotal& total_of(std::vector<MethodTotal>& totals, const std::string& method) {
    const auto found = std::find_if(totals.begin(), totals.end(), [&](auto& total) { return total.method == method; });
    if (found != totals.end()) return *found;
    totals.emplace_back().method = method;
    return totals.back();
}

void compare(MethodTotal& total, const Record& row, double times, double speedup) {
    const bool first = total.compared == 0;
    // Another baseline may be the fastest on each layer where several exist and none is the library's best.
    const bool same = first || total.vendor == row.vendor_method;
    total.vendor = same ? row.vendor_method : "the vendor's fastest";
    total.baseline = vendor_baseline(total.vendor, row.dtype);
    total.slowest = first ? speedup : std::min(total.slowest, speedup);
    total.fastest = first ? speedup : std::max(total.fastest, speedup);
    total.compared_us += times * *row.time_median_us;
    total.vendor_us += times * *row.time_median_us * speedup;
    ++total.compared;
}

}  // namespace

std::optional<double> speedup_of(const Record& row, const std::vector<Record>& layer) {
    if (!row.noise_pct || row.vendor_method == row.method) return std::nullopt;
    const auto vendor = std::ranges::find(layer, row.vendor_method, &Record::method);
    return vendor != layer.end() && vendor->noise_pct ? row.speedup_vs_vendor : std::nullopt;
}

std::string brief_reason(const Record& row) {
    return is_too_busy(row) ? "too busy" : spaced(to_string(row.status));
}

std::string why_no_speedup(const Record& row, const std::vector<Record>& layer) {
    const auto vendor = std::ranges::find_if(layer, [&row](const Record& other) {
        return is_vendors(other) && (row.vendor_method.empty() || other.method == row.vendor_method);
    });
    if (is_vendors(row) || vendor == layer.end() || speedup_of(row, layer)) return {};
    if (!is_timed(*vendor)) return fmt::format("{} {}", vendor->method, brief_reason(*vendor));
    return row.noise_pct ? vendor->method + " has too few samples" : "too few samples";
}

std::vector<MethodTotal> network_totals(const std::vector<LayerRows>& layers) {
    std::vector<MethodTotal> totals;
    for (const LayerRows& layer : layers)
        for (const Record& row : layer.rows) {
            MethodTotal& total = total_of(totals, row.method);
            if (!is_timed(row)) continue;
            const auto times = static_cast<double>(layer.times);
            total.time_us += times * *row.time_median_us;
            ++total.layers;
            if (const auto speedup = speedup_of(row, layer.rows)) compare(total, row, times, *speedup);
        }
    return totals;
}

std::string describe(const MethodTotal& total, std::size_t layers) {
    if (total.compared == 0) return fmt::format("{}: no layer to compare with a vendor's method", total.method);
    const std::string words = fmt::format("{} {:.2f}x over {} on {} of {} layers", total.method, total.speedup(),
                                          total.baseline, total.compared, layers);
    return total.compared == 1 ? words : fmt::format("{} ({:.2f}x to {:.2f}x)", words, total.slowest, total.fastest);
}

}  // namespace convscope
