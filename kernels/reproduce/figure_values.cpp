#include "kernels/reproduce/figure_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"
#include "kernels/measure/roofline.h"

namespace convscope {
namespace {

std::optional<double> ratio(const std::optional<double>& above, const std::optional<double>& below) {
    if (!above || !below || !(*below > 0)) return std::nullopt;
    return *above / *below;
}

std::optional<double> share(const std::optional<double>& part, const std::optional<double>& whole) {
    const auto fraction = ratio(part, whole);
    return fraction ? std::optional(100 * *fraction) : std::nullopt;
}

std::optional<double> workspace(const Record& record) {
    if (!record.workspace_bytes) return std::nullopt;
    return static_cast<double>(*record.workspace_bytes);
}

/// The share in the time of all timed stages, not in the median time, which was taken in another pass.
std::optional<double> convert_share(const Record& record) {
    const double all = record.convert_us.value_or(0) + record.multiply_us.value_or(0) + record.pool_us.value_or(0);
    return share(record.convert_us, all);
}

std::optional<double> times(const std::optional<double>& value, double weight) {
    return value ? std::optional(*value * weight) : std::nullopt;
}

std::optional<double> value_at(const PaperSeries& series, const PaperFigure& figure, const PaperPoint& point,
                               const std::vector<Record>& records) {
    const Record* of = fastest_of(series.of, records);
    const Record* over = series.over.empty() ? of : fastest_of(series.over, records);
    if (!of || !over) return std::nullopt;
    const double weight = figure.weighted ? static_cast<double>(point.weight) : 1;
    switch (series.value) {
        case FigureValue::time_us:
            return times(of->time_median_us, weight);
        case FigureValue::gflops:
            return of->gflops;
        case FigureValue::speedup:
            return ratio(over->time_median_us, of->time_median_us);
        case FigureValue::workspace_mb:
            return times(ratio(workspace(*of), 1e6), weight);
        case FigureValue::workspace_mib:
            return times(ratio(workspace(*of), 0x1p20), weight);
        case FigureValue::saving:
            return ratio(workspace(*over), workspace(*of));
        case FigureValue::convert_pct:
            return convert_share(*of);
        case FigureValue::roofline_pct:
            return share(roofline_us(*of), of->time_median_us);
        case FigureValue::theta:
            return 100 * of->sparsity_measured / static_cast<double>(point.spec.shape.w);
    }
    return std::nullopt;
}

/// From 1; equal values share the mean of their ranks.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<double> all;
    for (const double value : values) {
        const auto below = std::ranges::count_if(values, [&](double other) { return other < value; });
        all.push_back(static_cast<double>(below) + (static_cast<double>(std::ranges::count(values, value)) + 1) / 2);
    }
    return all;
}

}  // namespace

const Record* fastest_of(const std::vector<std::string>& methods, const std::vector<Record>& records) {
    const Record* best = nullptr;
    for (const Record& record : records) {
        if (!is_timed(record)) continue;
        if (std::ranges::none_of(methods, [&](const std::string& method) { return is_of(record, method); })) continue;
        if (!best || *record.time_median_us < *best->time_median_us) best = &record;
    }
    return best;
}

std::vector<std::optional<double>> values_of(const PaperSeries& series, const PaperFigure& figure,
                                             const PointRecords& records) {
    std::vector<std::optional<double>> values;
    for (std::size_t i = 0; i < figure.points.size(); ++i)
        values.push_back(i < records.size() ? value_at(series, figure, figure.points[i], records[i]) : std::nullopt);
    return values;
}

std::optional<double> summary_of(const PaperSeries& series, FigureSummary take, const PaperFigure& figure,
                                 const PointRecords& records) {
    const auto values = values_of(series, figure, records);
    double sum = 0, logs = 0, count = 0, largest = 0, smallest = INFINITY, above = 0, below = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i]) continue;
        // Weighted values have their weight already.
        const double weight =
            figure.weighted && series.value != FigureValue::speedup ? 1 : static_cast<double>(figure.points[i].weight);
        ++count;
        sum += *values[i];
        logs += std::log(*values[i]);
        largest = std::max(largest, *values[i]);
        smallest = std::min(smallest, *values[i]);
        if (take != FigureSummary::total) continue;
        if (series.value == FigureValue::speedup) {
            above += weight * *fastest_of(series.over, records[i])->time_median_us;
            below += weight * *fastest_of(series.of, records[i])->time_median_us;
        } else {
            above += weight * *values[i];
        }
    }
    if (count == 0) return std::nullopt;
    switch (take) {
        case FigureSummary::mean:
            return sum / count;
        case FigureSummary::geometric_mean:
            return std::exp(logs / count);
        case FigureSummary::largest:
            return largest;
        case FigureSummary::smallest:
            return smallest;
        case FigureSummary::last:
            return values.back();
        case FigureSummary::total:
            break;
    }
    return series.value == FigureValue::speedup ? above / below : above;
}

std::optional<double> rank_correlation(const std::vector<std::optional<double>>& a,
                                       const std::vector<std::optional<double>>& b) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] && b[i]) x.push_back(*a[i]), y.push_back(*b[i]);
    const auto ranks_x = ranks(x), ranks_y = ranks(y);
    const double mean = (static_cast<double>(x.size()) + 1) / 2;
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (ranks_x[i] - mean) * (ranks_y[i] - mean);
        xx += (ranks_x[i] - mean) * (ranks_x[i] - mean);
        yy += (ranks_y[i] - mean) * (ranks_y[i] - mean);
    }
    return xx > 0 && yy > 0 ? std::optional(xy / std::sqrt(xx * yy)) : std::nullopt;
}

std::string figure_text(FigureValue kind, double value, Digits digits) {
    if (digits == Digits::all) return fmt::format("{:.12f} {}", value, axis_words(kind).unit);
    switch (kind) {
        case FigureValue::time_us:
            return format_time_us(value);
        case FigureValue::gflops:
            return format_digits(value) + " GFLOP/s";
        case FigureValue::speedup:
        case FigureValue::saving:
            return fmt::format("{:.2f}x", value);
        case FigureValue::workspace_mb:
            return format_digits(value) + " MB";
        case FigureValue::workspace_mib:
            return fmt::format("{:.4g} MiB", value);
        case FigureValue::roofline_pct:
        case FigureValue::convert_pct:
            return fmt::format("{:.0f} %", value);
        case FigureValue::theta:
            return fmt::format("{:.3g}", value);
    }
    return {};
}

AxisWords axis_words(FigureValue kind) {
    switch (kind) {
        case FigureValue::time_us:
            return {"time", "us"};
        case FigureValue::gflops:
            return {"dense rate", "GFLOP/s"};
        case FigureValue::speedup:
            return {"speed-up", "x"};
        case FigureValue::workspace_mb:
            return {"memory overhead", "MB"};
        case FigureValue::workspace_mib:
            return {"memory overhead", "MiB"};
        case FigureValue::saving:
            return {"memory saved", "x"};
        case FigureValue::convert_pct:
            return {"share of the conversion", "%"};
        case FigureValue::roofline_pct:
            return {"share of the roofline", "%"};
        case FigureValue::theta:
            return {"sparsity / size", ""};
    }
    return {};
}

}  // namespace convscope
