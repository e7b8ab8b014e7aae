// Records in other programs' formats, seen from outside: through each of them and back.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/records/csv_file.h"
#include "kernels/records/read_records.h"
#include "kernels/records/record_csv.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using testing::Finished;
using testing::read_file;
using testing::run;

class Exported : public ::testing::Test {
protected:
    void SetUp() override {
        const Finished swept =
            run({"sweep", "--device", "sim", "--preset", "examples/xu-fig4", "--methods", "ecr1", "--block",
                 "32x1x1,64x1x1,2000x1x1", "--quiet", "--csv", path("a.csv"), "--json", path("a.json")});
        ASSERT_EQ(swept.status, 0) << swept.err;
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    Finished to(const std::string& format, const std::string& from, const std::string& out) const {
        return run({"export", path(from), "--to", format, "--out", path(out)});
    }
    std::vector<std::string> rows(const std::string& name) const {
        std::vector<std::string> list;
        for (const Record& record : read_records(path(name)).records) list.push_back(csv_row(record));
        return list;
    }
    const TempFolder folder_;
};

TEST_F(Exported, every_format_leads_back) {
    ASSERT_EQ(rows("a.csv").size(), 3U);
    for (const char* format : {"kernel-tuner", "t4", "json", "csv"}) {
        const Finished there = to(format, "a.json", "b");
        EXPECT_EQ(there.status, 0) << there.err;
        EXPECT_EQ(rows("b"), rows("a.csv")) << format;
        EXPECT_EQ(to("csv", "b", "c.csv").status, 0);
        EXPECT_EQ(read_file(path("c.csv")), read_file(path("a.csv"))) << format;
    }
    EXPECT_EQ(to("json", "a.json", "b.json").status, 0);
    EXPECT_EQ(read_file(path("b.json")), read_file(path("a.json")));
}

TEST_F(Exported, three_configurations_of_one_space) {
    const Finished cache = to("kernel-tuner", "a.csv", "b.json");
    expect_contains(cache.out, "3 configurations of ecr1");
    expect_contains(read_file(path("b.json")), "\"InvalidConfig\"");
}

TEST_F(Exported, several_spaces_go_into_a_folder) {
    std::vector<Record> both = read_csv(path("a.csv")).records;
    both.push_back(both[0]);
    both.back().method = "pecr1";
    write_csv(path("two.csv"), both);
    const Finished rejected = to("t4", "two.csv", "b.json");
    EXPECT_EQ(rejected.status, 2);
    expect_contains(rejected.err, "has 2 tuning spaces");
    EXPECT_FALSE(std::filesystem::exists(path("b.json")));
    std::filesystem::create_directory(path("out"));
    EXPECT_EQ(to("t4", "two.csv", "out").status, 0);
    EXPECT_EQ(rows("out/ecr1-001.json").size(), 3U);
    EXPECT_EQ(rows("out/pecr1-002.json").size(), 1U);
}

TEST_F(Exported, into_a_folder_writes_over_nothing_unless_asked) {
    std::filesystem::create_directory(path("out"));
    ASSERT_EQ(to("t4", "a.csv", "out").status, 0);
    folder_.write("out/ecr1-001.json", "kept");
    const Finished again = to("t4", "a.csv", "out");
    EXPECT_EQ(again.status, 2);
    expect_contains(again.err, "ecr1-001.json' is there already");
    expect_contains(again.err, "--force");
    EXPECT_EQ(read_file(path("out/ecr1-001.json")), "kept");
    const Finished forced = run({"export", path("a.csv"), "--to", "t4", "--out", path("out"), "--force"});
    EXPECT_EQ(forced.status, 0) << forced.err;
    EXPECT_EQ(rows("out/ecr1-001.json").size(), 3U);
}

TEST_F(Exported, rejects_in_one_sentence) {
    EXPECT_EQ(to("xml", "a.csv", "b").status, 2);
    expect_contains(to("xml", "a.csv", "b").err, "give kernel-tuner, t4, json or csv");
    EXPECT_EQ(run({"export", "--to", "t4"}).status, 2);
    EXPECT_EQ(run({"export", path("a.csv"), "--to", "t4"}).status, 2);
    EXPECT_EQ(to("t4", "none", "b").status, 6);
    EXPECT_EQ(run({"export", path("a.csv"), "--to", "csv", "--out", "/nonexistent/b"}).status, 6);
    folder_.write("empty.csv", csv_header() + "\n");
    expect_contains(to("t4", "empty.csv", "b").err, "has no row");
}

}  // namespace
}  // namespace convscope
