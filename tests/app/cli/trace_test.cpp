// convscope trace, seen from outside.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using nlohmann::json;
using testing::Finished;
using testing::run;

TEST(Trace, tells_what_a_block_of_figure_4_did) {
    const Finished finished =
        run({"trace", "--preset", "examples/xu-fig4", "--method", "ecr1", "--block", "1,0,0", "--thread", "2"});
    ASSERT_EQ(finished.status, 0) << finished.err;
    const json trace = json::parse(finished.out);
    EXPECT_EQ(trace["kernel"], "ecr1");
    EXPECT_EQ(trace["grid"], json({3, 1, 1}));
    EXPECT_EQ(trace["block"], json({1, 0, 0}));
    EXPECT_EQ(trace["thread"], json({2, 0, 0}));
    EXPECT_EQ(trace["totals"]["shared_bytes"], 3 * (9 * 4 * 2 + 4));
    const int done = trace["totals"]["multiplications_done"];
    EXPECT_EQ(done + trace["totals"]["multiplications_skipped"].get<int>(), 3 * 9);
    EXPECT_EQ(trace["warps"][0]["multiplications"]["done"], done);
    EXPECT_EQ(trace["summary"][0], "8 of 27 multiplications done, 70 % skipped");
    EXPECT_FALSE(trace["requests"].empty());
    int multiplied = 0;
    for (const json& step : trace["steps"]) {
        EXPECT_EQ(step["thread"], json({2, 0, 0}));
        multiplied += step["kind"] == "multiply_add";
        const json& source = trace["sources"].at(step["source"].get<std::size_t>());
        EXPECT_TRUE(source["file"].get<std::string>().starts_with("kernels/")) << source;
        EXPECT_FALSE(source["text"].get<std::string>().empty());
    }
    EXPECT_EQ(multiplied, trace["warps"][0]["multiplications"]["of_lane"][2]);
    const json& last = trace["steps"].back();
    EXPECT_EQ(trace["arrays"].at(last["array"].get<std::size_t>())["name"], "y");
    EXPECT_EQ(last["index"], 1 * 3 + 2);
}

TEST(Trace, skips_nothing_where_a_kernel_does_more_than_the_dense_work) {
    const Finished finished = run({"trace", "--h", "4", "--r", "3", "--pool", "2", "--method", "fused5"});
    ASSERT_EQ(finished.status, 0) << finished.err;
    const json totals = json::parse(finished.out)["totals"];
    EXPECT_EQ(totals["multiplications_dense"], 36);
    EXPECT_GT(totals["multiplications_done"], 36);
    EXPECT_FALSE(totals.contains("multiplications_skipped")) << totals;
}

TEST(Trace, shows_every_kernel_of_a_method) {
    for (const char* kernel : {"ecr3_convert", "ecr3_multiply"}) {
        const Finished finished = run({"trace", "--h", "6", "--r", "3", "--c", "2", "--k", "3", "--sparsity", "0.5",
                                       "--method", "ecr3", "--kernel", kernel});
        ASSERT_EQ(finished.status, 0) << finished.err;
        EXPECT_EQ(json::parse(finished.out)["kernel"], kernel);
    }
}

TEST(Trace, shows_how_the_algorithm_as_printed_races) {
    const Finished finished = run({"trace", "--preset", "examples/xu-fig7", "--method", "pecr0"});
    EXPECT_EQ(finished.status, 5);
    expect_contains(finished.err, "a data race");
    const json trace = json::parse(finished.out);
    EXPECT_EQ(trace["finding"]["kind"], "race");
    EXPECT_EQ(trace["finding"]["found"]["file"], "kernels/pecr/pecr0_kernel.h");
    EXPECT_EQ(trace["finding"]["other"]["file"], "kernels/pecr/pecr0_kernel.h");
    EXPECT_FALSE(trace["steps"].empty());
}

TEST(Trace, counts_whole_launches) {
    const Finished finished = run({"trace", "--preset", "examples/xu-fig4", "--method", "ecr1", "--whole-launch"});
    ASSERT_EQ(finished.status, 0) << finished.err;
    const json trace = json::parse(finished.out);
    EXPECT_EQ(trace["workload"], "examples/xu-fig4");
    ASSERT_EQ(trace["launches"].size(), 1u);
    const json& launch = trace["launches"][0];
    EXPECT_EQ(launch["kernel"], "ecr1");
    EXPECT_EQ(launch["grid"], json({3, 1, 1}));
    EXPECT_EQ(launch["block_size"], json({3, 1, 1}));
    EXPECT_EQ(launch["multiply_adds"], 27) << "the figure that the paper gives for its three block rows, ECR";
    // Three windows side by side: 12 bytes of y, the second row's across the border of two sectors.
    EXPECT_EQ(launch["global_stores"],
              json({{"requests", 3}, {"sectors", 4}, {"lines", 3}, {"bytes_wanted", 36}, {"bytes_moved", 128}}));
    EXPECT_EQ(launch["shared_stores"]["bank_conflicts"], 0);
    EXPECT_EQ(launch["shared_atomics"]["requests"], 0);
}

