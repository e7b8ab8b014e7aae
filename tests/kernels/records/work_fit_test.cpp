// Lines of time over work, on times that are known.
#include "kernels/records/work_fit.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

constexpr double all_work = 4e8;  ///< multiply-adds at 0 % zeros

Record row(const std::string& method, double zeros, double us, std::optional<double> multiply_adds) {
    Record record;
    record.method = method;
    record.arithmetic = "fp32";
    record.device_name = "NVIDIA H200";
    record.shape = {.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3};
    record.source = "uniform";
    record.timing_scope = "kernel";
    record.cache_mode = "hot";
    record.sparsity_measured = zeros;
    record.time_median_us = us;
    if (multiply_adds) record.flops_executed = 2 * *multiply_adds;
    return record;
}

/// t = 10 us + multiply-adds / (6 TMAC/s), a dense one of 40 us, and a vendor's of 15 us in TF32.
std::vector<Record> measured() {
    std::vector<Record> rows;
    for (const double zeros : {0.0, 0.3, 0.6, 0.9}) {
        const double work = (1 - zeros) * all_work;
        rows.push_back(row("sparse", zeros, 10 + work / 6e6, work));
        rows.push_back(row("dense", zeros, 40, all_work));
        rows.push_back(row("vendor", zeros, 15, std::nullopt));
        rows.back().arithmetic = "tf32";
        rows.back().family = "vendor";
    }
    return rows;
}

TEST(WorkFit, finds_t0_and_the_rate) {
    const std::vector<LayerFit> layers = fit_work(measured());
    ASSERT_EQ(layers.size(), 1U);
    ASSERT_EQ(layers[0].lines.size(), 1U) << "what executes the same at all shares of zeros is no line";
    const WorkLine& line = layers[0].lines[0];
    EXPECT_EQ(line.method, "sparse");
    EXPECT_EQ(line.points, 4U);
    EXPECT_NEAR(line.t0_us, 10, 1e-9);
    EXPECT_NEAR(line.rate, 6e6, 1e-3);
    EXPECT_NEAR(line.off_us, 0, 1e-9);
    EXPECT_NEAR(line.work_without_zeros, all_work, 1);
}

TEST(WorkFit, is_of_one_share_and_pattern_of_zeros_in_w) {
    std::vector<Record> rows = measured(), pruned = rows;
    for (Record& each : pruned) {
        each.weight_sparsity_target = 0.5;
        each.weight_pattern = "2:4";
        if (each.method == "sparse") *each.flops_executed /= 2;
    }
    rows.insert(rows.end(), pruned.begin(), pruned.end());
    const std::vector<LayerFit> layers = fit_work(rows);
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[1].conditions.weight_pattern, "2:4");
    EXPECT_NEAR(layers[0].lines.at(0).rate, 6e6, 1e-3);
    EXPECT_NEAR(layers[1].lines.at(0).rate, 3e6, 1e-3);
}

TEST(WorkFit, says_from_which_share_of_zeros_on_a_method_is_faster) {
    const LayerFit layer = fit_work(measured()).at(0);
    ASSERT_EQ(layer.fastest.size(), 2U);
    EXPECT_EQ(layer.fastest[0].method, "dense");
    EXPECT_EQ(layer.fastest[1].method, "vendor");
    const WorkLine& line = layer.lines[0];
    // 40 us = 10 us + (1 - z) * 4e8 / 6e6
    EXPECT_NEAR(line.zeros_for(40).value(), 0.55, 1e-9);
    EXPECT_NEAR(line.zeros_for(15).value(), 0.925, 1e-9);
    EXPECT_EQ(line.zeros_for(1000).value(), 0) << "at any share";
    EXPECT_FALSE(line.zeros_for(9.9)) << "t0 alone takes longer";
}

TEST(WorkFit, says_when_a_crossing_is_extrapolated_or_within_the_lines_error) {
    WorkLine line = fit_work(measured()).at(0).lines.at(0);
    EXPECT_EQ(line.max_zeros, 0.9);
    EXPECT_EQ(crossing_text(line, {"dense", "fp32", 40}), "faster than dense (FP32, 40.0 us) above 55 % zeros");
    EXPECT_EQ(crossing_text(line, {"vendor", "tf32", 15}),
              "faster than vendor (TF32, 15.0 us) above 93 % zeros (measured up to 90 %)");
    EXPECT_EQ(crossing_text(line, {"vendor", "fp16", 9}),
              "never as fast as vendor (FP16, 9.00 us): t0 alone takes longer");
    line.off_us = 0.5;
    EXPECT_FALSE(line.zeros_for(10.4));
    EXPECT_EQ(crossing_text(line, {"vendor", "fp16", 10.4}),
              "with nothing left to multiply not to be told from vendor (FP16, 10.4 us)");
    EXPECT_EQ(crossing_text(line, {"vendor", "fp16", 9.6}),
              "with nothing left to multiply not to be told from vendor (FP16, 9.60 us)");
}

