// The methods that the simulated GPU runs as nvcc compiled them, seen from outside. Where this build has no
// convscope_ptx.so each case but the last is skipped.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/registry/compiled_methods.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using nlohmann::json;
using testing::Finished;
using testing::run;

class CompiledOnSim : public ::testing::Test {
protected:
    void SetUp() override {
        std::string reason;
        if (!compiled_methods(&reason)) GTEST_SKIP() << reason;
    }
    static json parsed(const Finished& finished) {
        EXPECT_EQ(finished.status, 0) << finished.err;
        return json::parse(finished.out, nullptr, false);
    }
};

/// Whole numbers, three of four of them zero, which every precision holds.
std::vector<float> numbers(std::size_t count, std::size_t step) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; i += step) values[i] = static_cast<float>(i % 5) - 2;
    return values;
}

TEST_F(CompiledOnSim, is_run_and_checked) {
    const TempFolder folder;
    const std::string x = folder.write("x.npy", testing::npy_bytes("(1, 16, 8, 8)", numbers(16 * 8 * 8, 4)));
    const std::string w = folder.write("w.npy", testing::npy_bytes("(8, 16, 3, 3)", numbers(8 * 16 * 3 * 3, 1)));
    for (const std::string& id : compiled_methods()->ids()) {
        std::vector<std::string> words{"run",      "--device",
                                       "sim",      "--method",
                                       id,         "--input",
                                       x,          "--weights",
                                       w,          "--weight-pattern",
                                       "2:4",  // nm1 takes no other
                                       "--output", (folder / "y.npy").string()};
        const bool pools = !compiled_methods()->reason(id, {.c = 16, .h = 8, .w = 8, .k = 8, .r = 3, .s = 3}).empty();
        if (pools) words.insert(words.end(), {"--pool", "2"});
        const Finished finished = run(words);
        EXPECT_EQ(finished.status, 0) << id << ": " << finished.err << " (4: it differs from the reference)";
        expect_contains(finished.out, id + ": ");
    }
}

TEST_F(CompiledOnSim, is_counted_and_not_timed) {
    const TempFolder folder;
    const std::string file = (folder / "rows.json").string();
    const Finished finished = run({"bench", "--device", "sim", "--c", "16", "--h", "8", "--k", "16", "--r", "3",
                                   "--methods", "mec7,union1,ecr4", "--json", file});
    ASSERT_EQ(finished.status, 0) << finished.err;
    const json rows = json::parse(testing::read_file(file));
    ASSERT_EQ(rows.size(), 3U);
    for (const json& row : rows) {
        EXPECT_EQ(row["status"], "passed") << row["status_reason"];
        EXPECT_TRUE(row["time_median_us"].is_null());
    }
    const auto names = [](const json& row) {
        std::vector<std::string> symbols;
        for (const json& quantity : row["quantities"]) symbols.push_back(quantity["symbol"]);
        return symbols;
    };
    const std::vector<std::string> all{"multiplications", "instructions", "global_requests", "global_sectors",
                                       "bank_conflicts"};
    EXPECT_EQ(names(rows[2]), all);
    // Products on tensor cores are not counted: the quantity is left out, not 0.
    EXPECT_EQ(names(rows[0]), std::vector<std::string>(all.begin() + 1, all.end()));
    EXPECT_EQ(rows[0]["status_reason"], "simulated: verified and counted, not timed; counted on its PTX");
    EXPECT_EQ(rows[2]["status_reason"], "simulated: verified and counted, not timed");
}

/// Where nvcc leaves an instruction as it is written, both count the same.
TEST_F(CompiledOnSim, counts_the_source_and_the_ptx_alike) {
    const std::vector<std::string> layer{"--c", "8", "--h",   "10", "--k",        "16",
                                         "--r", "3", "--pad", "1",  "--sparsity", "0.7"};
    for (const char* id : {"im2col", "mec2", "csr1", "ecr1", "ecr3", "ecr4", "tiled-multi2", "fused1"}) {
        std::vector<std::string> words{"trace", "--method", id, "--whole-launch", "--counts", "source"};
        if (std::string(id) == "ecr1")
            words.insert(words.end(), {"--h", "14", "--r", "3"});
        else
            words.insert(words.end(), layer.begin(), layer.end());
        if (std::string(id) == "fused1") words.insert(words.end(), {"--pool", "2"});
        const json source = parsed(run(words));
        words[5] = "ptx";
        const json ptx = parsed(run(words));
        EXPECT_EQ(source["counted"], "source");
        EXPECT_EQ(ptx["counted"], "ptx");
        ASSERT_EQ(source["launches"].size(), ptx["launches"].size()) << id;
        for (std::size_t i = 0; i < source["launches"].size(); ++i) {
            const json &written = source["launches"][i], &compiled = ptx["launches"][i];
            for (const char* same : {"stage", "grid", "block_size", "global_stores", "multiply_adds", "barriers"})
                EXPECT_EQ(written[same], compiled[same]) << id << ", " << written["kernel"] << ": " << same;
            std::vector<std::string> keys, others;
            for (const auto& [key, value] : written.items()) keys.push_back(key);
            for (const auto& [key, value] : compiled.items()) others.push_back(key);
            EXPECT_EQ(keys, others) << id;
        }
    }
}

TEST_F(CompiledOnSim, counts_launches_of_what_has_no_other_build) {
    const std::vector<std::string> words{"trace", "--c", "16", "--h",      "8",    "--k",
                                         "16",    "--r", "3",  "--method", "mec5", "--whole-launch"};
    const json counted = parsed(run(words));
    EXPECT_EQ(counted["counted"], "ptx");
    std::vector<std::string> kernels, stages;
    for (const json& launch : counted["launches"]) {
        kernels.push_back(launch["kernel"]);
        stages.push_back(launch["stage"]);
        EXPECT_GT(launch["global_stores"]["sectors"], 0) << launch["kernel"];
        EXPECT_GE(launch["global_stores"]["bytes_moved"], launch["global_stores"]["bytes_wanted"]);
    }
    EXPECT_EQ(kernels, (std::vector<std::string>{"mec5_weights", "mec3_lower", "mec5"}));
    EXPECT_EQ(stages, (std::vector<std::string>{"weights", "convert", "multiply"}));
    std::vector<std::string> of_the_source = words;
    of_the_source.insert(of_the_source.end(), {"--counts", "source"});
    testing::expect_rejected(of_the_source, 3, "'mec5' cannot be traced");
}

TEST(CompiledOnSimTrace, bad_input) {
    const std::vector<std::string> fig4{"trace", "--preset", "examples/xu-fig4"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), fig4.begin(), fig4.end());
        return more;
    };
    testing::expect_rejected(with({"--method", "mec5"}), 2, "mec5 is simulated as nvcc compiled it, and its blocks");
    testing::expect_rejected(with({"--method", "ecr1", "--counts", "ptx"}), 2, "--counts goes with --whole-launch");
    testing::expect_rejected(with({"--method", "ecr1", "--whole-launch", "--counts", "sass"}), 2,
                             "--counts: 'sass' is not accepted; give source or ptx");
    testing::expect_rejected(with({"--method", "ecr9", "--whole-launch", "--counts", "ptx"}), 3,
                             "no method 'ecr9' on sim");
}

}  // namespace
}  // namespace convscope
