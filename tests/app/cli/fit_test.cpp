// convscope fit, seen from outside.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/records/csv_file.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using nlohmann::json;
using testing::Finished;
using testing::read_file;
using testing::run;

constexpr double all_work = 4e8;

Record row(const std::string& method, const std::string& arithmetic, double zeros, double us,
           std::optional<double> multiply_adds) {
    Record record;
    record.device = "cuda:0";
    record.device_name = "NVIDIA H200";
    record.method = method;
    record.arithmetic = arithmetic;
    record.shape = {.c = 512, .h = 14, .w = 14, .k = 512, .r = 3, .s = 3};
    record.source = "uniform";
    record.timing_scope = "kernel";
    record.cache_mode = "hot";
    record.sparsity_target = record.sparsity_measured = zeros;
    record.samples = 20;
    record.time_median_us = us;
    if (multiply_adds) record.flops_executed = 2 * *multiply_adds;
    return record;
}

class Fitted : public ::testing::Test {
protected:
    std::string csv(const std::vector<double>& shares) const {
        std::vector<Record> rows;
        for (const double zeros : shares) {
            const double work = (1 - zeros) * all_work;
            rows.push_back(row("ecr4", "fp32", zeros, 10 + work / 6e6, work));
            rows.push_back(row("im2col", "fp32", zeros, 40, all_work));
            rows.push_back(row("cudnn-fp16", "fp16", zeros, 9, std::nullopt));
            rows.back().family = "vendor";
        }
        write_csv(folder_ / "rows.csv", rows);
        return (folder_ / "rows.csv").string();
    }
    const TempFolder folder_;
};

TEST_F(Fitted, says_what_a_zero_buys_and_when_it_pays) {
    const std::string out = (folder_ / "fit.json").string();
    const Finished finished = run({"fit", csv({0, 0.25, 0.5, 0.75}), "--json", out});
    EXPECT_EQ(finished.status, 0) << finished.err;
    for (const char* part :
         {"NVIDIA H200, scope kernel, cache hot", "ecr4  t = 10.0 us + multiply-adds / 6.00 TMAC/s; 4 points",
          "72 % of 8.36 TMAC/s, at which each multiply-add reads one operand from shared memory",
          "faster than im2col (FP32, 40.0 us) above 55 % zeros",
          "never as fast as cudnn-fp16 (FP16, 9.00 us): t0 alone takes longer"})
        expect_contains(finished.out, part);
    const json layer = json::parse(read_file(out)).at("layers").at(0);
    EXPECT_EQ(layer["dense"][0]["method"], "im2col");
    const json& line = layer["methods"][0];
    EXPECT_NEAR(line["t0_us"].get<double>(), 10, 1e-6);
    EXPECT_NEAR(line["rate_per_s"].get<double>(), 6e12, 1e6);
    EXPECT_TRUE(line["multiply_adds_without_zeros"].is_number_integer()) << "a multiply-add is whole";
    EXPECT_EQ(line["faster_above"][0]["method"], "im2col");
    EXPECT_NEAR(line["faster_above"][0]["zeros"].get<double>(), 0.55, 1e-6);
    EXPECT_EQ(line["faster_above"][1]["method"], "cudnn-fp16");
    EXPECT_TRUE(line["faster_above"][1]["zeros"].is_null());
}

TEST_F(Fitted, is_of_one_share_of_zeros_in_w_and_says_which) {
    const std::string in = csv({0, 0.25, 0.5, 0.75}), out = (folder_ / "fit.json").string();
    std::vector<Record> rows = read_csv(in).records;
    for (Record& each : rows) {
        each.weight_sparsity_target = 0.5;
        each.weight_pattern = "2:4";
    }
    write_csv(in, rows);
    const Finished finished = run({"fit", in, "--json", out});
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.out, "uniform data, weights 50 % zeros (2:4), NVIDIA H200");
    const json layer = json::parse(read_file(out)).at("layers").at(0);
    EXPECT_EQ(layer["weight_pattern"], "2:4");
    EXPECT_EQ(layer["weight_sparsity_target"], 0.5);
}

