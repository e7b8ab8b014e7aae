// The subcommands, run as a user runs them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/core/version.h"
#include "kernels/files/npy.h"
#include "kernels/formats/format_arrays.h"
#include "kernels/formats/format_file.h"
#include "kernels/measure/sample_counts.h"
#include "kernels/records/csv_file.h"
#include "tests/app/cli/program.h"
#include "tests/support/wait.h"

namespace convscope {
namespace {

using nlohmann::json;
using testing::Finished;
using testing::npy_bytes;
using testing::Program;
using testing::read_file;
using testing::run;

const std::vector<std::string> brief{"--timeout", "10", "--min-samples", "3", "--max-noise", "50"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(Cli, version_and_help) {
    const Finished version = run({"--version"});
    EXPECT_EQ(version.status, 0);
    expect_contains(version.out, std::string("convscope ") + program_version());
    for (const char* command : {"bench", "sweep", "network", "layout", "run", "trace", "list", "tour"}) {
        const Finished help = run({command, "--help"});
        EXPECT_EQ(help.status, 0);
        EXPECT_EQ(help.err, "");
        EXPECT_GT(help.out.size(), 100U);
        expect_contains(run({"--help"}).out, command);
    }
}

TEST(Cli, lists_as_json) {
    const json methods = json::parse(run({"list", "methods", "--json"}).out);
    ASSERT_FALSE(methods.empty());
    for (const json& method : methods)
        for (const char* key : {"id", "family", "title", "device", "paper", "stages"})
            EXPECT_TRUE(method.contains(key)) << method;
    const json presets = json::parse(run({"list", "presets", "--json"}).out);
    const auto fig4 =
        std::find_if(presets.begin(), presets.end(), [](const json& p) { return p["name"] == "examples/xu-fig4"; });
    ASSERT_NE(fig4, presets.end());
    EXPECT_EQ((*fig4)["h"], 5);
    EXPECT_EQ((*fig4)["r"], 3);
    const json devices = json::parse(run({"list", "devices", "--json"}).out);
    for (const json& device : devices) {
        EXPECT_TRUE(device.contains("id") && device.contains("name"));
        EXPECT_TRUE(device["available"] == true || device.contains("reason")) << device;
    }
    EXPECT_EQ(devices[0]["id"], "cpu");
}

TEST(Cli, bench_writes_its_rows) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string(), js = (folder / "a.json").string();
    const Finished finished = run(with({"bench", "--device", "cpu", "--preset", "examples/xu-fig4", "--methods",
                                        "im2col,ecr1,pecr1", "--csv", csv, "--json", js},
                                       brief));
    EXPECT_EQ(finished.status, 0) << finished.err;
    for (const char* part : {"im2col", "ecr1", "pecr1", "not_supported", "median", "1x1x5x5"})
        expect_contains(finished.out, part);
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty());
    ASSERT_EQ(content.records.size(), 3U);
    EXPECT_EQ(content.records[0].status, Status::passed);
    EXPECT_GE(content.records[0].samples, 3);
    EXPECT_EQ(content.records[0].max_rel_err, 0) << "whole numbers";
    EXPECT_EQ(content.records[1].flops_effective, 54) << "27 multiply-adds (paper-examples.json)";
    EXPECT_EQ(content.records[2].status, Status::not_supported);
    const json rows = json::parse(read_file(js));
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0]["samples_us"].size(), rows[0]["samples"]);
    EXPECT_EQ(rows[0]["workload"], "examples/xu-fig4");
}

TEST(TooBusy, a_bench_has_no_times_and_says_why_and_a_sweep_measures_again) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    const auto sweep = with({"sweep", "--preset", "examples/xu-fig4", "--csv", csv, "--resume"}, testing::quick_timing);
    const auto bench = with({"bench", "--preset", "examples/xu-fig4"}, testing::quick_timing);
    const Finished finished = run(bench, {"CONVSCOPE_WAITS=all"});
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.out, " samples waited for a core\n");
    EXPECT_EQ(finished.out.find("passed"), std::string::npos) << finished.out;
    EXPECT_EQ(run(sweep, {"CONVSCOPE_WAITS=all"}).status, 0);
    const std::vector<Record> busy = read_csv(csv).records;
    ASSERT_EQ(busy.size(), 2U);
    for (const Record& row : busy) {
        EXPECT_TRUE(is_too_busy(row)) << row.status_reason;
        EXPECT_EQ(row.samples, 0);
        EXPECT_FALSE(row.time_median_us || row.noise_pct || row.gflops || row.speedup_vs_vendor);
        EXPECT_TRUE(row.max_rel_err) << "it is right all the same";
    }
    EXPECT_EQ(run(sweep).status, 0);
    const std::vector<Record> again = read_csv(csv).records;
    ASSERT_EQ(again.size(), 4U);
    for (std::size_t i = 2; i < again.size(); ++i) EXPECT_EQ(again[i].status, Status::passed);
}

