#include "tests/app/pictures/frozen_figures.h"

#include <cmath>
#include <cstdint>

#include "app/session/method_choice.h"

namespace convscope::app {
namespace {

/// 0..1, the same sequence everywhere (L'Ecuyer's multiplier for 2^64).
class Dice {
public:
    double next() {
        state_ = state_ * 2862933555777941757ULL + 3037000493ULL;
        return static_cast<double>(state_ >> 11) / 9007199254740992.0;
    }

private:
    std::uint64_t state_ = 20190427;
};

struct Summary {
    const Method& method;
    double median_us, vendor_us;
};

Record row_of(const Session& session, const Summary& summary) {
    const MethodInfo& info = summary.method.info();
    Record row;
    row.method = info.id;
    row.family = info.family;
    row.dtype = to_string(info.dtype);
    row.device = session.choices.device;
    row.shape = session.good.shape;
    row.timing_scope = to_string(session.choices.scope);
    row.cache_mode = to_string(session.choices.cache);
    row.samples = 240;
    row.time_median_us = row.time_mean_us = summary.median_us;
    row.time_min_us = row.time_q1_us = summary.median_us * 0.98;
    row.time_q3_us = summary.median_us * 1.03;
    row.noise_pct = 0.8;
    row.max_rel_err = 1.2e-7;
    row.tolerance = 1e-5;
    row.verified_against = "reference";
    row.vendor_method = "onednn";
    row.speedup_vs_vendor = summary.vendor_us / summary.median_us;
    return row;
}

/// Medians spread over a factor of three; the vendor's is in between.
double median_us(std::size_t place) {
    return 18.0 + 7.5 * static_cast<double>(place * 3 % 5);
}

constexpr double vendor_us = 31;

double median_of(const Method& method, std::size_t place) {
    return method.info().vendor ? vendor_us : median_us(place);
}

}  // namespace

LiveSnapshot frozen_live(const Session& session, const Registry& registry) {
    LiveSnapshot figures;
    Dice dice;
    std::size_t place = 0;
    for (const std::string& id : live_methods(session, registry)) {
        const Method& method = registry.get(id, device_kind(session, registry));
        const double median = median_of(method, place++);
        LiveSeries series;
        series.method = series.progress.method = id;
        series.progress.phase = "sampling";
        for (int i = 1; i <= 240; ++i) {
            const bool disturbed = dice.next() > 0.97;
            const double time_us = median * (0.96 + 0.08 * dice.next() + (disturbed ? 0.5 * dice.next() : 0));
            series.progress.samples = i;
            series.progress.last_us = time_us;
            note_sample(series, Progress(series.progress), figures.requested_noise_pct);
        }
        note_record(series, row_of(session, {method, median, vendor_us}), figures.requested_noise_pct);
        figures.series.push_back(std::move(series));
    }
    set_ratios(figures.series);
    for (const LiveSeries& series : figures.series)
        figures.records.replace_after(figures.records.size(), {*series.latest});
    figures.generation = 1;
    return figures;
}

LiveSnapshot frozen_network(const Session& session, const Registry& registry) {
    const NetworkJob job = make_network_job(session, registry);
    std::vector<LayerRows> layers;
    for (const Preset& layer : job.plan.network.layers) {
        LayerRows rows;
        rows.times = layer.times;
        std::size_t place = 0;
        // Larger layers take longer; zeros help those that skip them.
        const double size = std::sqrt(static_cast<double>(layer.spec.shape.c * layer.spec.shape.k)) * 4;
        for (const std::string& id : job.plan.methods) {
            const Method& method = registry.get(id, device_kind(session, registry));
            const double skipped = place == 0 ? 1 - 0.8 * layer.spec.sparsity : 1;
            Record row = row_of(session, {method, size * skipped * median_of(method, place++), size * vendor_us});
            row.shape = layer.spec.shape;
            row.workload = layer.spec.name;
            row.sparsity_target = row.sparsity_measured = layer.spec.sparsity;
            rows.rows.push_back(std::move(row));
        }
        layers.push_back(std::move(rows));
    }
    LiveSnapshot figures;
    figures.generation = 1;
    figures.network.emplace();
    figures.network->plan = std::make_shared<const NetworkPlan>(job.plan);
    figures.network->device = job.device;
    figures.network->layers = std::make_shared<const std::vector<LayerRows>>(std::move(layers));
    figures.network->fraction = 1;
    return figures;
}

}  // namespace convscope::app
