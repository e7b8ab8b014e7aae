// sweep --search, break-even and roofline, run as the program on the CPU.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/records/csv_file.h"
#include "tests/app/cli/program.h"

namespace convscope::testing {
namespace {

const std::vector<std::string> small_layer{"--h", "14", "--r", "3", "--c", "8", "--k", "8", "--device", "cpu"};

Finished run_with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), small_layer.begin(), small_layer.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
}

TEST(SearchCommand, searches_the_tunables_of_a_cpu_method) {
    const TempFolder folder;
    const std::string csv = (folder / "search.csv").string();
    const Finished all = run_with({"sweep", "--search", "all"},
                                  {"--methods", "mec2", "--min-samples", "8", "--max-noise", "50", "--csv", csv});
    EXPECT_EQ(all.status, 0) << all.err;
    EXPECT_NE(all.out.find("mec2: 12 of 12 configurations measured"), std::string::npos) << all.out;
    EXPECT_NE(all.out.find("best"), std::string::npos) << all.out;
    EXPECT_GE(read_csv(csv).records.size(), 13U) << "every point, and the finals";
    const Finished few = run_with({"sweep", "--search", "local", "--points", "3"},
                                  {"--methods", "mec2", "--timeout", "0.02", "--resume", "--csv", csv});
    EXPECT_NE(few.out.find("mec2: 3 of 12 configurations measured"), std::string::npos) << few.out << few.err;
}

TEST(SearchCommand, bad_input) {
    EXPECT_NE(run_with({"sweep", "--search", "best"}, {}).err.find("give all, random or local"), std::string::npos);
    EXPECT_EQ(run_with({"sweep", "--points", "3"}, {}).status, 2);
    const Finished other = run_with({"sweep", "--search", "all"}, {"--methods", "mec2", "--block", "64"});
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(other.err.find("--block: none of the chosen methods lets it be set"), std::string::npos) << other.err;
    EXPECT_EQ(run_with({"sweep", "--search", "all", "--points", "0"}, {}).status, 2);
    EXPECT_NE(
        run_with({"sweep", "--search", "all", "--shard", "1/2"}, {}).err.find("--shard does not go with --search"),
        std::string::npos);
}

TEST(SearchCommand, says_where_there_is_nothing_to_search) {
    const auto search = [](const char* method) {
        return run(
            {"sweep", "--search", "all", "--device", "cpu", "--preset", "examples/xu-fig4", "--methods", method});
    };
    const Finished none = search("pecr3");
    EXPECT_EQ(none.status, 0) << none.err;
    EXPECT_NE(none.out.find("pecr3: nothing to search: PECR is convolution, ReLU and max-pooling in one"),
              std::string::npos)
        << none.out;
    const Finished vendor = search("onednn");
    if (vendor.status == 3) GTEST_SKIP() << "built without oneDNN";
    EXPECT_EQ(vendor.status, 2);
    EXPECT_NE(vendor.err.find("onednn is the vendor's, which chooses its own launch"), std::string::npos) << vendor.err;
}

TEST(BreakEvenCommand, compares_two_methods_on_the_cpu) {
    const TempFolder folder;
    const std::string csv = (folder / "be.csv").string(), json = (folder / "be.json").string();
    const Finished done = run_with({"break-even", "--method", "ecr", "--vendor", "im2col", "--over", "sparsity"},
                                   {"--precision", "0.2", "--min-samples", "8", "--max-noise", "50", "--and", "n=1,2",
                                    "--csv", csv, "--json", json});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.out.find("n = 2: ecr5"), std::string::npos) << done.out;
    const auto answer = nlohmann::json::parse(read_file(json));
    EXPECT_EQ(answer["method"], "ecr5");
    ASSERT_EQ(answer["results"].size(), 2U);
    std::size_t places = 0;
    for (const auto& result : answer["results"]) places += result["points"].size();
    EXPECT_EQ(read_csv(csv).records.size(), 2 * places) << "both methods at every place";
}

TEST(BreakEvenCommand, bad_input) {
    const auto rejected = [](const std::vector<std::string>& more) {
        const Finished done = run_with({"break-even"}, more);
        EXPECT_EQ(done.status, 2) << done.err;
        return done.err;
    };
    EXPECT_NE(rejected({"--over", "sparsity"}).find("break-even needs --method"), std::string::npos);
    EXPECT_NE(rejected({"--method", "ecr", "--over", "x"}).find("'x' is not an axis"), std::string::npos);
    EXPECT_NE(rejected({"--method", "ecr", "--over", "n"}).find("needs --to"), std::string::npos);
    EXPECT_NE(rejected({"--method", "ecr", "--vendor", "ecr5", "--over", "sparsity"}).find("both ecr5"),
              std::string::npos);
    EXPECT_NE(rejected({"--method", "ecr", "--vendor", "im2col", "--over", "sparsity", "--from", "0.5", "--to", "0.5"})
                  .find("the range must grow"),
              std::string::npos);
}

TEST(SearchCommand, the_simulated_gpu_has_no_time_to_search_by) {
    const TempFolder folder;
    const std::string csv = (folder / "search.csv").string();
    const std::vector<std::string> search{"sweep",     "--search", "all",   "--preset", "examples/xu-fig4",
                                          "--methods", "ecr1",     "--csv", csv};
    for (const char* device : {"sim", "cpu,sim"}) {
        std::vector<std::string> words = search;
        words.insert(words.end(), {"--device", device});
        const Finished done = run(words);
        EXPECT_EQ(done.status, 2) << done.err;
        EXPECT_EQ(
            done.err,
            "convscope: --search looks for the shortest time, and sim has no clock; give --device cpu or a GPU\n");
        EXPECT_FALSE(std::filesystem::exists(csv)) << "nothing was begun";
    }
}

TEST(BreakEvenCommand, the_simulated_gpu_has_no_times_to_compare) {
    const Finished done = run({"break-even", "--method", "ecr2", "--vendor", "im2col", "--over", "sparsity", "--preset",
                               "examples/xu-fig4", "--device", "sim"});
    EXPECT_EQ(done.status, 2) << done.err;
    EXPECT_EQ(done.err, "convscope: break-even compares times, and sim has no clock; give --device cpu or a GPU\n");
}

TEST(SweepCommand, resumed_on_the_simulated_gpu_says_that_the_csv_holds_no_counts) {
    const TempFolder folder;
    std::vector<std::string> words{"sweep",    "--preset", "examples/xu-fig4",
                                   "--device", "sim",      "--methods",
                                   "ecr1",     "--csv",    (folder / "rows.csv").string()};
    ASSERT_EQ(run(words).status, 0);
    words.emplace_back("--resume");
    const Finished resumed = run(words);
    EXPECT_EQ(resumed.status, 0);
    EXPECT_EQ(resumed.err,
              "convscope: 1 rows were there already; a CSV holds no counts: without --resume they are counted again\n");
}

TEST(RooflineCommand, writes_what_it_measured) {
    const TempFolder folder;
    const std::string csv = (folder / "ceilings.csv").string();
    const Finished done = run({"roofline", "--device", "cpu", "--csv", csv});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.out.find("FLOP/s"), std::string::npos);
    EXPECT_EQ(done.out.find(" 0.0"), std::string::npos) << "a CPU reaches GFLOP/s: " << done.out;
    EXPECT_EQ(read_file(csv).rfind("device,device_name,timestamp_utc,copy_gb_per_s,", 0), 0U);
    EXPECT_EQ(run({"roofline", "--device", "sim"}).status, 2);
    EXPECT_EQ(run({"measure-worker"}).status, 2);
}

}  // namespace
}  // namespace convscope::testing
