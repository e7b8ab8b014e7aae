#include "app/ui/layout_view/balance_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/compare/method_colours.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/covering_windows.h"
#include "kernels/layers/workload.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_warp_names = 7;  ///< as many as there are colours

/// Counts of one layer's shape, used for all of its channels.
class Zeros {
public:
    explicit Zeros(const ConvShape& s) : s_(s) {
        for (std::int64_t h = 0; h < s.h; ++h) rows_.push_back(std::ssize(windows_over_row(s, h)));
        for (std::int64_t w = 0; w < s.w; ++w) cols_.push_back(std::ssize(windows_over_col(s, w)));
    }

    void add(const Tensor& x, std::int64_t image, std::int64_t channel) {
        for (std::int64_t h = 0; h < s_.h; ++h)
            for (std::int64_t w = 0; w < s_.w; ++w) {
                if (x.at(image, channel, h, w) == 0) continue;
                ++values_;
                copies_ += rows_[static_cast<std::size_t>(h)] * cols_[static_cast<std::size_t>(w)];
            }
        ++maps_;
    }
    ZeroShares shares(std::string name) const {
        const auto all = static_cast<double>(maps_ * s_.h * s_.w);
        const auto matrix = static_cast<double>(maps_ * s_.p() * s_.q() * s_.window());
        return {std::move(name), 1 - static_cast<double>(values_) / all, 1 - static_cast<double>(copies_) / matrix};
    }

private:
    ConvShape s_;
    std::vector<std::int64_t> rows_, cols_;  ///< how many windows cover each
    std::int64_t values_ = 0, copies_ = 0, maps_ = 0;
};

}  // namespace

Plot products_plot(const BlockBalance& balance, std::int64_t block) {
    Plot plot;
    plot.title = fmt::format("Products per thread of B{}", block + 1);
    plot.subtitle = plot.title;
    plot.x = {"thread", "", false, false, {}, {}, true};
    plot.y = {"products", "", false, true, {}, {}, true};
    const bool named = balance.warps.size() <= max_warp_names;
    PlotSeries limit;
    limit.name = "busiest";
    limit.neutral = true;
    limit.marks = PlotSeries::Marks::line;
    for (std::size_t w = 0; w < balance.warps.size(); ++w) {
        if (w == 0 || named) {
            PlotSeries bars;
            bars.name = named ? fmt::format("warp W{}", w + 1) : "threads";
            bars.color = static_cast<int>(w);
            bars.marks = PlotSeries::Marks::bars;
            plot.series.push_back(std::move(bars));
        }
        const auto first = static_cast<std::int64_t>(32 * w);
        for (std::int64_t t = first; t < first + balance.warps[w].threads; ++t) {
            plot.series.back().x.push_back(static_cast<double>(t + 1));
            plot.series.back().y.push_back(static_cast<double>(balance.products[static_cast<std::size_t>(t)]));
        }
        // At each thread, for whoever points there, and as far as the bars are wide.
        const auto wait_for = [&](double thread, double products) {
            limit.x.push_back(thread);
            limit.y.push_back(products);
        };
        const auto busiest = static_cast<double>(balance.warps[w].busiest);
        const auto last = static_cast<double>(first + balance.warps[w].threads);
        wait_for(static_cast<double>(first) + 0.6, busiest);
        for (auto thread = static_cast<double>(first + 1); thread <= last; ++thread) wait_for(thread, busiest);
        wait_for(last + 0.4, busiest);
        wait_for(last + 0.4, std::nan(""));
    }
    plot.series.push_back(std::move(limit));
    return plot;
}

Plot idle_plot(Format format, const MapValues& map_values, const ThreadMap& map) {
    Plot plot;
    plot.title = "Idle lanes by block row";
    plot.subtitle = "Idle lanes by block row: they wait for their warp's busiest thread, or have no thread";
    plot.x = {"block row", "", false, false, {}, {}, true};
    plot.y = {"idle lanes", "%", false, true, {}, AxisRange{0, 100}};
    PlotSeries waiting, empty;
    waiting.name = "waiting";
    waiting.part = true;
    empty.name = "no thread";
    empty.neutral = true;
    waiting.marks = empty.marks = PlotSeries::Marks::bars;
    for (std::int64_t block = 0; block < block_rows(format, map_values.shape()); ++block) {
        const BlockBalance balance = balance_of(format, map_values, block, map);
        const auto steps = static_cast<double>(balance.lane_steps());
        if (steps == 0) continue;
        const auto row = static_cast<double>(block + 1);
        const double share = 100 * static_cast<double>(balance.waiting()) / steps;
        waiting.x.push_back(row);
        waiting.y.push_back(share);
        waiting.base.push_back(0);
        empty.x.push_back(row);
        empty.y.push_back(share + 100 * static_cast<double>(balance.empty()) / steps);
        empty.base.push_back(share);
    }
    plot.empty_hint = "Every value of the map is zero: no thread has anything to multiply.";
    plot.series = {std::move(waiting), std::move(empty)};
    return plot;
}

