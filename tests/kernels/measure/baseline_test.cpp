// Which vendor's method a row's speed-up is against.
#include <gtest/gtest.h>

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
    best.vendor = single.vendor = true;
    FakeLab lab({scripted("ours"), single, best});
    EXPECT_EQ(run(lab, {"ours", "cudnn-direct", "cudnn"})[0].vendor_method, "cudnn");
}

TEST(Baseline, of_the_vendors_best_plain_and_fused_the_faster_is_the_baseline) {
    Script plain = scripted("cudnn", {21}), fused = scripted("cudnn-fused", {18}),
           single = scripted("cudnn-direct", {5});
    plain.vendor = fused.vendor = single.vendor = true;
    FakeLab lab({scripted("ours"), plain, fused, single});
    const auto records = run(lab, {"ours", "cudnn", "cudnn-fused", "cudnn-direct"});
    EXPECT_EQ(records[0].vendor_method, "cudnn-fused");
    EXPECT_EQ(records[1].vendor_method, "cudnn-fused");
}

TEST(Baseline, a_wrong_baseline_is_no_baseline) {
    Script wrong = scripted("cudnn");
    wrong.vendor = wrong.wrong = true;
    FakeLab lab({scripted("ours"), wrong});
    const auto records = run(lab, {"ours", "cudnn"});
    EXPECT_TRUE(records[0].vendor_method.empty());
    EXPECT_FALSE(records[0].speedup_vs_vendor);
}

}  // namespace
}  // namespace convscope