TEST(TooBusy, a_break_even_has_no_ratio_to_bisect_by) {
    const Finished finished = run({"break-even", "--h", "8", "--r", "3", "--device", "cpu", "--method", "mec2",
                                   "--vendor", "im2col", "--over", "sparsity", "--timeout", "0.01"},
                                  {"CONVSCOPE_WAITS=all"});
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.out, "mec2 cannot be compared with im2col");
    expect_contains(finished.out, "no ratio, mec2: Too busy: ");
}

TEST(Cli, bench_says_which_of_two_methods_is_faster) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    const Finished finished = run(with({"bench", "--device", "cpu", "--h", "8", "--r", "3", "--verdict", "im2col",
                                        "mec2", "--time-limit", "0.5", "--csv", csv},
                                       {"--timeout", "0.01"}));
    EXPECT_EQ(finished.status, 0) << finished.err;
    for (const char* part : {"im2col", "mec2", " runs"}) expect_contains(finished.out, part);
    EXPECT_EQ(std::count(finished.out.begin(), finished.out.end(), '\n'), 1) << finished.out;
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty());
    ASSERT_GE(content.records.size(), 2U);
    EXPECT_EQ(content.records.size() % 2, 0U) << "both in each run";
    EXPECT_EQ(content.records[0].method, "im2col") << "whatever the order in the run";
}

TEST(Cli, bench_takes_samples_in_several_processes) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    const Finished finished = run(
        with({"bench", "--device", "cpu", "--h", "8", "--r", "3", "--methods", "im2col", "--runs", "6", "--csv", csv},
             brief));
    EXPECT_EQ(finished.status, 0) << finished.err;
    const std::vector<Record> rows = read_csv(csv).records;
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].status, Status::passed) << rows[0].status_reason;
}

TEST(Cli, bench_tells_the_quantities_of_a_plan) {
    const TempFolder folder;
    const std::string js = (folder / "plan.json").string();
    const Finished finished = run({"bench", "--device", "sim", "--preset", "chang/single-28-k3", "--h", "12", "--w",
                                   "12", "--k", "150", "--methods", "tiled-single", "--set", "P=2", "--json", js});
    EXPECT_EQ(finished.status, 0) << finished.err;
    const json row = json::parse(read_file(js)).at(0);
    EXPECT_EQ(row["status"], "passed") << row["status_reason"];
    EXPECT_EQ(row["tunables"], "P=2;Q=0");
    std::map<std::string, double> values;
    for (const json& quantity : row["quantities"]) values[quantity["symbol"]] = quantity["value"];
    EXPECT_EQ(values["N_FMA"], 122'624);
    EXPECT_EQ(values["P"], 2);
    EXPECT_EQ(values["D1"], 4 * (9 * 2 + (6 + 2) * 12));  // Eq. 5: 150 filters over 132 SMs, the map in two pieces
}

TEST(Cli, preset_fields_can_be_overridden) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    const Finished finished =
        run(with({"bench", "--device", "cpu", "--preset", "examples/xu-fig4", "--h", "8", "--pool", "2", "--stride",
                  "2,1", "--methods", "im2col", "--sparsity", "0.5", "--csv", csv},
                 brief));
    EXPECT_EQ(finished.status, 0) << finished.err;
    const Record record = read_csv(csv).records.at(0);
    EXPECT_EQ(record.shape, (ConvShape{1, 1, 8, 8, 1, 3, 3, 2, 1, 0, 0, 2, 2, 2}));
    EXPECT_EQ(record.source, "uniform");
    EXPECT_EQ(record.sparsity_measured, 0.5);
}

TEST(Cli, presets_of_a_file_of_ones_own_are_measured) {
    const TempFolder folder;
    const std::string layer = "c = 1\nh = 6\nw = 6\nk = 1\nr = 3\ns = 3\n";
    const std::string file = folder.write("mine.toml", "family = 'mine'\n[[preset]]\nname = 'a'\n" + layer +
                                                           "[[preset]]\nname = 'b'\n" + layer + "stride = 2\n");
    const std::string csv = (folder / "a.csv").string();
    const auto measured = [&](std::vector<std::string> words) {
        return run(with(with(std::move(words), {"--device", "cpu", "--methods", "im2col", "--csv", csv}), brief));
    };
    EXPECT_EQ(measured({"bench", "--preset", file + "/b"}).status, 0);
    EXPECT_EQ(read_csv(csv).records.at(0).shape.stride_h, 2);
    const Finished several = measured({"bench", "--preset", file});
    EXPECT_EQ(several.status, 2);
    expect_contains(several.err, "holds several presets; give one of " + file + "/a, " + file + "/b");
    EXPECT_EQ(measured({"sweep", "--preset", file, "--quiet"}).status, 0);
    EXPECT_EQ(read_csv(csv).records.size(), 3U) << "each of the file's";
}

