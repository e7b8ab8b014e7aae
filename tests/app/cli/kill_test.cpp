// kill -9 in the middle of a sweep and of a network's run, at a hundred calls of the system each.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "kernels/records/csv_file.h"
#include "kernels/records/record_csv.h"
#include "kernels/records/record_key.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using testing::Finished;
using testing::read_file;
using testing::run;
using testing::sweep_of_seeds;
using testing::told;

constexpr int kills = 100;
constexpr std::size_t seeds = 600;  // more rows than are written until the last kill

/// The text as far as its last line end.
std::string whole_lines(const std::string& text) {
    return text.substr(0, text.rfind('\n') + 1);
}

std::size_t rows_in(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Kills a run at one of its next changes of a file: while it starts (and cuts off what the last kill tore), before, in
/// or after one of its next ten rows.
Finished kill_at_random(const std::vector<std::string>& command, std::mt19937& random) {
    const int at = std::uniform_int_distribution(1, 32)(random);
    return run(command, {"LD_PRELOAD=" FAILING_CALLS, "CONVSCOPE_KILL=" + std::to_string(at)});
}

/// The file after a kill: what was whole before it, then whole rows, then at most a part of one.
std::string text_after(const Finished& killed, const std::string& csv, const std::string& whole_before) {
    EXPECT_EQ(killed.status, 128 + SIGKILL) << "it ended by itself: " << killed.err;
    const std::string text = read_file(csv), whole = whole_lines(text);
    EXPECT_TRUE(text.starts_with(whole_before)) << "rows that were finished are gone, or others than they were";
    EXPECT_LE(text.size() - whole.size(), csv_header().size()) << "more than one row is torn";
    for (const CsvLine& line : parse_csv(whole)) EXPECT_EQ(line.cells.size(), csv_columns().size());
    return text;
}

/// A file that names a network of tiny layers, no two of a shape.
std::string network_of(const TempFolder& folder, std::size_t layers) {
    std::string text = "family = \"small\"\n[network]\ntitle = \"Small\"\nprofile = \"None.\"\nchain = false\n";
    for (std::size_t i = 0; i < layers; ++i)
        text += fmt::format(
            "[[preset]]\nname = \"layer{}\"\nc = 1\nh = {}\nw = 6\nk = {}\nr = 3\ns = 3\n"
            "sparsity = 0.5\nsparsity_from = \"ramp\"\n",
            i, 6 + i % 20, 1 + i / 20);
    return folder.write("small.toml", text).string();
}

TEST(Kill, nine_in_mid_sweep_tears_no_file_and_loses_no_row) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    std::mt19937 random(9);
    std::string whole;  // what the file had, line by line, after the last kill
    std::size_t told_in_all = 0;
    for (int kill = 0; kill < kills; ++kill) {
        const Finished killed = kill_at_random(sweep_of_seeds(seeds, csv, {"--resume"}), random);
        const std::string text = text_after(killed, csv, whole);
        told_in_all += told(killed.out);
        ASSERT_GE(rows_in(text) - std::min(rows_in(text), rows_in(whole)), told(killed.out))
            << "a row told is not there";
        whole = whole_lines(text);
        if (HasFailure()) return;
    }
    EXPECT_GT(told_in_all, 0U);
    const Finished last = run(sweep_of_seeds(seeds, csv, {"--resume"}));
    EXPECT_EQ(last.status, 0) << last.err;
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty());
    std::set<std::string> measured;
    for (const Record& record : content.records) {
        // On a busy machine a sample or two may take up the whole timeout.
        EXPECT_TRUE(record.status == Status::passed || record.status == Status::timeout)
            << to_string(record.status) << ": " << record.status_reason;
        EXPECT_TRUE(measured.insert(point_key(record)).second) << "measured twice";
    }
    EXPECT_EQ(measured.size(), 2 * seeds);
}

TEST(Kill, nine_in_mid_network_tears_no_file_and_loses_no_layer) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    constexpr std::size_t layers = 400;
    std::vector<std::string> command{"network", "--preset", network_of(folder, layers), "--csv", csv, "--resume"};
    command.insert(command.end(), testing::quick_timing.begin(), testing::quick_timing.end());
    // Counts the layers that have both rows in the text: what a run tells of.
    const auto finished_layers = [&](const std::string& text) {
        std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::string>> methods;
        std::size_t both = 0;
        if (!text.empty())
            for (const Record& row : read_csv(csv, text).records)
                if (auto& of_layer = methods[{row.shape.h, row.shape.k}]; of_layer.insert(row.method).second)
                    both += of_layer.size() == 2 ? 1 : 0;
        return both;
    };
    std::mt19937 random(10);
    std::string whole;
    std::size_t max_told = 0;
    for (int kill = 0; kill < kills && !HasFailure(); ++kill) {
        const Finished killed = kill_at_random(command, random);
        whole = whole_lines(text_after(killed, csv, whole));
        std::size_t told = 0;
        for (std::size_t at = killed.out.find("\nlayer"); at != std::string::npos;
             at = killed.out.find("\nlayer", at + 1))
            told += killed.out[at + 6] >= '0' && killed.out[at + 6] <= '9' ? 1 : 0;
        EXPECT_GE(finished_layers(whole), told) << "a layer told is not there";
        max_told = std::max(max_told, told);
    }
    EXPECT_GT(max_told, 0U);
    const Finished last = run(command);
    EXPECT_EQ(last.status, 0) << last.err;
    EXPECT_TRUE(read_csv(csv).errors.empty());
    EXPECT_EQ(finished_layers(read_file(csv)), layers);
    EXPECT_LE(rows_in(read_file(csv)), 1 + 2 * layers + kills)
        << "a layer that was cut short is measured again, no other";
}

}  // namespace
}  // namespace convscope
