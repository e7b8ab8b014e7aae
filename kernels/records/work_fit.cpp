#include "kernels/records/work_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "kernels/core/device_model.h"
#include "kernels/core/format_units.h"
#include "kernels/core/median.h"
#include "kernels/layers/fully_connected.h"
#include "kernels/records/zeros_pay.h"

namespace convscope {
namespace {

constexpr std::size_t min_points = 3;

/// The timed rows of one method.
struct MethodTimes {
    std::vector<double> work, zeros, us;  ///< work in multiply-adds
    bool counted = true;                  ///< flops_executed is known of all
    bool vendors = false;
};

struct Line {
    double at_zero = 0, slope = 0;
};

/// By least squares; the mean, without slope, where all x are the same.
Line line_through(const std::vector<double>& x, const std::vector<double>& y) {
    const double count = static_cast<double>(x.size());
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += x[i] / count;
        mean_y += y[i] / count;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    const double slope = xx > 0 ? xy / xx : 0;
    return {mean_y - slope * mean_x, slope};
}

/// The shortest time at each amount of work, or share of zeros.
MethodTimes shortest(const MethodTimes& all, const std::vector<double>& at_each) {
    std::map<double, std::size_t> best;
    for (std::size_t i = 0; i < at_each.size(); ++i) {
        const auto [at, fresh] = best.try_emplace(at_each[i], i);
        if (!fresh && all.us[i] < all.us[at->second]) at->second = i;
    }
    MethodTimes points;
    for (const auto& [_, i] : best) {
        points.work.push_back(all.work[i]);
        points.zeros.push_back(all.zeros[i]);
        points.us.push_back(all.us[i]);
    }
    return points;
}

WorkLine line_of(const MethodTimes& points) {
    WorkLine line;
    line.points = points.work.size();
    const Line times = line_through(points.work, points.us);
    line.t0_us = times.at_zero;
    line.rate = times.slope > 0 ? 1 / times.slope : 0;
    for (std::size_t i = 0; i < points.work.size(); ++i)
        line.off_us = std::max(line.off_us, std::abs(points.us[i] - times.at_zero - times.slope * points.work[i]));
    const auto [fastest, slowest] = std::ranges::minmax(points.us);
    line.fastest_us = fastest;
    line.slowest_us = slowest;
    line.work_without_zeros = line_through(points.zeros, points.work).at_zero;
    line.max_zeros = std::ranges::max(points.zeros);
    return line;
}

using Conditions = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, double>;

Conditions conditions_of(const Record& row) {
    return {to_string(row.shape), row.source,         row.device_name,           row.timing_scope,
            row.cache_mode,       row.weight_pattern, row.weight_sparsity_target};
}

using Methods = std::map<std::pair<std::string, std::string>, MethodTimes>;  ///< by id and arithmetic

bool same_at_several_zeros(const MethodTimes& times) {
    return std::set(times.zeros.begin(), times.zeros.end()).size() > 1;
}

void add(LayerFit& layer, const Methods& methods) {
    std::map<std::string, DenseTime> fastest;
    for (const auto& [name, timed] : methods) {
        const MethodTimes points = shortest(timed, timed.work);
        if (timed.counted && points.work.size() >= min_points) {
            layer.lines.push_back(line_of(points));
            std::tie(layer.lines.back().method, layer.lines.back().arithmetic) = name;
        } else if (timed.counted ? points.work.size() == 1 && same_at_several_zeros(timed) : timed.vendors) {
            const DenseTime dense{name.first, name.second, median_of(shortest(timed, timed.zeros).us)};
            const auto [at, fresh] = fastest.try_emplace(precision_of(dense.arithmetic), dense);
            if (!fresh && dense.us < at->second.us) at->second = dense;
        }
    }
    for (auto& [precision, dense] : fastest) layer.fastest.push_back(std::move(dense));
    std::ranges::sort(layer.fastest, std::greater(), &DenseTime::us);
}

}  // namespace

std::string WorkLine::doubt() const {
    constexpr std::size_t enough_points = 4;
    constexpr double of_the_range = 0.02;
    if (rate <= 0) return "the time does not grow with the work";
    if (work_without_zeros <= 0) return "the work does not follow the zeros";
    if (points < enough_points) return "there are fewer than four points";
    if (off_us > of_the_range * (slowest_us - fastest_us)) return "a point lies farther off than 2 % of the range";
    return {};
}

std::optional<double> WorkLine::zeros_for(double us) const {
    if (rate <= 0 || work_without_zeros <= 0 || us <= t0_us + off_us) return std::nullopt;
    return std::max(0.0, 1 - (us - t0_us) * rate / work_without_zeros);
}

std::vector<LayerFit> fit_work(const std::vector<Record>& rows) {
    std::vector<LayerFit> layers;
    std::vector<Methods> methods;
    std::map<Conditions, std::size_t> place;
    for (const Record& row : rows) {
        if (!is_timed(row)) continue;
        const auto [at, fresh] = place.try_emplace(conditions_of(row), layers.size());
        if (fresh) {
            layers.emplace_back().conditions = row;
            methods.emplace_back();
        }
        MethodTimes& timed = methods[at->second][{row.method, row.arithmetic}];
        timed.counted = timed.counted && row.flops_executed;
        timed.vendors = is_vendors(row);
        timed.work.push_back(row.flops_executed.value_or(0) / 2);
        timed.zeros.push_back(row.sparsity_measured);
        timed.us.push_back(*row.time_median_us);
    }
    for (std::size_t i = 0; i < layers.size(); ++i) add(layers[i], methods[i]);
    std::erase_if(layers, [](const LayerFit& layer) { return layer.lines.empty(); });
    return layers;
}

std::string format_rate(double rate) {
    constexpr double per_giga = 1e-3, per_tera = 1e-6;  // a microsecond to 10^9 and 10^12 a second
    return rate * per_tera < 0.1 ? format_digits(rate * per_giga) + " GMAC/s"
                                 : format_digits(rate * per_tera) + " TMAC/s";
}

std::string crossing_text(const WorkLine& line, const DenseTime& dense) {
    const std::string name =
        fmt::format("{} ({}, {})", dense.method, precision_of(dense.arithmetic), format_time_us(dense.us));
    const std::optional<double> zeros = line.zeros_for(dense.us);
    if (!zeros && dense.us < line.t0_us - line.off_us)
        return fmt::format("never as fast as {}: t0 alone takes longer", name);
    if (!zeros) return fmt::format("with nothing left to multiply not to be told from {}", name);
    if (zeros == 0.0) return fmt::format("faster than {} at any share of zeros", name);
    return fmt::format(
        "faster than {} above {} zeros{}", name, format_percent(*zeros),
        *zeros > line.max_zeros ? fmt::format(" (measured up to {})", format_percent(line.max_zeros)) : "");
}

std::optional<double> shared_operand_rate(const Record& row) {
    constexpr double banks = 32;
    const DeviceModel* model = find_device_model(row.device_name);
    if (is_fully_connected(row.shape)) return std::nullopt;
    if (!model || model->sms <= 0 || model->clock_mhz <= 0) return std::nullopt;
    return model->sms * banks * model->clock_mhz;
}

}  // namespace convscope