TEST(Cli, a_presets_own_maps_are_used_in_their_own_sizes_only) {
    const TempFolder folder;
    const auto row_of = [&](const std::string& name, std::vector<std::string> more) {
        const std::string csv = (folder / name).string();
        more.insert(more.begin(),
                    {"bench", "--device", "cpu", "--preset", "shapes/conv9", "--methods", "im2col", "--csv", csv});
        const Finished finished = run(with(std::move(more), brief));
        EXPECT_EQ(finished.status, 0) << finished.err;
        return read_csv(csv).records.at(0);
    };
    const Record own = row_of("own.csv", {"--pad", "0"});
    EXPECT_EQ(own.source, "file");
    EXPECT_NEAR(own.sparsity_measured, 0.9311, 1e-4);
    const Record smaller = row_of("smaller.csv", {"--h", "5"});
    EXPECT_EQ(smaller.source, "uniform");
    EXPECT_EQ(smaller.shape.h, 5);
    EXPECT_EQ(row_of("fewer.csv", {"--sparsity", "0.5"}).source, "uniform");
}

TEST(Cli, sweep_spans_its_points_and_keeps_impossible_ones) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    const Finished finished = run(with({"sweep", "--device", "cpu", "--h", "6", "--r", "3,9", "--sparsity",
                                        "0:0.5:0.25", "--methods", "im2col,ecr1", "--csv", csv},
                                       brief));
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.err, "r 3, zeros 25 %");
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty());
    const auto& records = content.records;
    ASSERT_EQ(records.size(), 12U);
    EXPECT_EQ(std::count_if(records.begin(), records.end(), [](const Record& r) { return r.status == Status::passed; }),
              6);
    for (const Record& record : records) {
        if (record.shape.r != 9) continue;
        EXPECT_EQ(record.status, Status::invalid_config);
        expect_contains(record.status_reason, "9x9 filter");
    }
}

TEST(Cli, zeros_in_the_weights_are_measured_written_and_found_again) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string(), js = (folder / "a.json").string();
    const auto sweep = with({"sweep",
                             "--device",
                             "cpu",
                             "--h",
                             "6",
                             "--r",
                             "3",
                             "--c",
                             "6",
                             "--k",
                             "4",
                             "--weight-pattern",
                             "2:4,magnitude",
                             "--weight-sparsity",
                             "0,0.5",
                             "--methods",
                             "im2col",
                             "--csv",
                             csv,
                             "--resume"},
                            brief);
    const Finished finished = run(sweep);
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.err, "weight zeros 50 %, weight-pattern magnitude");
    expect_contains(finished.out, "% zeros, 50 % in w (magnitude, 50 % requested), seed 1");
    expect_contains(finished.out, "% zeros, 33.33 % in w (2:4, 50 % requested), seed 1");
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty());
    ASSERT_EQ(content.records.size(), 4U);
    for (const Record& record : content.records) {
        const bool two_of_four = record.weight_pattern == "2:4";
        if (two_of_four && record.weight_sparsity_target == 0) {
            EXPECT_EQ(record.status, Status::invalid_config);
            expect_contains(record.status_reason, "so that it must be 0.5");
            continue;
        }
        EXPECT_EQ(record.status, Status::passed) << record.status_reason;
        // The first four of six channels lose two, the others none.
        EXPECT_DOUBLE_EQ(record.weight_sparsity_measured.value(),
                         two_of_four ? 1.0 / 3 : record.weight_sparsity_target);
    }
    expect_contains(run(sweep).err, "4 rows were there already");
    const Finished bench = run(with({"bench", "--device", "cpu", "--preset", "examples/xu-fig4", "--weight-sparsity",
                                     "1", "--weight-pattern", "rows", "--methods", "im2col", "--json", js},
                                    brief));
    EXPECT_EQ(bench.status, 0) << bench.err;
    const json row = json::parse(read_file(js)).at(0);
    EXPECT_EQ(row["weight_pattern"], "rows");
    EXPECT_EQ(row["weight_sparsity_target"], 1);
    EXPECT_EQ(row["weight_sparsity_measured"], 1);
    EXPECT_EQ(row["source"], "example");
}

