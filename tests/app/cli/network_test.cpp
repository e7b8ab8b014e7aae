// convscope network, seen from outside.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/measure/sample_counts.h"
#include "kernels/records/csv_file.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using nlohmann::json;
using testing::Finished;
using testing::read_file;
using testing::run;

std::string layer(const char* name, int c, int size, int k, const std::string& more) {
    return fmt::format(
        "[[preset]]\nname = \"{}\"\nc = {}\nh = {}\nw = {}\nk = {}\nr = 3\ns = 3\nsparsity = 0.5\n"
        "sparsity_from = \"ramp\"\n{}",
        name, c, size, size, k, more);
}

/// Three small layers that chain: plain, pooled, and one that stands for two.
std::string small_network(const char* chain = "true") {
    return fmt::format(
               "family = \"small\"\n[network]\ntitle = \"Small net\"\nprofile = \"Half, for tests.\"\nchain = {}\n",
               chain) +
           layer("first", 1, 12, 4, "") + layer("second+pool", 4, 10, 6, "pool = 2\npool_stride = 2\n") +
           layer("third", 6, 4, 6, "pad = 1\ntimes = 2\n");
}

class NetworkCommand : public ::testing::Test {
protected:
    std::vector<std::string> command(std::vector<std::string> more, const std::string& network = "") {
        std::vector<std::string> words{"network",
                                       "--preset",
                                       network.empty() ? file_ : network,
                                       "--device",
                                       "cpu",
                                       "--timeout",
                                       "5",
                                       "--min-samples",
                                       "3",
                                       "--max-noise",
                                       "50"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    void expect_rejection(const std::vector<std::string>& words, int status, const std::string& part) {
        const Finished finished = run(words);
        EXPECT_EQ(finished.status, status) << finished.err;
        expect_contains(finished.err, part);
        EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << "one sentence: " << finished.err;
        EXPECT_EQ(finished.out, "");
    }

    TempFolder folder_;
    std::string file_ = folder_.write("small.toml", small_network()).string();
    std::string csv_ = (folder_ / "rows.csv").string(), json_ = (folder_ / "rows.json").string();
};

TEST_F(NetworkCommand, runs_every_layer_and_adds_up) {
    const Finished finished = run(command({"--methods", "ocpa,im2col,pecr3", "--csv", csv_, "--json", json_}));
    ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
    for (const char* part : {"Small net: 3 layers, batch 1", "sparsity: Half, for tests.", "4x10x10 * 6x3x3, pool 2",
                             "second+pool", "ecr3  ", "pecr3  ", "not supported", "ramp", "1 of 3 layers",
                             "3 of 3 layers", "pecr3: not supported on small/first, small/third"})
        expect_contains(finished.out, part);

    const std::vector<Record> rows = read_csv(csv_).records;
    ASSERT_EQ(rows.size(), 9U);
    EXPECT_EQ(rows[2].status, Status::not_supported);
    EXPECT_EQ(rows[5].status, Status::passed);
    for (const Record& row : rows) EXPECT_EQ(row.sparsity_target, 0.5);

    const json result = json::parse(read_file(json_));
    EXPECT_EQ(result["network"], "small");
    EXPECT_EQ(result["chain"], false);
    ASSERT_EQ(result["layers"].size(), 3U);
    EXPECT_EQ(result["layers"][1]["layer"], "second+pool");
    EXPECT_EQ(result["layers"][1]["rows"][0]["choice"], "pecr3");
    EXPECT_EQ(result["layers"][0]["rows"][0]["choice"], "ecr3");
    EXPECT_EQ(result["layers"][2]["times"], 2);
    EXPECT_EQ(result["layers"][2]["rows"][1]["workload"], "small/third");
    double sum = 0;
    for (const json& each : result["layers"])
        sum += each["times"].get<double>() * each["rows"][0]["time_median_us"].get<double>();
    ASSERT_EQ(result["totals"].size(), 3U);
    EXPECT_EQ(result["totals"][0]["method"], "ocpa");
    EXPECT_EQ(result["totals"][0]["layers"], 3);
    EXPECT_DOUBLE_EQ(result["totals"][0]["time_us"].get<double>(), sum);
    EXPECT_EQ(result["totals"][2]["layers"], 1);
    EXPECT_TRUE(result["totals"][0]["speedup_vs_vendor"].is_null()) << "no vendor's method was requested";
}

TEST_F(NetworkCommand, compares_with_the_vendor) {
    const json devices = json::parse(run({"list", "methods", "--json"}).out);
    if (std::none_of(devices.begin(), devices.end(), [](const json& m) { return m["id"] == "onednn"; }))
        GTEST_SKIP() << "built without oneDNN";
    const Finished finished = run(command({"--json", json_}));
    ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
    const json result = json::parse(read_file(json_));
    EXPECT_EQ(result["totals"][0]["method"], "ocpa") << "what is compared when nobody says otherwise";
    // A time of few samples has no interval, and is compared with nothing.
    double own = 0, vendor = 0;
    int compared = 0;
    for (const json& each : result["layers"]) {
        const json& ocpa = each["rows"][0];
        const auto onednn = std::ranges::find(each["rows"], "onednn", [](const json& row) { return row["method"]; });
        ASSERT_NE(onednn, each["rows"].end());
        if (ocpa["noise_pct"].is_null() || (*onednn)["noise_pct"].is_null()) continue;
        ++compared;
        own += each["times"].get<double>() * ocpa["time_median_us"].get<double>();
        vendor += each["times"].get<double>() * (*onednn)["time_median_us"].get<double>();
    }
    EXPECT_EQ(result["totals"][0]["compared_layers"], compared);
    ASSERT_GT(compared, 0);
    expect_contains(finished.out, fmt::format("x over onednn FP32 on {} of 3 layers", compared));
    EXPECT_NEAR(result["totals"][0]["speedup_vs_vendor"].get<double>(), vendor / own, 1e-9 * vendor / own);
}

TEST_F(NetworkCommand, has_no_times_on_a_processor_that_is_too_busy) {
    const Finished finished = run(command({"--methods", "ocpa", "--csv", csv_}), {"CONVSCOPE_WAITS=all"});
    ASSERT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.out, "ocpa: too busy on small/first");
    expect_contains(finished.out, "  Too busy: ");
    expect_contains(finished.out, "nothing to compare");
    for (const Record& row : read_csv(csv_).records) {
        EXPECT_TRUE(is_too_busy(row)) << row.status_reason;
        EXPECT_FALSE(row.time_median_us || row.speedup_vs_vendor);
    }
}

TEST_F(NetworkCommand, chains_real_outputs) {
    const Finished finished = run(command({"--chain", "--methods", "ocpa", "--csv", csv_}));
    ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
    expect_contains(finished.out, "zeros arise by themselves");
    const std::vector<Record> rows = read_csv(csv_).records;
    ASSERT_EQ(rows.size(), 3U);
    for (const Record& row : rows) {
        EXPECT_EQ(row.source, "chain");
        EXPECT_EQ(row.sparsity_target, row.sparsity_measured);
        EXPECT_EQ(row.status, Status::passed) << row.status_reason;
    }
    EXPECT_EQ(rows[0].sparsity_measured, 0.5) << "the first layer's profile";
    EXPECT_GT(rows[1].sparsity_measured, 0.2);
    EXPECT_LT(rows[1].sparsity_measured, 0.8);
}

TEST_F(NetworkCommand, takes_layers_and_fields) {
    const Finished finished = run(command({"--layers", "third,second", "--n", "2", "--sparsity", "0.9", "--pattern",
                                           "channels", "--seed", "5", "--methods", "im2col", "--csv", csv_}));
    ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
    expect_contains(finished.out, "Small net: 2 layers, batch 2, channels data, seed 5");
    expect_contains(finished.out, "sparsity: 0.9 in every layer, as requested");
    const std::vector<Record> rows = read_csv(csv_).records;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].shape.c, 4) << "in the network's order";
    for (const Record& row : rows) {
        EXPECT_EQ(row.shape.n, 2);
        EXPECT_EQ(row.sparsity_target, 0.9);
        EXPECT_EQ(row.source, "channels");
        EXPECT_EQ(row.seed, 5U);
    }
}

