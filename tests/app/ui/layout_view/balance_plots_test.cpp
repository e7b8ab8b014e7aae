// Imbalance and zeros, against counts of the plainest kind.
#include "app/ui/layout_view/balance_plots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/layers/workload.h"
#include "tests/app/driver.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_shapes.h"

namespace convscope::app {
namespace {

MapValues map_values_of(const Workload& workload) {
    return {workload.spec.shape, workload.x.data.data(), workload.w.data.data()};
}

TEST(Balance, is_that_of_figure_4) {
    const BlockBalance b1 = balance_of(Format::ecr, map_values_of(testing::example_workload("ecr_figure_4")), 0);
    EXPECT_EQ(b1.products, (std::vector<std::int64_t>{3, 4, 3}));  // Ptr of B1
    ASSERT_EQ(b1.warps.size(), 1U);
    EXPECT_EQ(b1.lane_steps(), 128);
    EXPECT_EQ(b1.waiting(), 2);
    EXPECT_EQ(b1.empty(), 116);
    EXPECT_EQ(lead_of_balance(b1, 0).text(),
              "B1: lanes wait in 2 % of their steps, for the busiest thread of their warp");
    EXPECT_EQ(lead_of_balance(b1, 0).share, 2.0 / 128);
    EXPECT_EQ(describe_products(b1),
              "Up to 4 products a thread, 3.33 on average; in 91 % of their steps lanes have no thread");
    const BlockBalance pooled =
        balance_of(Format::pecr, map_values_of(testing::example_workload("pecr_figures_7_8")), 0);
    EXPECT_EQ(pooled.products, (std::vector<std::int64_t>{13, 12}));  // Data of T1 and T2
}

/// Lane by lane and step by step, as a warp would go through its threads' products.
TEST(Balance, counts_lanes_as_a_warp_steps_on_random_shapes) {
    testing::Random random(7);
    std::size_t number = 0;
    for (ConvShape shape : testing::random_shapes(120)) {
        shape.n = shape.c = shape.k = 1;
        const Workload workload = testing::random_workload(shape, testing::sparsity_of(number), number);
        ++number;
        const MapValues map_values = map_values_of(workload);
        for (const Format format : {Format::ecr, Format::pecr}) {
            if (format == Format::pecr && !shape.pooled()) continue;
            const ThreadMap map{random.between(0, 70)};
            const std::int64_t block = random.between(0, block_rows(format, shape) - 1);
            const BlockBalance balance = balance_of(format, map_values, block, map);
            std::int64_t working = 0;
            for (std::size_t first = 0; first < balance.products.size(); first += 32)
                for (std::int64_t step = 0;; ++step) {
                    std::int64_t active = 0;
                    for (std::size_t t = first; t < std::min(first + 32, balance.products.size()); ++t)
                        active += balance.products[t] > step;
                    working += active;
                    if (active == 0) break;
                }
            EXPECT_EQ(balance.lane_steps(), working + balance.waiting() + balance.empty()) << to_string(shape);
            std::int64_t needed = 0;
            for (std::int64_t place = 0; place < (format == Format::ecr ? shape.q() : 0); ++place)
                needed += map_values.needed(block, place);
            if (format == Format::ecr) {
                EXPECT_EQ(working, needed) << to_string(shape);
            }
        }
    }
}

TEST(Balance, plots_bars_in_the_colours_of_warps) {
    BlockBalance balance;
    balance.products.assign(40, 2);
    balance.warps = {{32, 2, 64}, {8, 2, 16}};
    const Plot plot = products_plot(balance, 0);
    ASSERT_EQ(plot.series.size(), 3U);
    EXPECT_EQ(plot.series[0].name, "warp W1");
    EXPECT_EQ(plot.series[1].x.size(), 8U);
    EXPECT_NE(plot.series[0].color, plot.series[1].color);
    EXPECT_TRUE(plot.series[2].neutral);
}

TEST(Balance, is_read_thread_by_thread_between_the_bars_too) {
    Driver app;
    app.session().tab = "balance";
    app.frames(3);
    const ItemRect bars = app.item("balance/products");
    std::set<std::string> threads;
    for (float x = bars.min.x + 4; x < bars.max.x; x += 12) {
        app.point_at(ImVec2{x, (bars.min.y + bars.max.y) / 2});
        app.frames(2);
        const std::vector<std::string> said = app.tooltip();
        ASSERT_GE(said.size(), 3U);
        threads.insert(said[0]);
        const auto products =
            std::ranges::find_if(said, [](const std::string& one) { return one.starts_with("warp W1  "); });
        EXPECT_NE(products, said.end()) << "the bar";
        EXPECT_TRUE(std::ranges::find(said, "busiest  4") != said.end()) << "what its warp waits for";
    }
    EXPECT_EQ(threads, (std::set<std::string>{"thread  1", "thread  2", "thread  3"}));
}

/// The im2col matrix is written out and its zeros counted.
TEST(Zeros, of_the_matrix_are_those_of_the_matrix) {
    std::size_t number = 0;
    for (const ConvShape& s : testing::random_shapes(60)) {
        const Workload workload = testing::random_workload(s, testing::sparsity_of(number), number);
        ++number;
        const std::vector<ZeroShares> shares = zeros_by_channel(workload, s.n - 1);
        ASSERT_EQ(shares.size(), static_cast<std::size_t>(s.c));
        for (std::int64_t c = 0; c < s.c; ++c) {
            std::int64_t zeros = 0, map = 0;
            for (std::int64_t h = 0; h < s.h; ++h)
                for (std::int64_t w = 0; w < s.w; ++w) map += workload.x.at(s.n - 1, c, h, w) == 0;
            for (std::int64_t row = 0; row < s.p() * s.q(); ++row)
                for (std::int64_t col = 0; col < s.window(); ++col) {
                    const std::int64_t h = row / s.q() * s.stride_h + col / s.s - s.pad_h;
                    const std::int64_t w = row % s.q() * s.stride_w + col % s.s - s.pad_w;
                    zeros += h < 0 || w < 0 || h >= s.h || w >= s.w || workload.x.at(s.n - 1, c, h, w) == 0;
                }
            const ZeroShares& share = shares[static_cast<std::size_t>(c)];
            EXPECT_NEAR(share.im2col, static_cast<double>(zeros) / static_cast<double>(s.p() * s.q() * s.window()),
                        1e-12);
            EXPECT_NEAR(share.map, static_cast<double>(map) / static_cast<double>(s.h * s.w), 1e-12);
        }
    }
}

TEST(Zeros, say_what_they_rest_on) {
    EXPECT_EQ(describe_zeros(find_network("alexnet")),
              "AlexNet, zeros by layer: 2 printed in a paper, 2 on a ramp of ours, 1 of an image");
    EXPECT_EQ(describe_zeros(find_network("shapes")),
              "Shapes, a trained network, zeros by layer: 9 measured in real maps");
}

TEST(Zeros, of_a_network_are_those_its_presets_ask_for) {
    const Network network = take_layers(find_network("alexnet"), {"conv3", "conv4"});
    const std::vector<ZeroShares> shares = zeros_by_layer(network);
    ASSERT_EQ(shares.size(), 2U);
    EXPECT_NEAR(shares[0].map, network.layers[0].spec.sparsity, 1e-3);
    const Plot plot = zeros_plot(shares, "layer", "");
    EXPECT_EQ(plot.x.names, (std::vector<std::string>{shares[0].name, shares[1].name}));
    EXPECT_NEAR(plot.series[1].y[1], 100 * shares[1].im2col, 1e-12);
    for (const PlotSeries& series : plot.series) EXPECT_EQ(series.marks, PlotSeries::Marks::dots);
    EXPECT_TRUE(plot.x.whole);
}

}  // namespace
}  // namespace convscope::app