TEST(Cli, layout_has_the_weights_that_are_left) {
    const TempFolder folder;
    const Finished finished = run({"layout", "--h", "4", "--r", "1", "--c", "8", "--k", "4", "--weight-pattern", "2:4",
                                   "--format", "2:4", "--of", "w", "--out", (folder / "out").string()});
    EXPECT_EQ(finished.status, 0) << finished.err;
    const json layout = json::parse(read_file(folder / "out/layout.json"));
    EXPECT_EQ(layout["weight_sparsity_measured"], 0.5);
    EXPECT_FALSE(layout.contains("loss")) << layout["loss"];
    const NpyArray values = read_npy(folder / "out/values.npy");
    EXPECT_EQ(values.data.size(), 16U);
    EXPECT_EQ(std::ranges::count(values.data, 0.0F), 0);
}

TEST(Cli, run_prunes_the_weights_of_a_file) {
    const TempFolder folder;
    const auto x = folder.write("x.npy", npy_bytes("(1, 1)", {1}));
    const auto w = folder.write("w.npy", npy_bytes("(4, 1, 1, 1)", {4, -1, 3, 2}));
    const std::string y = (folder / "y.npy").string();
    const Finished finished = run({"run", "--method", "im2col", "--input", x.string(), "--weights", w.string(),
                                   "--weight-sparsity", "0.5", "--weight-pattern", "magnitude", "--output", y});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(read_npy(y).data, (std::vector<float>{4, 0, 3, 0}));
}

TEST(Cli, sweep_resumes_where_it_was_cut_off) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    const auto sweep = with({"sweep", "--device", "cpu", "--preset", "examples/xu-fig4", "--pad", "0:2:1", "--methods",
                             "im2col,mec2", "--csv", csv, "--resume", "--quiet"},
                            brief);
    EXPECT_EQ(run(sweep).status, 0);
    const std::string whole = read_file(csv);
    EXPECT_EQ(read_csv(csv).records.size(), 6U);
    const Finished again = run(sweep);
    EXPECT_EQ(again.status, 0);
    expect_contains(again.err, "6 rows were there already");
    EXPECT_EQ(read_file(csv), whole);
    // As kill -9 leaves it: two whole rows are missing, and a part of a third.
    std::vector<std::size_t> ends;
    for (std::size_t at = whole.find('\n'); at != std::string::npos; at = whole.find('\n', at + 1)) ends.push_back(at);
    folder.write("a.csv", whole.substr(0, ends[4] - 10));
    const Finished resumed = run(sweep);
    EXPECT_EQ(resumed.status, 0);
    expect_contains(resumed.err, "cut off");
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty());
    ASSERT_EQ(content.records.size(), 6U);
    for (std::int64_t pad = 0; pad < 3; ++pad)
        EXPECT_EQ(std::count_if(content.records.begin(), content.records.end(),
                                [&](const Record& r) { return r.shape.pad_h == pad; }),
                  2);
}

TEST(Cli, padding_by_side_is_measured_written_and_found_again) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    const auto sweep = with({"sweep", "--device", "cpu", "--h", "6", "--r", "2", "--pad", "1,0x1x0x1,same", "--methods",
                             "im2col,mec2", "--csv", csv, "--resume", "--quiet"},
                            brief);
    EXPECT_EQ(run(sweep).status, 0);
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty());
    ASSERT_EQ(content.records.size(), 4U) << "of two shapes: that of 'same' is there already";
    for (const Record& record : content.records) {
        const bool by_side = record.shape.padded_by_side();
        EXPECT_EQ(record.shape.p(), by_side ? 6 : 7);
        EXPECT_EQ(record.status, by_side && record.method == "mec2" ? Status::not_supported : Status::passed)
            << record.status_reason;
    }
    const std::string whole = read_file(csv);
    expect_contains(whole, ",0+1,0+1,");
    expect_contains(run(sweep).err, "4 rows were there already");
    EXPECT_EQ(read_file(csv), whole);
    const Finished one = run(
        with({"bench", "--device", "cpu", "--h", "6", "--r", "2", "--pad", "0,1,0,1", "--methods", "im2col"}, brief));
    EXPECT_EQ(one.status, 0) << one.err;
    expect_contains(one.out, "pad 0,1,0,1");
}

TEST(Cli, run_convolves_files) {
    const TempFolder folder;
    // Xu 2019, Fig. 4.
    const auto x = folder.write("x.npy", npy_bytes("(5, 5)", {0, 0, 15, 8, 0,  22, 0, 0,  23, 0, 0, 8, 0,
                                                              0, 0, 0,  0, 19, 0,  0, 10, 4,  0, 0, 22}));
    const auto w = folder.write("w.npy", npy_bytes("(3, 3)", {0, 1, 0, 1, 0, 1, 0, 1, 0}));
    const std::vector<float> right{30, 38, 8, 0, 27, 23, 31, 0, 19};
    for (const char* method : {"im2col", "ecr1", "mec2", "reference"}) {
        const std::string y = (folder / "y.npy").string();
        const Finished finished = run({"run", "--method", method, "--input", x.string(), "--weights", w.string(),
                                       "--output", y, "--device", "cpu"});
        EXPECT_EQ(finished.status, 0) << finished.err;
        const NpyArray array = read_npy(y);
        EXPECT_EQ(array.shape, (NpyShape{1, 1, 3, 3}));
        EXPECT_EQ(array.data, right) << method;
    }
}