Lead lead_of_balance(const BlockBalance& balance, std::int64_t block) {
    const std::string name = fmt::format("B{}: ", block + 1);
    const auto steps = static_cast<double>(balance.lane_steps());
    if (steps == 0) return {name, "no", " thread multiplies: every input of this block row is zero"};
    const double share = static_cast<double>(balance.waiting()) / steps;
    return {name + "lanes wait in ", format_percent(share), " of their steps, for the busiest thread of their warp",
            share};
}

std::string describe_products(const BlockBalance& balance) {
    const auto threads = static_cast<double>(balance.products.size()),
               steps = static_cast<double>(balance.lane_steps());
    if (steps == 0) return {};
    const std::int64_t products = std::accumulate(balance.products.begin(), balance.products.end(), std::int64_t{0});
    const std::int64_t busiest = std::ranges::max(balance.products);
    return fmt::format("Up to {} product{} a thread, {} on average; in {} of their steps lanes have no thread",
                       format_count(busiest), busiest == 1 ? "" : "s",
                       format_digits(static_cast<double>(products) / threads),
                       format_percent(static_cast<double>(balance.empty()) / steps));
}

std::vector<ZeroShares> zeros_by_channel(const Workload& workload, std::int64_t image, const std::stop_token& stop) {
    std::vector<ZeroShares> all;
    for (std::int64_t c = 0; c < workload.x.c && !stop.stop_requested(); ++c) {
        Zeros zeros(workload.spec.shape);
        zeros.add(workload.x, image, c);
        all.push_back(zeros.shares(std::to_string(c)));
    }
    return all;
}

std::vector<ZeroShares> zeros_by_layer(const Network& network, const std::stop_token& stop) {
    std::vector<ZeroShares> all;
    for (const Preset& layer : network.layers) {
        if (stop.stop_requested()) break;
        const Workload workload = make_workload(layer.spec);
        Zeros zeros(workload.spec.shape);
        for (std::int64_t n = 0; n < workload.x.n; ++n)
            for (std::int64_t c = 0; c < workload.x.c; ++c) zeros.add(workload.x, n, c);
        all.push_back(zeros.shares(layer_name(layer)));
    }
    return all;
}

std::string describe_zeros(const Network& network) {
    constexpr std::pair<SparsityFrom, const char*> sources[] = {{SparsityFrom::measured, "measured in real maps"},
                                                                {SparsityFrom::printed, "printed in a paper"},
                                                                {SparsityFrom::ramp, "on a ramp of ours"},
                                                                {SparsityFrom::chosen, "chosen by us"},
                                                                {SparsityFrom::image, "of an image"},
                                                                {SparsityFrom::dense, "taken as none"},
                                                                {SparsityFrom::unsaid, "of no known source"}};
    std::string counts;
    for (const auto& [from, words] : sources)
        if (const auto count = std::ranges::count(network.layers, from, &Preset::sparsity_from); count > 0)
            counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, words);
    return fmt::format("{}, zeros by layer: {}", network.head.title, counts);
}

Plot zeros_plot(const std::vector<ZeroShares>& shares, const std::string& x_name, const std::string& subtitle) {
    Plot plot;
    plot.title = "Zeros of the map and of its im2col matrix";
    plot.subtitle = subtitle;
    plot.x = {x_name, "", false, false, {}, {}, true};
    plot.y = {"zeros", "%", false, true, {}, AxisRange{0, 100}};
    PlotSeries map, matrix;
    map.name = "feature map";
    map.part = true;
    matrix.name = "im2col matrix";
    matrix.color = colour_of("im2col");
    const bool names = x_name != "channel";
    // Between two channels, or two layers, there is nothing that a line could stand for.
    map.marks = matrix.marks = PlotSeries::Marks::dots;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (names) plot.x.names.push_back(shares[i].name);
        for (PlotSeries* series : {&map, &matrix}) series->x.push_back(static_cast<double>(i));
        map.y.push_back(100 * shares[i].map);
        matrix.y.push_back(100 * shares[i].im2col);
    }
    plot.empty_hint = "Counting zeros...";
    plot.series = {std::move(map), std::move(matrix)};
    return plot;
}

}  // namespace convscope::app
