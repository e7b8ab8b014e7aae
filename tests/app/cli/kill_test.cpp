// kill -9 in the middle of a sweep, at a hundred moments.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "kernels/records/csv_file.h"
#include "kernels/records/csv_parse.h"
#include "kernels/records/record_key.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using std::chrono::microseconds;
using testing::Finished;
using testing::Program;
using testing::read_file;
using testing::run;
using testing::sweep_of_seeds;

constexpr int kills = 100;
constexpr std::size_t seeds = 600;  // so many that no machine is through with them before the last kill

/// The text as far as its last line end.
std::string whole_lines(const std::string& text) {
    return text.substr(0, text.rfind('\n') + 1);
}

std::size_t rows_in(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Waits until the file has this many rows more, or the program is taking its time.
void wait_for_rows(const std::string& csv, std::size_t rows) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (rows_in(read_file(csv)) < rows && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(microseconds(50));
}

/// How many rows a killed run has told its standard output of.
std::size_t told(const std::string& out) {
    std::size_t rows = 0;
    for (std::size_t at = out.find(" passed\n"); at != std::string::npos; at = out.find(" passed\n", at + 1)) ++rows;
    return rows;
}

/// Kills the sweep while it starts (and mends what the last kill tore), or right after one of the next rows.
Finished kill_at_random(const std::string& csv, std::mt19937& random) {
    const std::size_t before = rows_in(read_file(csv));
    Program program(sweep_of_seeds(seeds, csv, {"--resume"}));
    if (std::uniform_int_distribution(0, 3)(random) == 0) {
        std::this_thread::sleep_for(microseconds(std::uniform_int_distribution(0, 60'000)(random)));
    } else {
        wait_for_rows(csv, before + std::uniform_int_distribution<std::size_t>(1, 10)(random));
        std::this_thread::sleep_for(microseconds(std::uniform_int_distribution(0, 3'000)(random)));
    }
    program.signal(SIGKILL);
    return program.wait();
}

TEST(Kill, nine_in_mid_sweep_tears_no_file_and_loses_no_row) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    std::mt19937 random(9);
    std::string whole;  // what the file had, line by line, after the last kill
    std::size_t told_in_all = 0;
    for (int kill = 0; kill < kills; ++kill) {
        const Finished killed = kill_at_random(csv, random);
        ASSERT_EQ(killed.status, 128 + SIGKILL) << "it ended by itself: " << killed.err;
        const std::string text = read_file(csv);
        ASSERT_TRUE(text.starts_with(whole)) << "rows that were finished are gone, or others than they were";
        told_in_all += told(killed.out);
        ASSERT_GE(rows_in(text) - std::min(rows_in(text), rows_in(whole)), told(killed.out))
            << "a row told is not there";
        whole = whole_lines(text);
        ASSERT_LE(text.size() - whole.size(), csv_header().size()) << "more than one row is torn";
        for (const CsvLine& line : parse_csv(whole)) ASSERT_EQ(line.cells.size(), csv_columns().size());
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

}  // namespace
}  // namespace convscope