TEST(Cli, run_pools_after_relu_and_reads_fortran_order) {
    const TempFolder folder;
    // Columns first: the map is [[1, -2], [3, 4]] in rows.
    const auto x = folder.write("x.npy", npy_bytes("(2, 2)", {1, 3, -2, 4}, true));
    const auto w = folder.write("w.npy", npy_bytes("(1, 1)", {-1}));
    const std::string y = (folder / "y.npy").string();
    EXPECT_EQ(run({"run", "--method", "im2col", "--input", x.string(), "--weights", w.string(), "--output", y}).status,
              0);
    EXPECT_EQ(read_npy(y).data, (std::vector<float>{-1, 2, -3, -4}));
    for (const char* method : {"pecr1", "pecr"}) {  // one of its family, or the newest
        const Finished pooled = run(
            {"run", "--method", method, "--input", x.string(), "--weights", w.string(), "--output", y, "--pool", "2"});
        EXPECT_EQ(pooled.status, 0) << pooled.err;
        EXPECT_EQ(read_npy(y).data, (std::vector<float>{2}));
    }
}

TEST(Cli, nan_in_the_data_is_allowed_and_reported) {
    const TempFolder folder;
    const auto x = folder.write("x.npy", npy_bytes("(2, 2)", {1, std::numeric_limits<float>::quiet_NaN(), 0, 4}));
    const auto w = folder.write("w.npy", npy_bytes("(1, 1)", {2}));
    const std::string y = (folder / "y.npy").string();
    const Finished finished =
        run({"run", "--method", "im2col", "--input", x.string(), "--weights", w.string(), "--output", y});
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.err, "1 NaN");
    EXPECT_TRUE(std::isnan(read_npy(y).data[1]));
    for (const char* format : {"im2col", "csr"}) {
        const Finished layout = run({"layout", "--format", format, "--input", x.string(), "--weights", w.string(),
                                     "--out", (folder / format).string()});
        EXPECT_EQ(layout.status, 0) << layout.err;
        expect_contains(layout.err, "the data holds 1 NaN");
    }
}

TEST(Cli, layout_writes_the_arrays_of_figure_4) {
    const TempFolder folder;
    const Finished finished =
        run({"layout", "--preset", "examples/xu-fig4", "--format", "ecr", "--out", (folder / "out").string()});
    EXPECT_EQ(finished.status, 0) << finished.err;
    const json layout = json::parse(read_file(folder / "out/layout.json"));
    EXPECT_EQ(layout["format"], "ecr");
    std::vector<std::string> names;
    for (const json& array : layout["arrays"]) {
        names.push_back(array["name"]);
        EXPECT_TRUE(std::filesystem::exists(folder / "out" / std::string(array["file"])));
        EXPECT_FALSE(std::string(array["meaning"]).empty());
        EXPECT_TRUE(array.contains("shape") && array.contains("dtype"));
    }
    EXPECT_EQ(names, (std::vector<std::string>{"x", "w", "F_data", "K_data", "Ptr", "offsets", "K_index"}));
    // The first block row: 15 22 8, 15 8 23 8, 15 8 23.
    const std::string bytes = read_file(folder / "out/F_data.npy");
    std::vector<float> first(10);
    std::copy_n(bytes.data() + bytes.find('\n') + 1, 40, reinterpret_cast<char*>(first.data()));
    EXPECT_EQ(first, (std::vector<float>{15, 22, 8, 15, 8, 23, 8, 15, 8, 23}));
}

TEST(Cli, every_format_has_its_arrays) {
    const TempFolder folder;
    const std::vector<std::pair<std::string, std::vector<std::string>>> formats{
        {"pecr", {"Data", "Index", "Count", "offsets"}}, {"mec", {"L", "partitions"}}, {"im2col", {"matrix"}}};
    for (const auto& [format, arrays] : formats) {
        const Finished finished =
            run({"layout", "--c", "2", "--k", "3", "--h", "6", "--r", "3", "--pad", "1", "--pool", "2", "--sparsity",
                 "0.5", "--format", format, "--out", (folder / format).string()});
        EXPECT_EQ(finished.status, 0) << finished.err;
        for (const std::string& array : arrays)
            EXPECT_TRUE(std::filesystem::exists(folder / format / (array + ".npy")));
    }
    const json layout = json::parse(read_file(folder / "mec" / "layout.json"));
    EXPECT_EQ(layout["arrays"][2]["shape"], (std::vector<int>{6, 8 * 3 * 2}));
}