TEST_F(Fitted, tells_nothing_from_a_line_that_the_times_do_not_keep_to) {
    std::vector<Record> rows;
    for (const double zeros : {0.0, 0.25, 0.5, 0.75}) {
        const double work = (1 - zeros) * all_work;
        rows.push_back(row("ecr3", "fp32", zeros, zeros == 0.5 ? 90 : 10 + work / 6e6, work));
        rows.push_back(row("im2col", "fp32", zeros, 40, all_work));
    }
    write_csv(folder_ / "rows.csv", rows);
    const Finished finished = run({"fit", (folder_ / "rows.csv").string()});
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.out, "not compared with dense methods: a point lies farther off than 2 % of the range\n");
    EXPECT_EQ(finished.out.find("fewer than four"), std::string::npos) << finished.out;
    EXPECT_EQ(finished.out.find("im2col"), std::string::npos) << finished.out;
}

TEST_F(Fitted, prints_any_time_and_any_device_in_a_few_words) {
    std::vector<Record> rows;
    for (const double zeros : {0.0, 0.25, 0.5, 0.75}) {
        const double work = (1 - zeros) * all_work;
        rows.push_back(row("ecr4", "fp32", zeros, 1e290 * (1 + work), work));
        rows.push_back(row("im2col", "fp32", zeros, 1e308, all_work));
        for (Record* each : {&rows.back(), &rows[rows.size() - 2]}) each->device_name.clear();
    }
    write_csv(folder_ / "rows.csv", rows);
    const Finished finished = run({"fit", (folder_ / "rows.csv").string()});
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.out, "device not named, scope kernel");
    expect_contains(finished.out, "(FP32, 1.00e+302 s)");
    EXPECT_LT(finished.out.size(), 600U);
}

TEST_F(Fitted, says_which_methods_have_no_time) {
    std::vector<Record> rows;
    for (const double zeros : {0.0, 0.25, 0.5, 0.75}) {
        const double work = (1 - zeros) * all_work;
        rows.push_back(row("ecr4", "fp32", zeros, 10 + work / 6e6, work));
        rows.push_back(row("winograd1", "fp32", zeros, 20, all_work));
        rows.back().time_median_us.reset();
        rows.back().status = Status::timeout;
        rows.back().status_reason = zeros == 0.5 ? "" : "Too busy: 5 of 5 samples waited for a core";
        rows.push_back(row("pecr3", "fp32", zeros, 20, work));
        rows.back().time_median_us.reset();
        rows.back().status = Status::not_supported;
    }
    write_csv(folder_ / "rows.csv", rows);
    const Finished finished = run({"fit", (folder_ / "rows.csv").string()});
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.out,
                    "Left out, for they have no time: winograd1 (3 rows: Too busy: 5 of 5 samples "
                    "waited for a core; 1 row: timeout).\n");
}

TEST_F(Fitted, says_when_there_is_nothing_to_fit) {
    const Finished finished = run({"fit", csv({0, 0.5})});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(finished.out,
              "There is nothing to fit: it takes a method's times with different multiply-adds at three or more shares "
              "of zeros of one layer, as 'convscope sweep --sparsity 0:0.9:0.1 --csv FILE' measures them.\n");
    write_csv(folder_ / "times.csv", {row("ecr4", "fp32", 0.5, 40, std::nullopt)});
    const Finished times = run({"fit", (folder_ / "times.csv").string()});
    EXPECT_EQ(times.status, 0) << times.err;
    expect_contains(times.out, "no row with a time says what was executed (flops_executed)");
}

TEST_F(Fitted, bad_input) {
    Finished finished = run({"fit"});
    EXPECT_EQ(finished.status, 2);
    expect_contains(finished.err, "fit what?");
    finished = run({"fit", (folder_ / "none.csv").string()});
    EXPECT_EQ(finished.status, 6);
    const std::string file = csv({0, 0.5});
    finished = run({"fit", file, "--json", file});
    EXPECT_EQ(finished.status, 2) << "a command does not write over what it reads";
}

}  // namespace
}  // namespace convscope
