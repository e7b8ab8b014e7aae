// The summary card's sentences, word for word.
#include "kernels/simt/summary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/simt/on_checked/trace_block.h"
#include "tests/support/paper_examples.h"

namespace convscope::simt {
namespace {

using Sentences = std::vector<std::string>;

Sentences summary_of(const TraceRequest& request, const Workload& workload) {
    const TraceResult result = trace_block(request, workload);
    return describe(result.trace, cost_of(result.trace), result.plan.model, result.multiplications_per_output);
}

Sentences summary_of(const char* method, const char* example, const Dim3& block = {0, 0, 0}) {
    const Workload workload = testing::example_workload(example);
    return summary_of({.workload = workload.spec, .method = method, .kernel = {}, .block = block, .launch = {}},
                      workload);
}

/// One row of windows, 3x3, over a map of three rows: zero but for its columns [first, end).
TraceRequest row_of_windows(const char* method, std::int64_t windows, std::int64_t first, std::int64_t end) {
    TraceRequest request;
    WorkloadSpec& spec = request.workload;
    spec.source = Source::example;
    spec.shape.h = 3;
    spec.shape.w = windows + 2;
    spec.shape.r = spec.shape.s = 3;
    for (std::int64_t i = 0; i < spec.shape.x_elements(); ++i) {
        const std::int64_t column = i % spec.shape.w;
        spec.example_x.push_back(first <= column && column < end ? 1.0f : 0.0f);
    }
    spec.example_w.assign(9, 1.0f);
    request.method = method;
    return request;
}

Sentences summary_of(const TraceRequest& request) {
    return summary_of(request, make_workload(request.workload));
}

TEST(Summary, a_kernel_that_does_more_than_the_dense_work_says_so) {
    EXPECT_EQ(share_of_dense(10, 27), "37 %");
    EXPECT_EQ(share_of_dense(27, 27), "100 %");
    EXPECT_EQ(share_of_dense(341 * 27, 27), "341x");
    // A pooled map of 2x2 takes one output of a tile.
    TraceRequest request;
    request.method = "fused5";
    request.workload.shape.h = request.workload.shape.w = 4;
    request.workload.shape.r = request.workload.shape.s = 3;
    request.workload.shape.pool_h = request.workload.shape.pool_w = request.workload.shape.pool_stride = 2;
    const std::string work = summary_of(request)[0];
    EXPECT_NE(work.find("x the dense work: "), std::string::npos) << work;
    EXPECT_NE(work.find(" multiplications done where 36 would do"), std::string::npos) << work;
}

TEST(Summary, of_figure_4) {
    EXPECT_EQ(summary_of("ecr1", "ecr_figure_4"),
              (Sentences{"10 of 27 multiplications done, 63 % skipped", "29 of 32 lanes idle: the block has 3 threads",
                         "Uneven work: T2 multiplies 4 times, a thread 3.33 on average; lanes sit out 17 % of their "
                         "warp's multiply-adds",
                         "Global memory takes 1.11 sectors per request, 1 would be enough; x takes most of the "
                         "others; 24 % of the 640 B moved are wanted",
                         "No bank conflicts in 25 requests to shared memory",
                         "An SM holds at most 32 blocks of any size: occupancy 50 %"}));
    EXPECT_EQ(summary_of("ecr2", "ecr_figure_4")[0], "27 of 81 multiplications done, 67 % skipped");
}

TEST(Summary, of_figures_7_and_8) {
    EXPECT_EQ(summary_of("pecr1", "pecr_figures_7_8")[0], "25 of 72 multiplications done, 65 % skipped");
    const Sentences pecr2 = summary_of("pecr2", "pecr_figures_7_8");
    EXPECT_EQ(pecr2[0], "48 of 144 multiplications done, 67 % skipped");
    EXPECT_EQ(pecr2[1], "16 of 32 lanes idle: the block has 16 threads");
    EXPECT_EQ(pecr2[4], "4 bank conflicts in 35 requests to shared memory, most of them in Data");
}

TEST(Summary, of_a_kernel_that_moves_data) {
    const Sentences mec = summary_of("mec1", "mec_figures_1_2");
    EXPECT_EQ(mec[0], "No multiply-adds in this block");
    EXPECT_NE(mec[1].find("have nothing to do"), std::string::npos) << mec[1];
}

TEST(Summary, names_the_windows_that_are_all_zero) {
    // Columns 3 .. 29: the first and the last window see none of them.
    EXPECT_EQ(summary_of(row_of_windows("ecr1", 32, 3, 31))[1], "2 of 32 lanes idle: windows T1 and T32 are all zero");
    EXPECT_EQ(summary_of(row_of_windows("ecr1", 32, 3, 34))[1], "1 of 32 lanes idle: window T1 is all zero");
    EXPECT_EQ(summary_of(row_of_windows("ecr1", 32, 12, 34))[1], "10 of 32 lanes idle: windows T1 to T10 are all zero");
    // Every window sees something: nobody is idle, and nothing is said.
    EXPECT_EQ(summary_of(row_of_windows("ecr1", 32, 0, 34))[1], "Even work: every thread multiplies 9 times");
    // Threads beyond the row have no window, though they help to load it.
    TraceRequest tiled = row_of_windows("ecr2", 20, 0, 21);
    tiled.launch.block = Dim3{24, 1, 1};
    EXPECT_EQ(summary_of(tiled)[1],
              "12 of 32 lanes idle: the block has 24 threads; T21 to T24 have nothing to multiply");
}

TEST(Summary, says_when_nothing_is_lost) {
    const Sentences dense = summary_of(row_of_windows("ecr1", 32, 0, 34));
    EXPECT_EQ(dense[0], "All 288 multiplications done, none skipped");
    EXPECT_EQ(dense[3], "No bank conflicts in 37 requests to shared memory");
    const Sentences zero = summary_of(row_of_windows("ecr1", 32, 0, 0));
    EXPECT_EQ(zero[0], "No multiplications done, all 288 skipped");
    EXPECT_EQ(zero[1], "32 of 32 lanes idle: windows T1 to T32 are all zero");
}

TEST(Summary, requests_for_few_bytes_are_not_called_coalesced) {
    // pecr0's threads read one element at a time.
    const std::string memory = summary_of("pecr0", "pecr_figures_7_8")[0];
    EXPECT_EQ(memory.find("coalesced"), std::string::npos) << memory;
    EXPECT_EQ(memory.find("Global memory takes 1 sector per request, as few as its addresses allow, but most of what "
                          "moves is unused: a request wants 4.12 B on average; 13 % of the "),
              0U)
        << memory;
    // A row of windows reads 32 neighbours at a time.
    const std::string dense = summary_of(row_of_windows("ecr2", 32, 0, 34))[2];
    EXPECT_NE(dense.find("sectors per request"), std::string::npos) << dense;
}

TEST(Summary, keeps_to_what_a_run_that_ended_early_can_tell) {
    const Sentences pecr0 = summary_of("pecr0", "pecr_figures_7_8");
    ASSERT_EQ(pecr0.size(), 3u);
    EXPECT_NE(pecr0[0].find("Global memory"), std::string::npos) << pecr0[0];
    EXPECT_NE(pecr0[1].find("shared memory"), std::string::npos) << pecr0[1];
    EXPECT_NE(pecr0[2].find("occupancy"), std::string::npos) << pecr0[2];
}

TEST(Summary, shortens_long_lists_of_threads) {
    EXPECT_EQ(thread_names({2}), "T3");
    EXPECT_EQ(thread_names({2, 6}), "T3 and T7");
    EXPECT_EQ(thread_names({2, 3}), "T3 and T4");
    EXPECT_EQ(thread_names({0, 1, 2, 3, 8}), "T1 to T4 and T9");
    EXPECT_EQ(thread_names({2, 6, 10, 12}), "T3, T7, T11 and T13");
    EXPECT_EQ(thread_names({2, 6, 10, 12, 14}), "T3, T7 and 3 more");
    EXPECT_EQ(thread_names({2, 6, 10, 12, 20, 21, 22}), "T3, T7 and 5 more");
}

}  // namespace
}  // namespace convscope::simt