TEST(Cli, layout_writes_and_prints_a_sparse_format) {
    const TempFolder folder;
    const std::string out = (folder / "out").string();
    const Finished finished = run({"layout", "--preset", "examples/xu-fig4", "--format", "csr", "--out", out});
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.out, "row_ptr      int32    6          0 2 4 5 6 9\n");
    expect_contains(finished.out, "col_idx      int32    9          2 3 0 3 1 2 0 1 4\n");
    expect_contains(finished.out, "values       float32  9          15 8 22 23 8 19 10 4 22\n");
    expect_contains(finished.out, "CSR of x ((n c h) \u00d7 w, 5 \u00d7 5) is in " + out + ": 96 bytes; dense, 100\n");
    const Finished printed = run({"layout", "--preset", "examples/xu-fig4", "--format", "csr"});
    EXPECT_EQ(printed.status, 0) << printed.err;
    expect_contains(printed.out, "col_idx      int32    9          2 3 0 3 1 2 0 1 4\n");
    expect_contains(printed.out, "CSR of x ((n c h) \u00d7 w, 5 \u00d7 5): 96 bytes; dense, 100\n");
    expect_contains(printed.out,
                    "A warp of csr2 (a thread per row) asks for 1 sector a load of values, 38 % of their ");
    const json loads = json::parse(read_file(out + "/layout.json"))["loads"];
    EXPECT_EQ(loads["rows"], 5);
    EXPECT_EQ(loads["arrays"][2], (json{{"method", "csr2"},
                                        {"kernel", "csr2_multiply"},
                                        {"array", "values"},
                                        {"requests", 3},
                                        {"sectors", 3},
                                        {"bytes_wanted", 36}}));
    const json layout = json::parse(read_file(folder / "out/layout.json"));
    EXPECT_EQ(layout["levels"], "dense row, compressed col");
    EXPECT_EQ(layout["arrays"][1]["dtype"], "int32");
    const std::string bytes = read_file(folder / "out/row_ptr.npy");
    std::vector<std::int32_t> row_ptr(6);
    std::copy_n(bytes.data() + bytes.find('\n') + 1, 24, reinterpret_cast<char*>(row_ptr.data()));
    EXPECT_EQ(row_ptr, (std::vector<std::int32_t>{0, 2, 4, 5, 6, 9}));
}

TEST(Cli, layout_of_x_alone_needs_no_filters) {
    const std::vector<std::string> layer{"layout", "--format", "csr", "--h", "6", "--sparsity", "0.5"};
    const Finished x = run(layer);
    EXPECT_EQ(x.status, 0) << x.err;
    std::vector<std::string> filtered = layer;
    filtered.insert(filtered.end(), {"--r", "3", "--of", "x"});
    EXPECT_EQ(run(filtered).out, x.out);
    std::vector<std::string> lowered = layer;
    lowered.insert(lowered.end(), {"--of", "im2col"});
    const Finished rejected = run(lowered);
    EXPECT_EQ(rejected.status, 2);
    expect_contains(rejected.err, "--r");
    const TempFolder folder;
    const std::string file = folder.write("x.npy", npy_bytes("(2, 3)", {0, 1, 0, 2, 0, 3})).string();
    const Finished read = run({"layout", "--format", "csr", "--input", file});
    EXPECT_EQ(read.status, 0) << read.err;
    expect_contains(read.out, "row_ptr      int32    3          0 1 3\n");
}

TEST(Cli, a_matrix_far_too_large_to_be_dense_is_listed_and_laid_out) {
    const TempFolder folder;
    constexpr std::int64_t side = 40000;
    SparseMatrix matrix{side, side, {}};
    for (std::int32_t i = 0; i < side; ++i) matrix.entries.push_back({i, (i * 7) % 40000, 1.0F});
    const std::string file =
        folder.write("large.npz", matrix_npz_bytes(build_from_entries(find_sparse_format("csr"), matrix, false)))
            .string();
    // The dense matrix alone has 6.4 GB.
    const std::string limit =
        fmt::format("ulimit -v {}; exec '{}' layout --from '{}'", 3 << 20, CONVSCOPE_PROGRAM, file);
    const auto limited = [&](const std::string& more) {
        return std::system(fmt::format("{} {} > '{}' 2>&1", limit, more, (folder / "out").string()).c_str());
    };
    EXPECT_EQ(limited(""), 0) << read_file(folder / "out");
    const std::string out = read_file(folder / "out");
    expect_contains(out, "csr, 40000 \u00d7 40000, 40000 of 1600000000 elements are not 0\n");
    expect_contains(out, " ... (1600000000 in all)\n");
    expect_contains(out, fmt::format("csr          {} bytes", 4 * (side + 1) + 8 * side));
    EXPECT_EQ(limited("--format csc"), 0) << read_file(folder / "out");
    expect_contains(read_file(folder / "out"), "CSC of the matrix of ");
    EXPECT_EQ(WEXITSTATUS(limited("--format 2:4")), 5);
    expect_contains(read_file(folder / "out"), "whose 2:4 takes 3400000000 bytes, needs ");
}

