// Compare's roofline.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/compare/recorded_ceilings.h"
#include "tests/app/compare/compare_rows.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

TEST(RooflinePage, skipped_work_raises_no_rate_on_the_roofline) {
    const std::vector<Record> records{row("ecr3", 100), row("cudnn", 100)};
    const Plot done = page(records, ComparePage("roofline"))->plots[0];
    EXPECT_NEAR(series(done, "ecr3").y[0], 0.15 * series(done, "cudnn").y[0], 1);
    EXPECT_NEAR(series(done, "ecr3").x[0], 0.15 * series(done, "cudnn").x[0], 1e-6);
    EXPECT_TRUE(std::ranges::any_of(done.series, &PlotSeries::neutral)) << "a roof is drawn";
    double last = 0;
    for (const PlotSeries& each : done.series)
        if (each.neutral) last = std::max(last, each.x.back());
    EXPECT_EQ(done.x.limits.value().high, last) << "roofs reach the edge";
    CompareChoice dense;
    dense.dense = true;
    const Plot all = page(records, ComparePage("roofline"), dense)->plots[0];
    EXPECT_DOUBLE_EQ(series(all, "ecr3").y[0], series(all, "cudnn").y[0]);
}

TEST(RooflinePage, every_arithmetic_has_a_roof_and_a_method_is_held_to_its_own) {
    const auto result = page({row("tensor1", 15), row("cudnn", 100)}, ComparePage("roofline"));
    std::vector<std::string> roofs;
    for (const PlotSeries& each : result->plots[0].series)
        if (each.neutral) roofs.push_back(each.name);
    ASSERT_EQ(roofs.size(), 3U);
    EXPECT_TRUE(roofs[0].starts_with("memory, ")) << "one slope for all: " << roofs[0];
    EXPECT_TRUE(roofs[1].starts_with("FP32 cores")) << roofs[1];
    EXPECT_EQ(roofs[2], "FP32 by 3 FP16 products, datasheet");
    // 0.925 GFLOP in 15 us are 61.7 TFLOP/s: 92 % of the FP32 cores' 66.9, but these do not compute it.
    const Lead &most = result->findings.at(0), &all = result->findings.at(1);
    EXPECT_NE(all.text().find("tensor1 19 % (FP32 by 3 FP16 products)"), std::string::npos) << all.text();
    EXPECT_EQ(most.text(),
              "tensor1 reaches 19 % of the datasheet's peak of its own arithmetic (FP32 by 3 FP16 products).");
    EXPECT_EQ(most.number, "19 %");
}

TEST(RooflinePage, what_a_row_executed_is_not_guessed) {
    Record unknown = row("cudnn-winograd", 100);
    unknown.flops_executed.reset();
    const auto result = page({row("ecr3", 100), unknown}, ComparePage("roofline"));
    EXPECT_THROW(series(result->plots[0], "cudnn-winograd"), std::runtime_error);
    EXPECT_TRUE(std::ranges::any_of(result->findings, [](const Lead& finding) {
        return finding.before.starts_with("Not drawn, since they do not say what they executed: 1 rows.");
    }));
}

TEST(RooflinePage, measured_ceilings_are_found_by_the_devices_name) {
    const TempFolder folder;
    const auto file = folder.write("ceilings.csv",
                                   "device,device_name,timestamp_utc,copy_gb_per_s,fp32_tflops\r\n"
                                   "cuda:0,NVIDIA H100 80GB HBM3,2026-11-21T05:00:00Z,2900.5,60.25\r\n");
    const auto found = recorded_ceilings(file, "NVIDIA H100 80GB HBM3");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->copy_gb_per_s, 2900.5);
    EXPECT_EQ(found->fp32_tflops, 60.25);
    EXPECT_FALSE(recorded_ceilings(file, "Tesla T4"));
    EXPECT_FALSE(recorded_ceilings(folder / "none.csv", "Tesla T4"));
}

}  // namespace
}  // namespace convscope::app
