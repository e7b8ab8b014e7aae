#include "kernels/records/zeros_pay.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

Record timed_row(const std::string& method, const std::string& arithmetic, double zeros, double us,
                 std::optional<double> executed) {
    Record record;
    record.method = method;
    record.family = executed ? "ecr" : "vendor";
    record.arithmetic = arithmetic;
    record.sparsity_target = zeros;
    record.time_median_us = us;
    record.noise_pct = 0.5;
    record.flops_executed = executed;
    record.status = Status::passed;
    return record;
}

/// ecr skips zeros: 10 us and 90 for what is left. union executes less at 95 % only. Dense ones take what they take.
std::vector<Record> sparse_beside_dense() {
    std::vector<Record> rows;
    for (const double zeros : {0.0, 0.5, 0.8, 0.95, 1.0}) {
        rows.push_back(timed_row("ecr", "fp32", zeros, 10 + 90 * (1 - zeros), 1e9 * (1 - zeros)));
        rows.push_back(timed_row("union", "fp32_by_3xfp16", zeros, zeros < 0.95 ? 30 : 8, zeros < 0.95 ? 1e9 : 5e8));
        rows.push_back(timed_row("slow", "fp32", zeros, 60, 1e9));
        rows.push_back(timed_row("cudnn-tf32", "tf32", zeros, 20, std::nullopt));
        rows.push_back(timed_row("cudnn-fp16", "fp16", zeros, 7, std::nullopt));
    }
    return rows;
}

TEST(ZerosPay, holds_what_skips_against_the_fastest_dense_method_of_each_precision) {
    const std::optional<ZerosPay> pay = zeros_pay(sparse_beside_dense());
    ASSERT_TRUE(pay);
    EXPECT_EQ(pay->zeros, 0.95) << "with nothing but zeros nothing is computed";
    EXPECT_EQ(pay->method, "union");
    EXPECT_EQ(pay->us, 8);
    ASSERT_EQ(pay->dense.size(), 3U);
    EXPECT_EQ(pay->dense[0].precision, "FP32");
    EXPECT_EQ(pay->dense[0].method, "slow") << "at 95 % union is no dense method any more";
    EXPECT_EQ(pay->dense[0].from, 0.8) << "at 80 % ecr takes 28 us and union, which skips nothing there, 30";
    EXPECT_EQ(pay->dense[1].from, 0.95);
    EXPECT_FALSE(pay->dense[2].from);
    EXPECT_EQ(pay->verdict(), "pays from 80 % zeros on");
    EXPECT_EQ(pay->sentence(),
              "Skipping zeros pays from 80 % zeros on against FP32 (slow, 60.0 us), from 95 % zeros on against TF32 "
              "(cudnn-tf32, 20.0 us), not against FP16 (cudnn-fp16, 7.00 us): at 95 % zeros union takes 8.00 us.");
}

TEST(ZerosPay, is_about_the_zeros_of_x_and_says_so_where_w_has_some_too) {
    std::vector<Record> rows = sparse_beside_dense();
    for (Record& row : rows) row.weight_sparsity_target = 0.5;
    const std::optional<ZerosPay> pay = zeros_pay(rows);
    ASSERT_TRUE(pay);
    EXPECT_TRUE(pay->sentence().starts_with("Skipping zeros of x pays from 80 % zeros on")) << pay->sentence();
}

TEST(ZerosPay, says_no_where_the_answer_is_no) {
    std::vector<Record> rows;
    for (const double zeros : {0.0, 0.9}) {
        rows.push_back(timed_row("ecr", "fp32", zeros, 40, 1e9 * (1 - zeros)));
        rows.push_back(timed_row("cudnn", "fp32", zeros, 20, std::nullopt));
    }
    const std::optional<ZerosPay> pay = zeros_pay(rows);
    ASSERT_TRUE(pay);
    EXPECT_EQ(pay->verdict(), "does not pay");
    EXPECT_EQ(pay->sentence(),
              "Skipping zeros does not pay against FP32 (cudnn, 20.0 us): at 90 % zeros ecr takes 40.0 us.");
}

TEST(ZerosPay, that_it_is_faster_at_a_smaller_share_alone_is_no_share_from_which_on_it_pays) {
    std::vector<Record> rows;
    for (const auto& [zeros, us] : {std::pair{0.0, 40.0}, {0.5, 15.0}, {0.9, 30.0}}) {
        rows.push_back(timed_row("ecr", "fp32", zeros, us, 1e9 * (1 - zeros)));
        rows.push_back(timed_row("cudnn", "fp32", zeros, 20, std::nullopt));
    }
    EXPECT_FALSE(zeros_pay(rows)->dense.at(0).from);
}

TEST(ZerosPay, what_is_within_the_noise_does_not_pay) {
    std::vector<Record> rows{timed_row("ecr", "fp32", 0, 40, 1e9), timed_row("ecr", "fp32", 0.9, 19.5, 1e8),
                             timed_row("cudnn", "fp32", 0.9, 20, std::nullopt)};
    EXPECT_EQ(zeros_pay(rows)->dense.at(0).from, 0.9);
    for (const std::optional<double> noise : {std::optional(3.0), std::optional<double>()}) {  // none: timed once
        rows[1].noise_pct = noise;
        EXPECT_FALSE(zeros_pay(rows)->dense.at(0).from);
    }
}

TEST(ZerosPay, takes_no_row_for_a_dense_one_that_may_skip) {
    std::vector<Record> rows;
    for (const double zeros : {0.5, 0.9}) {
        rows.push_back(timed_row("ecr", "fp32", zeros, 20 - 10 * zeros, 1e9 * (1 - zeros)));
        rows.push_back(timed_row("cudnn", "fp32", zeros, 40, std::nullopt));
    }
    rows.push_back(timed_row("other", "fp32", 0.9, 5, 1e8));
    rows.back().flops_dense = 1e9;
    const std::optional<ZerosPay> pay = zeros_pay(rows);
    ASSERT_TRUE(pay);
    EXPECT_EQ(pay->method, "ecr");
    ASSERT_EQ(pay->dense.size(), 1U);
    EXPECT_EQ(pay->dense[0].method, "cudnn");
}

TEST(ZerosPay, tells_nothing_without_a_method_that_skips_or_a_dense_one) {
    EXPECT_FALSE(zeros_pay({}));
    EXPECT_FALSE(zeros_pay({timed_row("im2col", "fp32", 0, 20, 1e9), timed_row("im2col", "fp32", 0.9, 20, 1e9)}));
    EXPECT_FALSE(zeros_pay({timed_row("ecr", "fp32", 0, 20, 1e9), timed_row("ecr", "fp32", 0.9, 5, 1e8)}));
    EXPECT_FALSE(zeros_pay({timed_row("ecr", "fp32", 0.9, 5, 1e8), timed_row("cudnn", "fp32", 0.9, 20, std::nullopt)}))
        << "of one share nobody knows whether it skips";
}

}  // namespace
}  // namespace convscope