TEST(Cli, every_sparse_format_is_listed_and_written_of_every_matrix) {
    const TempFolder folder;
    const json formats = json::parse(run({"list", "formats", "--json"}).out);
    ASSERT_EQ(formats.size(), 10U);
    expect_contains(run({"list", "formats"}).out, "csr     CSR         dense row, compressed col\n");
    for (const json& format : formats)
        for (const char* of : {"x", "im2col", "w"}) {
            const std::string name = format["name"];
            const auto out = folder / (name + "-" + of);
            const Finished finished =
                run({"layout", "--preset", "examples/xu-fig4", "--format", name, "--of", of, "--out", out.string()});
            EXPECT_EQ(finished.status, 0) << finished.err;
            EXPECT_TRUE(std::filesystem::exists(out / "values.npy")) << name << of;
        }
    // Small integers have small types.
    expect_contains(read_file(folder / "rle-x/runs.npy"), "'|u1'");
    expect_contains(read_file(folder / "2:4-x/metadata.npy"), "'<u2'");
    expect_contains(read_file(folder / "bitmap-x/bits.npy"), "'<u4'");
    const json lossy = json::parse(read_file(folder / "2:4-im2col/layout.json"));
    expect_contains(std::string(lossy["loss"]), "2:4 loses ");
}

TEST(Cli, layout_reads_back_what_it_wrote_in_every_format) {
    const TempFolder folder;
    const json formats = json::parse(run({"list", "formats", "--json"}).out);
    const std::string first = (folder / "csr").string();
    ASSERT_EQ(run({"layout", "--preset", "examples/xu-fig4", "--format", "csr", "--out", first}).status, 0);
    const std::string dense = read_file(first + "/dense.npy");
    for (const json& format : formats) {
        const std::string name = format["name"], out = (folder / ("to-" + name)).string();
        const Finished to = run({"layout", "--from", first + "/matrix.npz", "--format", name, "--out", out});
        EXPECT_EQ(to.status, 0) << to.err;
        EXPECT_EQ(read_file(out + "/dense.npy"), dense) << name;
        EXPECT_EQ(json::parse(read_file(out + "/layout.json"))["from"], first + "/matrix.npz");
        const Finished shown = run({"layout", "--from", out + "/matrix.npz"});
        EXPECT_EQ(shown.status, 0) << shown.err;
        expect_contains(shown.out, out + "/matrix.npz: " + name + ", 5 \u00d7 5, 9 of 25 elements are not 0\n");
        expect_contains(shown.out, "dense        float32  5x5        0 0 15 8 0, 22 0 0 23 0, 0 8 0 0 0, 0 0 19");
        expect_contains(shown.out, "csr          96 bytes, 0.96 of dense\n");
        expect_contains(shown.out, "rle          45 bytes, 0.45 of dense\n");
    }
    const Finished npy = run({"layout", "--from", first + "/dense.npy", "--format", "csr"});
    EXPECT_EQ(npy.status, 0) << npy.err;
    expect_contains(npy.out, "col_idx      int32    9          2 3 0 3 1 2 0 1 4\n");
    expect_contains(npy.out, "CSR of the matrix of " + first + "/dense.npy, 5 \u00d7 5: 96 bytes; dense, 100\n");
}

TEST(Cli, ctrl_c_keeps_what_was_measured) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    Program program({"sweep", "--device", "cpu", "--h", "8", "--r", "3", "--seed", "1:1000:1", "--methods",
                     "im2col,mec2", "--csv", csv, "--timeout", "0.1", "--max-noise", "0.001", "--quiet"});
    const auto rows = [&] {
        const std::string text = read_file(csv);
        return std::count(text.begin(), text.end(), '\n');
    };
    ASSERT_TRUE(testing::wait_until([&] { return rows() >= 5; }));
    program.signal(SIGINT);
    const Finished finished = program.wait();
    EXPECT_EQ(finished.status, 130);
    expect_contains(finished.err, "stopping after the sample under way");
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty());
    EXPECT_GE(content.records.size(), 4U);
    EXPECT_LT(content.records.size(), 1000U);
    for (const Record& record : content.records)
        EXPECT_TRUE(record.status == Status::passed || record.status == Status::timeout ||
                    record.status == Status::cancelled)
            << to_string(record.status);
}

