// Sweeps in parts, and their files joined.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/records/csv_file.h"
#include "kernels/records/record_key.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using testing::Finished;
using testing::run;

std::vector<std::string> sweep(const std::string& csv, const std::vector<std::string>& more) {
    std::vector<std::string> words{"sweep",       "--device",  "cpu",     "--h",           "6,8",
                                   "--r",         "3",         "--pad",   "0:2:1",         "--methods",
                                   "im2col,mec2", "--timeout", "0.05",    "--min-samples", "3",
                                   "--max-noise", "50",        "--quiet", "--csv",         csv};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::multiset<std::string> points_in(const std::string& csv) {
    std::multiset<std::string> points;
    for (const Record& record : read_csv(csv).records) points.insert(point_key(record));
    return points;
}

class Sharded : public ::testing::Test {
protected:
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string shard(int index, int count) const {
        const std::string csv = path(std::to_string(index) + "of" + std::to_string(count) + ".csv");
        const Finished finished =
            run(sweep(csv, {"--shard", std::to_string(index) + "/" + std::to_string(count), "--resume"}));
        EXPECT_EQ(finished.status, 0) << finished.err;
        return csv;
    }
    const TempFolder folder_;
};

TEST_F(Sharded, sweeps_over_scopes_merge_too) {
    const auto part = [&](const char* shard, const std::string& csv) {
        EXPECT_EQ(run({"sweep", "--device", "cpu", "--h", "6", "--r", "3", "--methods", "im2col", "--timeout", "0.05",
                       "--scope", "kernel,copies", "--quiet", "--shard", shard, "--csv", csv})
                      .status,
                  0);
    };
    part("1/2", path("a.csv"));
    part("2/2", path("b.csv"));
    const Finished merged = run({"merge", path("a.csv"), path("b.csv"), "--csv", path("all.csv")});
    EXPECT_EQ(merged.status, 0) << merged.err;
    EXPECT_EQ(points_in(path("all.csv")).size(), 2U);
}

TEST_F(Sharded, sweeps_merge_to_the_whole_sweep) {
    const std::string a = shard(1, 3), b = shard(2, 3), c = shard(3, 3);
    EXPECT_EQ(read_csv(a).records.size(), 4U);
    EXPECT_TRUE(read_csv(b).records.at(0).run_id.ends_with("-2of3"));
    const Finished merged = run({"merge", c, a, b, "--csv", path("all.csv")});
    EXPECT_EQ(merged.status, 0);
    EXPECT_EQ(merged.err, "");
    expect_contains(merged.out, "12 rows of 3 files");
    EXPECT_EQ(run(sweep(path("whole.csv"), {})).status, 0);
    EXPECT_EQ(points_in(path("all.csv")), points_in(path("whole.csv")));
    // The unsharded sweep finds every one of its rows in the merged file.
    expect_contains(run(sweep(path("all.csv"), {"--resume"})).err, "12 rows were there already");
}

TEST_F(Sharded, merge_says_which_shards_it_misses) {
    const Finished merged = run({"merge", shard(1, 3), shard(3, 3), "--csv", path("all.csv")});
    EXPECT_EQ(merged.status, 0);
    expect_contains(merged.err, "no rows of shard 2 of 3");
}

TEST_F(Sharded, the_sweep_says_what_is_missing) {
    const std::string all = path("all.csv");
    const Finished none = run(sweep(all, {"--missing"}));
    EXPECT_EQ(none.status, 5);
    expect_contains(none.err, "12 rows are missing");
    EXPECT_FALSE(std::filesystem::exists(all)) << "nothing is measured or written";
    run({"merge", shard(1, 2), "--csv", all});
    const Finished half = run(sweep(all, {"--missing"}));
    EXPECT_EQ(half.status, 5);
    EXPECT_EQ(std::count(half.out.begin(), half.out.end(), '\n'), 6);
    expect_contains(half.out, "mec2 T=100;openblas=0 on cpu, 1x1x");
    run({"merge", shard(2, 2), "--csv", all});
    const Finished whole = run(sweep(all, {"--missing"}));
    EXPECT_EQ(whole.status, 0) << whole.err;
    expect_contains(whole.out, "nothing is missing");
    expect_contains(run({"sweep", "--h", "5", "--r", "3", "--missing"}).err, "--missing needs --csv");
}

TEST_F(Sharded, merging_again_loses_and_doubles_nothing) {
    const std::string a = shard(1, 2), b = shard(2, 2), all = path("all.csv");
    EXPECT_EQ(run({"merge", a, "--csv", all}).status, 0);
    const Finished more = run({"merge", a, b, "--csv", all});
    EXPECT_EQ(more.status, 0);
    expect_contains(more.out, "12 rows");
    expect_contains(more.out, "there twice");
    EXPECT_EQ(points_in(all).size(), 12U);
    EXPECT_EQ(run({"merge", all, "--csv", all}).status, 0) << "into itself";
    EXPECT_EQ(points_in(all).size(), 12U);
}

TEST_F(Sharded, merge_rejects_in_one_sentence) {
    const std::string a = shard(1, 2);
    const std::string other = path("other.csv");
    Record record = read_csv(a).records.at(0);
    record.device_name = "Another CPU";
    record.vendor_version = "oneDNN 99";
    write_csv(other, {record});
    const Finished apart = run({"merge", a, other, "--csv", path("all.csv")});
    EXPECT_EQ(apart.status, 2);
    for (const char* part :
         {"1of2.csv", "other.csv", "device_name is", "'Another CPU'", "'oneDNN 99'", "--mix device,versions"})
        expect_contains(apart.err, part);
    EXPECT_EQ(std::count(apart.err.begin(), apart.err.end(), '\n'), 1);
    EXPECT_FALSE(std::filesystem::exists(path("all.csv")));
    EXPECT_EQ(run({"merge", a, other, "--csv", path("all.csv"), "--mix", "device,versions"}).status, 0);
    EXPECT_EQ(run({"merge", a, other, "--csv", path("two.csv"), "--mix", "device", "--mix", "versions"}).status, 0);
    expect_contains(run({"merge", a, "--csv", path("b.csv"), "--mix", "colour"}).err, "'colour' is not accepted");
    EXPECT_EQ(run({"merge", a}).status, 2);
    EXPECT_EQ(run({"merge", "--csv", path("b.csv")}).status, 2);
    EXPECT_EQ(run({"merge", path("none.csv"), "--csv", path("b.csv")}).status, 6);
}

TEST_F(Sharded, merge_keeps_the_good_lines_and_says_so) {
    const std::string a = shard(1, 2), all = path("all.csv");
    folder_.write("bad.csv", testing::read_file(a) + "1,too,short\r\n");
    const Finished merged = run({"merge", path("bad.csv"), "--csv", all});
    EXPECT_EQ(merged.status, 6);
    expect_contains(merged.err, "bad.csv:8: 3 cells");
    EXPECT_EQ(points_in(all).size(), 6U);
    expect_contains(run({"merge", a, "--csv", path("bad.csv")}).err, "would be lost");
}

}  // namespace
}  // namespace convscope