TEST_F(NetworkCommand, prunes_the_weights_of_each_layer) {
    for (const std::vector<std::string>& mode : {std::vector<std::string>{}, {"--chain"}}) {
        std::vector<std::string> more{
            "--weight-sparsity", "0.75", "--weight-pattern", "magnitude", "--methods", "im2col", "--csv", csv_,
            "--resume"};
        more.insert(more.end(), mode.begin(), mode.end());
        const Finished finished = run(command(more));
        ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
        expect_contains(finished.out, "zeros in w: 75 % of every layer's weights as requested, magnitude\n");
        expect_contains(finished.out, "  zeros in w");
        expect_contains(finished.out, "75.0 %");
        const std::vector<Record> rows = read_csv(csv_).records;
        ASSERT_EQ(rows.size(), mode.empty() ? 3U : 6U);
        for (const Record& row : rows) {
            EXPECT_EQ(row.status, Status::passed) << row.status_reason;
            EXPECT_EQ(row.weight_sparsity_target, 0.75);
            EXPECT_NEAR(row.weight_sparsity_measured.value(), 0.75, 0.02);
            EXPECT_EQ(row.weight_pattern, "magnitude");
        }
    }
    expect_contains(run(command({"--weight-pattern", "2:4", "--methods", "im2col"})).out,
                    "zeros in w: of each four channels of every layer's weights at most two are left, 2:4\n");
    expect_rejection(command({"--weight-pattern", "rows"}), 2, "--weight-pattern rows needs the share of zeros");
    expect_rejection(command({"--weight-pattern", "2:4", "--weight-sparsity", "0.3"}), 2, "the pattern 2:4 keeps two");
    expect_rejection(command({"--weight-pattern", "stripes"}), 2, "--weight-pattern: 'stripes'");
}

