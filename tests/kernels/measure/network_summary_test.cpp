#include "kernels/measure/network_summary.h"

#include <gtest/gtest.h>

#include <utility>

#include "kernels/measure/sample_counts.h"

namespace convscope {
namespace {

Record row(const char* method, double time_us, const char* vendor = "", double speedup = 0) {
    Record record;
    record.method = method;
    record.time_median_us = time_us;
    record.noise_pct = 1;
    record.vendor_method = vendor;
    if (*vendor) record.speedup_vs_vendor = speedup;
    return record;
}

Record rejected(const char* method) {
    Record record;
    record.method = method;
    record.status = Status::not_supported;
    return record;
}

TEST(NetworkSummary, compares_only_the_layers_that_both_ran) {
    const std::vector<LayerRows> layers{
        {1, {row("ocpa", 10, "cudnn", 2), row("mec2", 40, "cudnn", 0.5), row("cudnn", 20, "cudnn", 1)}},
        {3, {row("ocpa", 20, "cudnn", 0.5), rejected("mec2"), row("cudnn", 10, "cudnn", 1)}},
        {1, {row("ocpa", 100), row("mec2", 7), rejected("cudnn")}}};
    const std::vector<MethodTotal> totals = network_totals(layers);
    ASSERT_EQ(totals.size(), 3U);

    const MethodTotal& ocpa = totals[0];
    EXPECT_EQ(ocpa.method, "ocpa");
    EXPECT_EQ(ocpa.layers, 3U);
    EXPECT_DOUBLE_EQ(ocpa.time_us, 10 + 3 * 20 + 100);
    EXPECT_EQ(ocpa.compared, 2U);
    EXPECT_DOUBLE_EQ(ocpa.compared_us, 10 + 3 * 20);
    EXPECT_DOUBLE_EQ(ocpa.vendor_us, 20 + 3 * 10);
    EXPECT_DOUBLE_EQ(ocpa.speedup(), 50.0 / 70.0);
    EXPECT_EQ(describe(ocpa, 3), "ocpa 0.71x over cudnn on 2 of 3 layers (0.50x to 2.00x)");

    const MethodTotal& mec = totals[1];
    EXPECT_EQ(mec.layers, 2U);
    EXPECT_DOUBLE_EQ(mec.time_us, 47);
    EXPECT_EQ(mec.compared, 1U);
    EXPECT_DOUBLE_EQ(mec.speedup(), 0.5);

    const MethodTotal& cudnn = totals[2];
    EXPECT_EQ(cudnn.layers, 2U);
    EXPECT_DOUBLE_EQ(cudnn.time_us, 50);
    EXPECT_EQ(cudnn.compared, 0U) << "a baseline is not compared with itself";
    EXPECT_EQ(describe(cudnn, 3), "cudnn: no layer to compare with a vendor's method");
}

TEST(NetworkSummary, names_the_precision_of_a_ratio) {
    Record ours = row("a", 10, "cudnn", 2), vendor = row("cudnn", 20, "cudnn", 1);
    ours.dtype = vendor.dtype = "fp32";
    EXPECT_EQ(describe(network_totals({{1, {ours, vendor}}}).at(0), 1), "a 2.00x over cudnn FP32 on 1 of 1 layers");
}

TEST(NetworkSummary, a_wrong_result_has_no_time) {
    Record wrong = row("ecr3", 10, "cudnn", 2);
    wrong.status = Status::incorrect;
    const std::vector<MethodTotal> totals = network_totals({{1, {wrong}}});
    EXPECT_EQ(totals.at(0).layers, 0U);
    EXPECT_EQ(totals.at(0).compared, 0U);
}

TEST(NetworkSummary, says_why_there_is_no_ratio) {
    std::vector<Record> layer{row("a", 10, "cudnn", 2), row("cudnn", 20, "cudnn", 1)};
    layer[1].family = "vendor";
    EXPECT_EQ(why_no_speedup(layer[0], layer), "");
    EXPECT_EQ(why_no_speedup(layer[1], layer), "") << "the baseline";
    EXPECT_EQ(why_no_speedup(layer[0], {layer[0]}), "") << "none was measured";
    layer[1].noise_pct.reset();
    EXPECT_EQ(why_no_speedup(layer[0], layer), "cudnn has too few samples");
    layer[0].noise_pct.reset();
    EXPECT_EQ(why_no_speedup(layer[0], layer), "too few samples");
    layer[0].vendor_method.clear();
    set_too_busy(layer[1], {0, 5});
    EXPECT_EQ(why_no_speedup(layer[0], layer), "cudnn too busy");
    layer[1].status = Status::not_supported;
    EXPECT_EQ(why_no_speedup(layer[0], layer), "cudnn not supported");
}

TEST(NetworkSummary, a_time_without_an_interval_is_no_side_of_a_ratio) {
    std::vector<Record> layer{row("a", 10, "cudnn", 2), row("cudnn", 20, "cudnn", 1)};
    EXPECT_EQ(speedup_of(layer[0], layer), 2);
    EXPECT_EQ(speedup_of(layer[1], layer), std::nullopt) << "a baseline is not compared with itself";
    for (Record& unsure : layer) {
        const auto noise = std::exchange(unsure.noise_pct, std::nullopt);
        EXPECT_EQ(speedup_of(layer[0], layer), std::nullopt) << unsure.method;
        const MethodTotal total = network_totals({{1, layer}}).at(0);
        EXPECT_EQ(total.compared, 0U);
        EXPECT_DOUBLE_EQ(total.time_us, 10);
        unsure.noise_pct = noise;
    }
    EXPECT_EQ(speedup_of(layer[0], {layer[0]}), std::nullopt) << "the baseline's row is not there";
}

TEST(NetworkSummary, names_no_single_baseline_where_there_are_several) {
    const std::vector<MethodTotal> totals =
        network_totals({{1, {row("a", 10, "onednn-gemm", 2), row("onednn-gemm", 20)}},
                        {1, {row("a", 10, "onednn-direct", 3), row("onednn-direct", 30)}}});
    EXPECT_EQ(describe(totals.at(0), 2), "a 2.50x over the vendor's fastest on 2 of 2 layers (2.00x to 3.00x)");
    EXPECT_TRUE(network_totals({}).empty());
}

}  // namespace
}  // namespace convscope
