// Files that a command must not write over, files of other kinds, and what is told of them.
#include "app/cli/own_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "kernels/records/csv_file.h"
#include "kernels/records/read_records.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using testing::expect_rejected;
using testing::Finished;
using testing::read_file;
using testing::run;

class OwnFile : public ::testing::Test {
protected:
    OwnFile() {
        Record record;
        record.device = "cpu";
        record.method = "im2col";
        record.timing_scope = "kernel";
        record.cache_mode = "hot";
        record.samples = 20;
        record.time_median_us = 4;
        write_csv(records_, {record});
        text_ = read_file(records_);
    }
    void TearDown() override { EXPECT_EQ(read_file(records_), text_) << "measurements were written over"; }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    const TempFolder folder_;
    const std::string records_ = (folder_ / "records.csv").string();
    std::string text_;
};

TEST_F(OwnFile, what_is_read_is_not_written_over) {
    std::filesystem::copy_file(records_, path("b.csv"));
    std::filesystem::create_symlink(records_, path("link.csv"));
    for (const std::string& out : {records_, path("./records.csv"), path("link.csv")}) {
        expect_rejected({"compare", records_, path("b.csv"), "--csv", out}, 2, "name the same file");
        expect_rejected({"compare", path("b.csv"), records_, "--json", out}, 2, "name the same file");
        expect_rejected({"export", records_, "--to", "csv", "--out", out}, 2, "name the same file");
    }
    const std::vector<std::string> bench{"bench", "--h", "5", "--r", "3", "--device", "cpu", "--methods", "im2col"};
    const std::string here = std::filesystem::relative(path("x.csv")).string();
    std::vector<std::string> relative = bench;
    for (const std::string& word : {std::string("--csv"), here, std::string("--json"), "./" + here})
        relative.push_back(word);
    expect_rejected(relative, 2, "--json and --csv name the same file");
    std::vector<std::string> twice = bench;
    for (const std::string& word : {std::string("--csv"), path("x.csv"), std::string("--json"), path("./x.csv")})
        twice.push_back(word);
    expect_rejected(twice, 2, "--json and --csv name the same file");
    EXPECT_FALSE(std::filesystem::exists(path("x.csv")));
}

TEST_F(OwnFile, measurements_are_not_replaced_by_something_else) {
    std::filesystem::copy_file(records_, path("b.csv"));
    std::filesystem::copy_file(records_, path("c.csv"));
    expect_rejected({"roofline", "--device", "cpu", "--csv", records_}, 2, "holds measurements, which would be lost");
    expect_rejected({"compare", path("b.csv"), path("c.csv"), "--csv", records_}, 2, "holds measurements");
    const std::string rows = path("rows.json");
    EXPECT_EQ(run({"export", records_, "--to", "json", "--out", rows}).status, 0);
    expect_rejected({"compare", path("b.csv"), path("c.csv"), "--json", rows}, 2, "holds measurements");
    EXPECT_EQ(run({"compare", path("b.csv"), path("c.csv"), "--csv", path("d.csv")}).status, 0);
    EXPECT_EQ(run({"compare", path("b.csv"), path("c.csv"), "--csv", path("d.csv")}).status, 0) << "its own, again";
}

TEST_F(OwnFile, json_replaces_json_alone) {
    const std::string layer[] = {"--h", "6", "--r", "3", "--device", "cpu", "--methods", "im2col", "--timeout", "0.01"};
    const auto with = [&](std::vector<std::string> words) {
        words.insert(words.end(), std::begin(layer), std::end(layer));
        return words;
    };
    for (const char* text : {"schema_version,run_id\n", "h = 3\n", "[[preset]]\n", "notes"}) {
        const std::string file = (folder_ / "a.txt").string();
        std::ofstream(file) << text;
        for (const char* command : {"bench", "sweep"})
            expect_rejected(with({command, "--json", file}), 2, "holds something else than JSON");
        expect_rejected({"roofline", "--device", "cpu", "--json", file}, 2, "lost");
        EXPECT_EQ(read_file(file), text);
    }
    const std::string own = (folder_ / "a.json").string();
    for (int i = 0; i < 2; ++i) EXPECT_EQ(run(with({"bench", "--json", own})).status, 0);
}

TEST_F(OwnFile, an_empty_name_is_no_file) {
    const std::vector<std::string> bench{"bench", "--h", "5", "--r", "3", "--device", "cpu"};
    for (const char* flag : {"--json", "--csv", "--input", "--weights"}) {
        std::vector<std::string> words = bench;
        words.insert(words.end(), {flag, ""});
        expect_rejected(words, 2, "'' names no file");
    }
    expect_rejected({"compare", records_, records_, "--json", ""}, 2, "--json: '' names no file");
    expect_rejected({"merge", records_, "--csv", ""}, 2, "--csv: '' names no file");
    for (const char* command : {"merge", "compare", "export", "kernel"})
        expect_rejected({command, ""}, 2, "FILE: '' names no file");
    expect_rejected({""}, 2, "'' names no file");
    expect_rejected({"lesson", "check", ""}, 2, "'' names no file");
    expect_rejected({"export", records_, "--out", (folder_ / "x").string()}, 2,
                    "give --to kernel-tuner, t4, json or csv");
}

TEST_F(OwnFile, a_dash_is_no_file) {
    const std::string no_file = "'-' is not accepted: give ./- for that name, or /dev/stdout";
    for (const char* flag : {"--json", "--csv", "--input"})
        expect_rejected({"bench", "--h", "5", "--r", "3", "--device", "cpu", flag, "-"}, 2, flag + (": " + no_file));
    expect_rejected({"compare", records_, records_, "--csv", "-"}, 2, no_file);
    expect_rejected({"merge", records_, "--csv", "-"}, 2, no_file);
    expect_rejected({"layout", "--h", "5", "--r", "3", "--format", "ecr", "--out", "-"}, 2, no_file);
    for (const char* flag : {"--csv", "--json", "--sass"}) expect_rejected({"kernel", "a.cu", flag, "-"}, 2, no_file);
    expect_rejected({"kernel", "a.cu", "--save", "y=-"}, 2, no_file);
    EXPECT_FALSE(std::filesystem::exists("-"));
}