TEST_F(NetworkCommand, says_the_zeros_of_weights_that_it_has) {
    const Finished trained = run(command({"--layers", "conv1", "--methods", "im2col", "--csv", csv_}, "resnet8"));
    ASSERT_EQ(trained.status, 0) << trained.err << trained.out;
    expect_contains(trained.out, "  zeros in w");
    const double zeros = read_csv(csv_).records.at(0).weight_sparsity_measured.value();
    expect_contains(trained.out, fmt::format("{:.1f} %", 100 * zeros));
    const Finished drawn = run(command({"--methods", "im2col"}));
    EXPECT_EQ(drawn.out.find("zeros in w"), std::string::npos) << drawn.out;
}

TEST_F(NetworkCommand, resumes_where_layers_are_missing) {
    for (const std::vector<std::string>& mode : {std::vector<std::string>{}, {"--chain"}}) {
        const std::string csv = (folder_ / (mode.empty() ? "plain.csv" : "chain.csv")).string();
        std::vector<std::string> words = command({"--methods", "ocpa,im2col", "--csv", csv});
        words.insert(words.end(), mode.begin(), mode.end());
        ASSERT_EQ(run(words).status, 0);
        const std::string whole = read_file(csv);

        // As an earlier run leaves it that was ended in the second layer.
        std::size_t end = 0;
        for (int line = 0; line < 4; ++line) end = whole.find("\r\n", end) + 2;
        folder_.write(std::filesystem::path(csv).filename().string(), whole.substr(0, end));
        words.insert(words.end(), {"--resume", "--json", json_});
        const Finished finished = run(words);
        ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
        EXPECT_EQ(read_file(csv).substr(0, end), whole.substr(0, end)) << "rows that are there stay";
        EXPECT_EQ(read_csv(csv).records.size(), 3U + 4U) << "a layer with a row missing is measured whole";
        const json result = json::parse(read_file(json_));
        EXPECT_EQ(result["totals"][0]["layers"], 3) << "earlier layers count";
        EXPECT_EQ(result["layers"][0]["rows"][0]["workload"], "small/first");

        const std::string complete = read_file(csv);
        EXPECT_EQ(run(words).status, 0);
        EXPECT_EQ(read_file(csv), complete) << "nothing is left to measure";
    }
}

TEST_F(NetworkCommand, on_the_simulated_gpu_layers_are_verified) {
    const Finished finished =
        run({"network", "--preset", file_, "--device", "sim", "--methods", "ocpa", "--layers", "first,second"});
    ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
    expect_contains(finished.out, "ecr3  verified");
    expect_contains(finished.out, "pecr3  verified");
    expect_contains(finished.out, "nothing to compare");
}

