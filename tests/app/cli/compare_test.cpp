// Files of records against a base, seen from outside.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/records/csv_file.h"
#include "kernels/records/csv_text.h"
#include "kernels/records/json.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using nlohmann::json;
using testing::Finished;
using testing::read_file;
using testing::run;

Record timed(const std::string& method, double median_us) {
    Record r;
    r.device = "cuda:0";
    r.method = method;
    r.timing_scope = "kernel";
    r.samples = 20;
    r.time_median_us = median_us;
    r.noise_pct = 0.5;
    return r;
}

class Compared : public ::testing::Test {
protected:
    std::string csv(const std::string& name, const std::vector<Record>& rows) const {
        write_csv(folder_ / name, rows);
        return (folder_ / name).string();
    }
    const TempFolder folder_;
};

#ifndef __SANITIZE_ADDRESS__  // the sanitizer's own shadow is larger than any limit of use here
/// With so much memory at most, of which threads keep none for themselves.
Finished run_within(rlim_t bytes, const std::vector<std::string>& arguments) {
    rlimit before{};
    EXPECT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    const rlimit tight{bytes, before.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
    Finished finished = run(arguments, {"MALLOC_ARENA_MAX=1"});
    setrlimit(RLIMIT_AS, &before);
    return finished;
}

std::vector<Record> many_seeds() {
    std::vector<Record> rows(60'000, timed("ecr2", 1));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].seed = i;
    return rows;
}

TEST_F(Compared, names_the_file_that_does_not_fit_into_memory) {
    const std::string small = csv("small.csv", {timed("ecr2", 1)});
    const std::string large = csv("large.csv", many_seeds());
    const Finished finished = run_within(140'000'000, {"compare", small, large});
    EXPECT_EQ(finished.status, 5);
    EXPECT_EQ(finished.err, "convscope: '" + large +
                                "' does not fit into the host's memory; give a file with fewer "
                                "rows\n");
}

TEST_F(Compared, many_rows_take_little_memory) {
    const std::string before = csv("before.csv", many_seeds()), after = csv("after.csv", many_seeds());
    const Finished finished = run_within(300'000'000, {"compare", before, after});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_NE(finished.out.find("geometric mean; 60000 unclear\n"), std::string::npos);
}
#endif

TEST_F(Compared, tells_rows_and_summary) {
    const std::string base = csv("base.csv", {timed("im2col", 10), timed("mec2", 10), timed("ecr1", 9)});
    const std::string other = csv("other.csv", {timed("mec2", 20), timed("im2col", 5), timed("ecr5", 9)});
    const Finished finished = run({"compare", base, other});
    EXPECT_EQ(finished.status, 0) << finished.err;
    for (const char* part : {"2.000x    1.872 - 2.137  improved        10.0 us        5.00 us  im2col on cuda",
                             "0.500x", "worse", "only in '", "ecr1 on cuda", "ecr5 on cuda",
                             "all: 1.000x (0.936 - 1.068) over 2 rows, geometric mean; 1 improved; 1 worse"})
        expect_contains(finished.out, part);
}

TEST_F(Compared, names_the_first_bad_rows_of_a_file_and_counts_the_others) {
    const std::string good = csv("good.csv", {timed("im2col", 10)});
    std::string text = read_file(csv("bad.csv", std::vector<Record>(23, timed("im2col", 10))));
    for (std::size_t at = 0; (at = text.find(",passed,", at)) != std::string::npos;) text.replace(at, 8, ",perfect,");
    const std::string bad = folder_.write("bad.csv", text).string();
    const Finished finished = run({"compare", good, bad});
    EXPECT_EQ(finished.status, 6);
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 21) << finished.err;
    expect_contains(finished.err, bad + ":2: ");
    expect_contains(finished.err, bad + ":21: ");
    EXPECT_EQ(finished.err.find(bad + ":22: "), std::string::npos);
    EXPECT_TRUE(finished.err.ends_with("3 rows of '" + bad + "' after these cannot be read either\n")) << finished.err;
}

TEST_F(Compared, writes_both_tables) {
    const std::string base = folder_.write("base.json", to_json({timed("im2col", 10), timed("ecr1", 9)})).string();
    const std::string other = folder_.write("other.json", to_json({timed("im2col", 5)})).string();
    const std::string third = csv("third.csv", {timed("im2col", 10)});
    const std::string out = (folder_ / "c.csv").string(), js = (folder_ / "c.json").string();
    EXPECT_EQ(run({"compare", base, other, third, "--csv", out, "--json", js}).status, 0);
    const auto lines = parse_csv(read_file(out));
    ASSERT_EQ(lines.size(), 5U) << "the header, and one row and one without a partner for each of two files";
    for (const CsvLine& line : lines) EXPECT_EQ(line.cells.size(), lines[0].cells.size());
    const auto cell = [&](std::size_t line, const std::string& name) {
        const auto& names = lines[0].cells;
        return lines[line].cells.at(
            static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    };
    EXPECT_EQ(cell(1, "speedup"), "2");
    EXPECT_EQ(cell(1, "interval_from"), "noise");
    EXPECT_EQ(cell(1, "verdict"), "improved");
    EXPECT_EQ(cell(2, "verdict"), "only_in_base");
    EXPECT_EQ(cell(3, "verdict"), "unclear");
    const json comparisons = json::parse(read_file(js));
    ASSERT_EQ(comparisons.size(), 2U);
    EXPECT_EQ(comparisons[0]["rows"][0]["speedup"], 2);
    EXPECT_LT(comparisons[0]["rows"][0]["speedup_interval"][0], 2);
    EXPECT_EQ(comparisons[0]["summary"]["improved"], 1);
    EXPECT_EQ(comparisons[0]["only_in_base"][0]["method"], "ecr1");
    EXPECT_EQ(comparisons[1]["summary"]["unclear"], 1);
}

TEST_F(Compared, rejects_in_one_sentence) {
    const std::string base = csv("base.csv", {timed("im2col", 10)});
    expect_contains(run({"compare", base}).err, "compare what?");
    EXPECT_EQ(run({"compare", base}).status, 2);
    EXPECT_EQ(run({"compare", base, (folder_ / "none.csv").string()}).status, 6);
    EXPECT_EQ(run({"compare", base, base, "--tie", "-1"}).status, 2);
    EXPECT_EQ(run({"compare", base, base, "--between", "-1"}).status, 2);
    expect_contains(run({"compare", base, base, "--between", "0.01"}).out, "1 tied");
    EXPECT_EQ(run({"compare", base, base, "--json", "/nonexistent/c.json"}).status, 6);
    const std::string bad = folder_.write("bad.csv", read_file(base) + "1,2\n").string();
    const Finished finished = run({"compare", base, bad});
    EXPECT_EQ(finished.status, 6) << "what was left out must not go unnoticed";
    expect_contains(finished.err, "bad.csv:3: 2 cells");
    expect_contains(finished.out, "1 unclear\nunclear: separate records of the same thing differ by more");
}

}  // namespace
}  // namespace convscope