TEST(Trace, counts_the_launches_that_prepare_the_weights_too) {
    const Finished finished = run(
        {"trace", "--h", "6", "--r", "3", "--c", "2", "--k", "3", "--pool", "2", "--method", "ecr3", "--whole-launch"});
    ASSERT_EQ(finished.status, 0) << finished.err;
    const json trace = json::parse(finished.out);
    std::vector<std::string> kernels;
    for (const json& launch : trace["launches"]) kernels.push_back(launch["kernel"]);
    EXPECT_EQ(kernels,
              (std::vector<std::string>{"transpose_weights_kernel", "ecr3_convert", "ecr3_multiply", "relu_max_pool"}));
}

TEST(Trace, takes_a_launch_of_ones_own) {
    const Finished finished =
        run({"trace", "--preset", "examples/xu-fig4", "--method", "ecr1", "--launch-block", "2", "--block", "1,1"});
    ASSERT_EQ(finished.status, 0) << finished.err;
    const json trace = json::parse(finished.out);
    EXPECT_EQ(trace["block_size"], json({2, 1, 1}));
    EXPECT_EQ(trace["grid"], json({3, 2, 1}));
    const json& last = trace["steps"].back();
    EXPECT_EQ(trace["arrays"].at(last["array"].get<std::size_t>())["name"], "y");
    EXPECT_EQ(last["index"], 1 * 3 + 2) << "the one window of the second tile of the second row";
}

TEST(Trace, takes_a_block_of_a_layer_that_is_too_large_to_simulate) {
    const Finished finished = run({"trace", "--h", "2000", "--r", "11", "--method", "ecr2", "--block", "1000,5"});
    ASSERT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(json::parse(finished.out)["block"], json({1000, 5, 0}));
}

void expect_trace_rejected(std::vector<std::string> words, int status, const std::string& part) {
    words.insert(words.begin(), "trace");
    testing::expect_rejected(words, status, part);
}

TEST(Trace, bad_input) {
    const auto fig4 = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"--preset", "examples/xu-fig4"});
        return more;
    };
    expect_trace_rejected(fig4({}), 2, "trace needs --method");
    expect_trace_rejected({"--method", "ecr1"}, 2, "no workload");
    expect_trace_rejected(fig4({"--method", "ecr1", "--block", "3,0,0"}), 2,
                          "--block is 3,0,0, outside the grid, which is 3x1x1");
    expect_trace_rejected(fig4({"--method", "ecr1", "--block", "-1"}), 2, "--block");
    expect_trace_rejected(fig4({"--method", "ecr1", "--block", "0,0,0,0"}), 2, "--block: '0,0,0,0'");
    expect_trace_rejected(fig4({"--method", "ecr1", "--thread", "7"}), 2,
                          "--thread is 7,0,0, outside the block of threads");
    expect_trace_rejected(fig4({"--method", "ecr1", "--kernel", "ecr2"}), 2, "no kernel 'ecr2' here; give ecr1");
    for (const char* flag : {"--block", "--thread", "--kernel"})
        expect_trace_rejected(fig4({"--method", "ecr1", "--whole-launch", flag, "0"}), 2,
                              std::string(flag) + " does not go with --whole-launch");
    expect_trace_rejected(fig4({"--method", "ecr9"}), 3, "'ecr9' cannot be traced; there are im2col");
    expect_trace_rejected(fig4({"--method", "onednn"}), 3, "'onednn' cannot be traced");
    expect_trace_rejected(
        {"--h", "4000", "--r", "11", "--pool", "2", "--method", "ecr2", "--kernel", "relu_max_pool"}, 2,
        "relu_max_pool works on what ecr2 makes, and to run the 127680 blocks of that first would take");
    expect_trace_rejected({"--h", "4000", "--r", "11", "--method", "ecr2", "--whole-launch"}, 2,
                          "simulating this shape would take");
    expect_trace_rejected({"--preset", "vgg19/conv3_2", "--method", "ecr3"}, 2, "too many to trace");
    expect_trace_rejected(fig4({"--method", "ecr1", "--launch-block", "0"}), 2, "--launch-block");
    expect_trace_rejected(fig4({"--method", "ecr1", "--launch-block", "2,2"}), 2,
                          "ecr1's threads lie along one block row");
    expect_trace_rejected(fig4({"--method", "ecr1", "--launch-grid", "2"}), 2, "ecr1's grid follows from the shape");
    expect_trace_rejected({"--h", "300", "--r", "180", "--method", "ecr1", "--block", "5"}, 2, "shared memory");
    expect_trace_rejected({"--h", "5", "--r", "3", "--method", "pecr1"}, 2, "this shape has no pooling");
    expect_trace_rejected(fig4({"--method", "ecr1", "--device", "cpu"}), 2, "--device");
}

}  // namespace
}  // namespace convscope