TEST_F(NetworkCommand, the_simulated_gpu_sums_what_it_counts) {
    const std::string csv = (folder_ / "simulated.csv").string();
    const std::vector<std::string> words{"network",     "--preset", file_,   "--device", "sim", "--methods",
                                         "mec4,im2col", "--layers", "first", "--csv",    csv};
    const Finished counted = run(words);
    ASSERT_EQ(counted.status, 0) << counted.err;
    EXPECT_EQ(counted.out.find("scope"), std::string::npos) << "it has no clock";
    EXPECT_EQ(counted.out.find("that each method ran"), std::string::npos) << "both ran";
    expect_contains(counted.out, "multiplications");
    expect_contains(counted.out, "1 of 1 layers");
    expect_contains(counted.out, "im2col: not counted on small/first\n");
    expect_contains(counted.out, "of which the executor sees nothing");

    std::vector<std::string> again = words;
    again.emplace_back("--resume");
    const Finished resumed = run(again);
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    expect_contains(resumed.out, "mec4: not counted on small/first\n  read from a CSV, which holds no counts");
}

TEST_F(NetworkCommand, bad_input_is_one_sentence) {
    expect_rejection({"network"}, 2, "no network: give --preset NAME; 'convscope list networks' names them all");
    expect_rejection(command({}, "vgg16"), 3, "no network 'vgg16'; the nearest is vgg19");
    expect_rejection(command({}, "vgg19/conv5_1"), 3,
                     "is a layer: convscope bench --preset vgg19/conv5_1; the networks");
    expect_rejection(command({}, "mec"), 3, "the presets mec/... are not a network; the networks are ");
    expect_rejection(command({}, (folder_ / "none.toml").string()), 6, "none.toml' cannot be read");
    expect_rejection(command({"--layers", "first,fourth"}), 3, "small has no layer 'fourth'");
    expect_rejection(command({"--methods", "ocpa,ocba"}), 3, "no method 'ocba' on cpu; there are");
    expect_rejection(command({"--methods", "ecr,ecr5"}), 2, "'ecr5' is named twice");
    expect_rejection(command({"--sparsity", "1.5"}), 2, "--sparsity");
    expect_rejection(command({"--pattern", "stripes"}), 2, "--pattern: 'stripes'");
    expect_rejection(command({"--n", "0"}), 2, "--n");
    expect_rejection(command({"--resume"}), 2, "--resume goes on with a CSV: give --csv FILE");
    expect_rejection(command({"--chain", "--sparsity", "0.5"}), 2, "--sparsity does not go with --chain");
    expect_rejection(command({"--chain", "--layers", "first,third"}), 2,
                     "small does not chain: first gives 4x10x10, but third takes 6x4x4");
    const std::string branches = folder_.write("branches.toml", small_network("false")).string();
    expect_rejection(command({"--chain"}, branches), 2, "small does not chain: between first and third it branches");
    const std::string plain = folder_
                                  .write("plain.toml",
                                         "family = \"p\"\n[[preset]]\nname = \"a\"\nc = 1\nh = 8\n"
                                         "w = 8\nk = 1\nr = 3\ns = 3\n")
                                  .string();
    expect_rejection(command({}, plain), 6, "plain.toml is not a network: it has no [network] table");
}

TEST_F(NetworkCommand, networks_are_listed) {
    expect_contains(run({"list", "networks"}).out, "vgg19");
    const json networks = json::parse(run({"list", "networks", "--json"}).out);
    const auto vgg = std::find_if(networks.begin(), networks.end(), [](const json& n) { return n["name"] == "vgg19"; });
    ASSERT_NE(vgg, networks.end());
    EXPECT_EQ((*vgg)["chain"], true);
    ASSERT_EQ((*vgg)["layers"].size(), 16U);
    EXPECT_EQ((*vgg)["layers"][12]["sparsity_from"], "printed");
}

TEST_F(NetworkCommand, a_family_stands_for_its_newest_in_bench_too) {
    const Finished finished = run({"bench", "--device", "cpu", "--h", "6", "--r", "3", "--methods", "ecr", "--timeout",
                                   "0.1", "--min-samples", "3", "--max-noise", "50", "--csv", csv_});
    ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
    EXPECT_EQ(read_csv(csv_).records.at(0).method, "ecr5");
}

}  // namespace
}  // namespace convscope
