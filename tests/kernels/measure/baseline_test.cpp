// Which vendor's method a row's speed-up is against.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "kernels/measure/baseline.h"
#include "tests/kernels/measure/fake_runs.h"

namespace convscope {
namespace {

using testing::FakeLab;
using testing::run;
using testing::Script;
using testing::scripted;

TEST(Baseline, speedup_is_against_the_best_baseline_of_the_same_precision) {
    Script slow = scripted("cudnn-gemm", {30}), fast = scripted("cudnn-direct", {20}),
           tf32 = scripted("cudnn-tf32", {5});
    slow.vendor = fast.vendor = tf32.vendor = true;
    tf32.dtype = DType::tf32;
    FakeLab lab({scripted("ours"), slow, fast, tf32});
    const auto records = run(lab, {"ours", "cudnn-gemm", "cudnn-direct", "cudnn-tf32"});
    EXPECT_EQ(records[0].vendor_method, "cudnn-direct");
    EXPECT_DOUBLE_EQ(records[0].speedup_vs_vendor.value(), 2);
    EXPECT_DOUBLE_EQ(records[0].speedup_interval->first, 2);
    EXPECT_DOUBLE_EQ(records[0].speedup_interval->second, 2);
    EXPECT_EQ(records[3].vendor_method, "cudnn-tf32");
    EXPECT_DOUBLE_EQ(records[3].speedup_vs_vendor.value(), 1);
}

TEST(Baseline, the_vendors_own_best_comes_first) {
    Script best = scripted("cudnn", {21}), single = scripted("cudnn-direct", {20});
    best.vendor = best.vendor_best = single.vendor = true;
    FakeLab lab({scripted("ours"), single, best});
    EXPECT_EQ(run(lab, {"ours", "cudnn-direct", "cudnn"})[0].vendor_method, "cudnn");
}

TEST(Baseline, of_the_vendors_best_plain_and_fused_the_faster_is_the_baseline) {
    Script plain = scripted("cudnn", {21}), fused = scripted("cudnn-fused", {18}),
           single = scripted("cudnn-direct", {5});
    plain.vendor = fused.vendor = single.vendor = true;
    plain.vendor_best = fused.vendor_best = true;
    FakeLab lab({scripted("ours"), plain, fused, single});
    const auto records = run(lab, {"ours", "cudnn", "cudnn-fused", "cudnn-direct"});
    EXPECT_EQ(records[0].vendor_method, "cudnn-fused");
    EXPECT_EQ(records[1].vendor_method, "cudnn-fused");
}

TEST(Baseline, the_fastest_counts_wherever_it_stands_and_the_first_of_equals) {
    Script first = scripted("cudnn-direct", {20}), second = scripted("cudnn-gemm", {30}),
           equal = scripted("cudnn-fft", {20});
    first.vendor = second.vendor = equal.vendor = true;
    FakeLab lab({first, second, equal, scripted("ours")});
    for (const Record& record : run(lab, {"cudnn-direct", "cudnn-gemm", "cudnn-fft", "ours"}))
        EXPECT_EQ(record.vendor_method, "cudnn-direct");
}

TEST(Baseline, what_has_no_time_or_no_median_is_none) {
    Script zero = scripted("cudnn-direct", {0}), slow = scripted("cudnn-gemm", {30});
    zero.vendor = slow.vendor = true;
    slow.during_sample = [] { std::this_thread::sleep_for(std::chrono::milliseconds(8)); };
    FakeLab lab({zero, slow, scripted("ours")});
    MeasureOptions options = testing::quick();
    options.timeout_s = 0.005;
    const auto records = run(lab, {"cudnn-direct", "cudnn-gemm", "ours"}, options);
    ASSERT_EQ(records[1].status, Status::timeout);
    ASSERT_TRUE(records[1].time_median_us);
    EXPECT_EQ(records[2].vendor_method, "");
    EXPECT_EQ(records[0].vendor_method, "");
}

TEST(Baseline, a_wrong_baseline_is_no_baseline) {
    Script wrong = scripted("cudnn");
    wrong.vendor = wrong.wrong = true;
    FakeLab lab({scripted("ours"), wrong});
    const auto records = run(lab, {"ours", "cudnn"});
    EXPECT_TRUE(records[0].vendor_method.empty());
    EXPECT_FALSE(records[0].speedup_vs_vendor);
}

TEST(Baseline, methods_compared_by_default_are_ours_and_the_vendors_best) {
    Script best = scripted("cudnn"), single = scripted("cudnn-direct");
    best.vendor = best.vendor_best = single.vendor = true;
    const FakeLab lab({scripted("ours"), best, single});
    EXPECT_EQ(default_methods(*lab.registry, DeviceKind::cpu), (std::vector<std::string>{"ours", "cudnn"}));
}

}  // namespace
}  // namespace convscope