/// Another program reads it: nothing else may stand in it.
TEST_F(OwnFile, standard_output_has_the_file_alone) {
    const std::vector<std::string> bench{"bench", "--h", "5", "--r", "3", "--device", "sim", "--methods", "ecr1"};
    const auto with = [&](const char* flag) {
        std::vector<std::string> words = bench;
        words.insert(words.end(), {flag, "/dev/stdout"});
        return run(words);
    };
    const Finished csv = with("--csv"), all = with("--json");
    EXPECT_EQ(csv.status, 0) << csv.err;
    EXPECT_EQ(read_csv("out", csv.out).records.size(), 1U) << csv.out;
    EXPECT_NE(csv.err.find("ecr1"), std::string::npos) << "the table";
    EXPECT_EQ(nlohmann::json::parse(all.out).size(), 1U);
    EXPECT_NE(all.err.find("ecr1"), std::string::npos);
    // A file that is read keeps its name.
    const Finished read = with("--input");
    EXPECT_NE(read.status, 0);
    expect_contains(read.err, "/dev/stdout");
}

TEST_F(OwnFile, pipes_without_another_end_are_rejected_at_once) {
    const std::string pipe = path("pipe.csv");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    expect_rejected({"compare", pipe, records_}, 6, "is a pipe that nobody writes to");
    expect_rejected({"merge", pipe, "--csv", path("m.csv")}, 6, "is a pipe that nobody writes to");
    expect_rejected({"lesson", "check", pipe}, 6, "is a pipe that nobody writes to");
    expect_rejected({"bench", "--h", "5", "--r", "3", "--device", "cpu", "--csv", pipe}, 6, "a pipe that nobody reads");
    expect_rejected({"export", records_, "--to", "json", "--out", pipe}, 6, "is a pipe that nobody reads");
}

TEST_F(OwnFile, endless_files_are_rejected) {
    expect_rejected({"compare", "/dev/zero", records_}, 6, "is larger than the 64 MiB");
    expect_rejected({"merge", "/dev/zero", "--csv", path("m.csv")}, 6, "is larger than the 64 MiB");
    expect_rejected({"export", "/dev/zero", "--to", "csv", "--out", path("m.csv")}, 6, "is larger than the 64 MiB");
    expect_rejected({"lesson", "check", "/dev/zero"}, 6, "is larger than the 1 MiB");
}

TEST_F(OwnFile, sentences_about_files_are_short_and_plain) {
    const std::string bad = path("bad.csv");
    std::string row = text_.substr(text_.find('\n') + 1);
    row.replace(row.find("passed"), 6, "\x1b[2J\x1b]0;title\x07" + std::string(1 << 20, 'x'));
    folder_.write("bad.csv", text_ + row);
    const Finished finished = run({"merge", bad, "--csv", path("m.csv")});
    EXPECT_EQ(finished.status, 6);
    EXPECT_LT(finished.err.size(), 10000U);
    EXPECT_EQ(finished.err.find('\x1b'), std::string::npos);
    EXPECT_EQ(finished.err.find('\x07'), std::string::npos);
    expect_contains(finished.err, "\\x1b[2J");
}

TEST_F(OwnFile, a_resumed_sweep_s_json_has_the_rows_of_before_with_their_samples) {
    const std::string csv = path("s.csv"), json_file = path("s.json");
    const auto rows = [&] { return read_records(json_file).records; };
    EXPECT_EQ(run(testing::sweep_of_seeds(2, csv, {"--json", json_file, "--quiet"})).status, 0);
    ASSERT_EQ(rows().size(), 4U);
    const std::vector<double> samples = rows()[0].samples_us;
    EXPECT_EQ(run(testing::sweep_of_seeds(3, csv, {"--json", json_file, "--quiet", "--resume"})).status, 0);
    ASSERT_EQ(rows().size(), 6U);
    EXPECT_EQ(rows()[0].samples_us, samples);
    EXPECT_FALSE(samples.empty());
    std::filesystem::remove(json_file);
    EXPECT_EQ(run(testing::sweep_of_seeds(3, csv, {"--json", json_file, "--quiet", "--resume"})).status, 0);
    ASSERT_EQ(rows().size(), 6U) << "of the CSV, without samples";
    EXPECT_TRUE(rows()[0].samples_us.empty());
    folder_.write("s.json", "[{");
    expect_rejected(testing::sweep_of_seeds(3, csv, {"--json", json_file, "--quiet", "--resume"}), 6,
                    "is not complete JSON");
    EXPECT_EQ(read_file(json_file), "[{");
}

TEST(SimulatedGpu, rejects_flags_that_say_what_is_timed) {
    const std::vector<std::string> words{"--h", "5", "--r", "3", "--device", "sim", "--methods", "ecr1"};
    for (const char* command : {"bench", "sweep"})
        for (const auto& [flag, value] : {std::pair{"--scope", "setup"}, {"--cache", "cold"}}) {
            std::vector<std::string> all{command, flag, value};
            all.insert(all.end(), words.begin(), words.end());
            expect_rejected(all, 2, std::string(flag) + " says what is timed, and sim has no clock");
        }
    expect_rejected({"network", "--preset", "alexnet", "--device", "sim", "--scope", "setup"}, 2,
                    "--scope says what is timed, and sim has no clock");
}

}  // namespace
}  // namespace convscope