TEST(WorkFit, writes_rates_in_the_unit_that_reads_best) {
    EXPECT_EQ(format_rate(6.51e6), "6.51 TMAC/s");
    EXPECT_EQ(format_rate(2530), "2.53 GMAC/s");
}

TEST(WorkFit, takes_no_method_for_a_dense_one_that_may_skip_zeros) {
    std::vector<Record> rows = measured();
    rows.push_back(row("sparse at one share", 0.9, 1, 0.1 * all_work));
    for (const double zeros : {0.3, 0.6}) rows.push_back(row("sparse without counts", zeros, 2, std::nullopt));
    const LayerFit layer = fit_work(rows).at(0);
    ASSERT_EQ(layer.fastest.size(), 2U);
    EXPECT_EQ(layer.fastest[0].method, "dense");
    EXPECT_EQ(layer.fastest[1].method, "vendor");
}

TEST(WorkFit, has_no_line_whose_work_grows_with_zeros) {
    std::vector<Record> rows;
    for (const double zeros : {0.2, 0.4, 0.6, 0.8})
        rows.push_back(row("odd", zeros, 10 + (zeros - 0.1) * 40, (zeros - 0.1) * all_work));
    const WorkLine line = fit_work(rows).at(0).lines.at(0);
    EXPECT_FALSE(line.holds());
    EXPECT_FALSE(line.zeros_for(50));
}

TEST(WorkFit, tells_how_far_a_time_is_off) {
    std::vector<Record> rows = measured();
    for (Record& each : rows)
        if (each.method == "sparse" && each.sparsity_measured == 0.6) *each.time_median_us += 7;
    const WorkLine line = fit_work(rows).at(0).lines.at(0);
    EXPECT_GT(line.off_us, 3);
    EXPECT_LT(line.off_us, 7);
    EXPECT_FALSE(line.holds());
    EXPECT_TRUE(fit_work(measured()).at(0).lines.at(0).holds());
}

TEST(WorkFit, takes_the_shortest_of_several_times_and_no_untimed_row) {
    std::vector<Record> rows = measured();
    rows.push_back(row("sparse", 0, 500, all_work));
    rows.push_back(row("sparse", 0.95, 0.1, 0.05 * all_work));
    rows.back().status = Status::incorrect;
    const WorkLine line = fit_work(rows).at(0).lines.at(0);
    EXPECT_EQ(line.points, 4U);
    EXPECT_NEAR(line.t0_us, 10, 1e-9);
}

TEST(WorkFit, keeps_conditions_apart_and_needs_three_points) {
    std::vector<Record> rows = measured();
    for (Record cold : measured()) {
        cold.cache_mode = "cold";
        if (cold.sparsity_measured < 0.5) rows.push_back(cold);
    }
    const std::vector<LayerFit> layers = fit_work(rows);
    ASSERT_EQ(layers.size(), 1U) << "two shares of zeros make no line";
    EXPECT_EQ(layers[0].conditions.cache_mode, "hot");
}

TEST(WorkFit, has_no_rate_where_time_does_not_grow_with_work) {
    std::vector<Record> rows;
    for (const double zeros : {0.0, 0.5, 0.9}) rows.push_back(row("odd", zeros, 10 + zeros, (1 - zeros) * all_work));
    const WorkLine line = fit_work(rows).at(0).lines.at(0);
    EXPECT_EQ(line.rate, 0);
    EXPECT_FALSE(line.zeros_for(100));
}

TEST(WorkFit, knows_the_ceiling_of_an_h200) {
    const Record any = row("sparse", 0, 1, 1);
    EXPECT_NEAR(shared_operand_rate(any).value(), 132 * 32 * 1980.0, 1e5) << "8.36 TMAC/s";
    Record other = any;
    other.device_name = "a CPU, 2 threads";
    EXPECT_FALSE(shared_operand_rate(other));
    Record connected = any;
    connected.shape = {};
    connected.shape.c = 4096;
    connected.shape.k = 1000;
    connected.shape.h = connected.shape.w = connected.shape.r = connected.shape.s = 1;
    EXPECT_FALSE(shared_operand_rate(connected)) << "its weights come from global memory";
}

}  // namespace
}  // namespace convscope