TEST(Cli, a_second_ctrl_c_ends_at_once) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    Program program({"sweep", "--device", "cpu", "--h", "8", "--r", "3", "--seed", "1:100000:1", "--methods", "im2col",
                     "--csv", csv, "--timeout", "30", "--min-samples", "1000000", "--quiet"});
    ASSERT_TRUE(testing::wait_until([&] { return !read_file(csv).empty(); }));
    program.signal(SIGINT);
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait().status, 130);
}

TEST(Cli, a_teacher_sees_how_far_students_are) {
    const TempFolder folder;
    const std::string anna = (folder / "anna.toml").string();
    std::ofstream(anna) << "['02-ecr-by-hand']\nstep = 3\nmissed = ['How many?']\n[gone]\nstep = 1\n";
    const Finished told = run({"lesson", "progress", anna});
    EXPECT_EQ(told.status, 0);
    for (const char* words : {"2 lessons begun", "step 4 of ", "missed: How many?", "the lesson is not here"})
        expect_contains(told.out, words);
    expect_contains(run({"lesson", "progress"}, {"XDG_STATE_HOME=" + (folder / "state").string()}).out,
                    "0 lessons begun");
    expect_rejected({"lesson", "progress", (folder / "none.toml").string()}, 6, "none.toml");
    expect_rejected({"lesson", "progress", "--json"}, 2, "--json");
    std::ofstream(anna) << "not = = toml\n";
    EXPECT_EQ(run({"lesson", "progress", anna}).status, 6);
    EXPECT_FALSE(std::filesystem::exists(anna + ".broken"));
}

TEST(Cli, a_teacher_collects_answers_as_one_csv) {
    const TempFolder folder;
    const std::string dir = (folder / "class").string();
    std::filesystem::create_directories(folder / "class" / "ben");
    std::ofstream(folder / "class" / "anna.toml")
        << "['01-why-zeros-cost']\nstep = 3\nanswers = [{ question = 'And how many additions (Eq. 2)?', "
           "answer = '7, or \"8\"', right = true, first_right = false }]\n";
    std::ofstream(folder / "class" / "ben" / "lessons.toml")
        << "[gone]\nstep = 1\nanswers = [{ question = 'A?', answer = 'x', right = false, first_right = false }, "
           "{ question = 'B?', answer = 'y', undecided = true }]\n";
    std::ofstream(folder / "class" / "notes.txt") << "not = = toml\n";
    const Finished told = run({"lesson", "collect", dir});
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_EQ(told.out,
              "file,lesson,step,question,answer,right,first_right\n"
              "anna.toml,01-why-zeros-cost,2,And how many additions (Eq. 2)?,\"7, or \"\"8\"\"\",1,0\n"
              "ben/lessons.toml,gone,,A?,x,0,0\n"
              "ben/lessons.toml,gone,,B?,y,,\n");
}

TEST(Cli, collects_from_nothing_but_answers) {
    const TempFolder folder;
    const std::string dir = (folder / "class").string();
    expect_rejected({"lesson", "collect", dir}, 6, "there is no folder");
    std::filesystem::create_directories(dir);
    expect_rejected({"lesson", "collect", dir}, 2, "no .toml file");
    expect_rejected({"lesson", "collect"}, 2, "give the one folder");
    expect_rejected({"lesson", "collect", dir, "--json"}, 2, "--json");
    std::ofstream(folder / "class" / "a.toml") << "[workload]\nh = 5\n";
    expect_rejected({"lesson", "collect", dir}, 2, "a.toml: 'workload' has no answers of a lesson");
    std::ofstream(folder / "class" / "a.toml") << "h = 5\n";
    expect_rejected({"lesson", "collect", dir}, 2, "a.toml:1:5: 'h' must be a table");
    std::ofstream(folder / "class" / "a.toml") << "not = = toml\n";
    expect_rejected({"lesson", "collect", dir}, 2, "is not valid TOML");
}

TEST(Cli, two_writers_of_one_file_are_kept_apart) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    Program first({"bench", "--device", "cpu", "--h", "8", "--r", "3", "--methods", "im2col", "--csv", csv, "--timeout",
                   "30", "--min-samples", "1000000"});
    ASSERT_TRUE(testing::wait_until([&] { return !read_file(csv).empty(); }));
    const Finished second =
        run(with({"bench", "--device", "cpu", "--h", "8", "--r", "3", "--methods", "im2col", "--csv", csv}, brief));
    EXPECT_EQ(second.status, 6);
    expect_contains(second.err, "another run");
    first.signal(SIGINT);
    EXPECT_EQ(first.wait().status, 130);
    EXPECT_EQ(read_csv(csv).records.size(), 1U);
}

}  // namespace
}  // namespace convscope
