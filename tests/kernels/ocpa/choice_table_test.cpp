// ocpa4's law on made tables: t0 and R of two times, the shortest time, ties, candidates that are left out.
#include "kernels/ocpa/choice_table.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

CandidateLine dense(const char* method, double us) {
    return {.method = method, .t0_us = us};
}

CandidateLine sparse(const char* method, double t0_us, double us_per_flop, std::size_t of = 0) {
    return {.method = method, .t0_us = t0_us, .us_per_flop = us_per_flop, .of = of};
}

CandidateLine failed(const char* method, const char* reason) {
    return {.method = method, .left_out = reason};
}

TEST(ChoiceTable, fits_t0_and_rate_through_two_times) {
    CandidateLine line;
    fit(line, {100, 12}, {1100, 17});
    EXPECT_DOUBLE_EQ(line.us_per_flop, 0.005);
    EXPECT_DOUBLE_EQ(line.t0_us, 11.5);
}

TEST(ChoiceTable, has_no_rate_where_the_time_does_not_grow_with_the_work) {
    for (const MeasuredWork& more : {MeasuredWork{1100, 10}, MeasuredWork{100, 14}}) {
        CandidateLine line;
        fit(line, {100, 12}, more);
        EXPECT_EQ(line.us_per_flop, 0);
        EXPECT_EQ(line.t0_us, (12 + more.us) / 2);
    }
}

TEST(ChoiceTable, breaks_even_where_the_law_says) {
    // 4 + 0.25 * 32 = 12.
    const ChoiceTable table{{}, {dense("tensor1", 12), sparse("ecr4", 4, 0.25)}};
    EXPECT_EQ(fastest(table, {31.9}), 1U);
    EXPECT_EQ(fastest(table, {32}), 0U) << "of equal ones the first";
    EXPECT_EQ(fastest(table, {32.1}), 0U);
    const ChoiceTable turned{{}, {sparse("ecr4", 4, 0.25), dense("tensor1", 12)}};
    EXPECT_EQ(fastest(turned, {32}), 0U) << "the first is another one now";
    EXPECT_EQ(fastest(turned, {32.1}), 1U);
}

TEST(ChoiceTable, looks_at_the_work_of_each_candidates_own_boxes) {
    const ChoiceTable table{{}, {sparse("ecr4", 2, 1, 0), sparse("union1", 2, 1, 1), dense("cudnn", 8)}};
    EXPECT_EQ(fastest(table, {3, 5}), 0U);
    EXPECT_EQ(fastest(table, {5, 3}), 1U);
    EXPECT_EQ(fastest(table, {7, 7}), 2U);
}

TEST(ChoiceTable, takes_the_only_candidate_however_slow) {
    EXPECT_EQ(fastest({{}, {dense("im2col", 1e9)}}, {}), 0U);
    EXPECT_EQ(fastest({{}, {}}, {}), std::nullopt);
}

TEST(ChoiceTable, leaves_out_what_failed) {
    const ChoiceTable table{{}, {failed("fft1", "out of memory"), dense("im2col", 50), failed("csr1", "no launch")}};
    EXPECT_EQ(fastest(table, {}), 1U) << "a candidate without a time is not one of 0 us";
    EXPECT_EQ(left_out_text(table), "fft1: out of memory; csr1: no launch");
    EXPECT_EQ(fastest({{}, {failed("fft1", "out of memory")}}, {}), std::nullopt);
}

}  // namespace
}  // namespace convscope
