// Each write, sync, rename, opening and allocation of a sweep, and each process start of a measurement, fails once, in
// turn: nothing that was finished is lost, no file is half written, and a sentence says what happened.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/records/csv_file.h"
#include "kernels/records/record_key.h"
#include "tests/app/cli/program.h"
#include "tests/support/failing_calls.h"

namespace convscope {
namespace {

using testing::FailingCall;
using testing::Finished;
using testing::read_file;
using testing::run;
using testing::told;

constexpr std::size_t few_seeds = 3;

/// The keys of the rows, all of which read and are there once.
std::set<std::string> keys_in(const std::string& csv) {
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty()) << content.errors.front();
    std::set<std::string> keys;
    for (const Record& row : content.records) EXPECT_TRUE(keys.insert(point_key(row)).second) << "twice";
    return keys;
}

class EachCall : public ::testing::TestWithParam<FailingCall> {
protected:
    std::string csv() const { return (folder_ / "a.csv").string(); }
    std::string json() const { return (folder_ / "a.json").string(); }

    Finished sweep(long fails_at, std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--json", json()});
        return run(testing::sweep_of_seeds(few_seeds, csv(), more),
                   {"LD_PRELOAD=" FAILING_CALLS,
                    std::string("CONVSCOPE_FAIL=") + to_string(GetParam()) + ":" + std::to_string(fails_at),
                    "CONVSCOPE_FAIL_LOG=" + (folder_ / "log").string()});
    }

    /// In a sentence, or as the status of the row that it is about.
    static bool says_why(const Finished& finished) {
        return finished.err.find("convscope: ") != std::string::npos ||
               finished.out.find(" out_of_memory\n") != std::string::npos;
    }

    /// Whole rows, each of them once, with those among them that the program has told of.
    void expect_rows(const Finished& finished) const {
        if (!std::filesystem::exists(csv()) || read_file(csv()).empty()) {
            EXPECT_EQ(told(finished.out), 0U) << "a row told is not there";
            return;
        }
        EXPECT_GE(keys_in(csv()).size(), told(finished.out)) << "a row told is not there";
    }

    /// The file holds its old text or all of the new: never a part.
    void expect_json(const std::string& before) const {
        const std::string now = read_file(json());
        EXPECT_TRUE(now == before || nlohmann::json::accept(now)) << now.substr(0, 200);
    }

    void expect_nothing_left_behind() const {
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / ""))
            EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
    }

    void fail_at(long n) {
        SCOPED_TRACE(std::string(to_string(GetParam())) + " " + std::to_string(n));
        std::filesystem::remove(csv());
        std::ofstream(json()) << "[]";
        const Finished finished = sweep(n);
        EXPECT_LT(finished.status, 128) << "it crashed: " << finished.err;
        EXPECT_TRUE(finished.status == 0 || says_why(finished)) << finished.err;
        expect_rows(finished);
        expect_json("[]");
        expect_nothing_left_behind();
        const Finished after = run(testing::sweep_of_seeds(few_seeds, csv(), {"--resume", "--json", json()}));
        EXPECT_EQ(after.status, 0) << after.err;
        EXPECT_EQ(read_csv(csv()).records.size(), 2 * few_seeds);
    }

    const TempFolder folder_;
};

TEST_P(EachCall, of_a_sweep_fails_once) {
    const Finished whole = sweep(0);
    ASSERT_EQ(whole.status, 0) << whole.err;
    const long calls = std::stol("0" + read_file(folder_ / "log"));
    ASSERT_GT(calls, 0) << "nothing is tested";
    constexpr long most = 24;  // of allocations, which are many, some
    const long step = std::max(1L, calls / most);
    for (long n = 1; n <= calls; n += step) fail_at(n);
}

INSTANTIATE_TEST_SUITE_P(Faults, EachCall,
                         ::testing::Values(FailingCall::write, FailingCall::sync, FailingCall::rename,
                                           FailingCall::open, FailingCall::allocate),
                         [](const auto& call) { return to_string(call.param); });

// Every byte of the file: CsvFile.a_disk_that_is_full_at_any_byte_leaves_whole_rows. Here, around the row ends and some
// between.
TEST(FaultsInTurn, a_disk_that_is_full_within_a_csv_leaves_what_was_told_and_goes_on) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    const auto sweep = [&](std::size_t fails_at, std::vector<std::string> more) {
        return run(testing::sweep_of_seeds(2, csv, more),
                   {"LD_PRELOAD=" FAILING_CALLS, "CONVSCOPE_FAIL=space:" + std::to_string(fails_at)});
    };
    ASSERT_EQ(sweep(0, {}).status, 0);
    const std::string whole = read_file(csv);
    const std::set<std::string> wanted = keys_in(csv);
    ASSERT_EQ(wanted.size(), 4U);
    std::set<std::size_t> moments;
    for (std::size_t at = 1; at < whole.size(); at += 181) moments.insert(at);
    for (std::size_t end = whole.find('\n'); end != std::string::npos; end = whole.find('\n', end + 1))
        moments.insert({end - 1, end, end + 1});
    for (const std::size_t byte : moments) {
        SCOPED_TRACE(byte);
        std::filesystem::remove(csv);
        const Finished full = sweep(byte, {});
        // Rows have other lengths each time: a shorter file fits.
        if (full.status == 0 && read_file(csv).size() < byte) continue;
        ASSERT_EQ(full.status, 6) << full.err;
        ASSERT_TRUE(full.err.ends_with("a.csv' cannot be written: No space left on device\n")) << full.err;
        const std::string left = read_file(csv);
        ASSERT_TRUE(left.empty() || left.ends_with("\r\n")) << left;
        ASSERT_GE(left.empty() ? 0 : keys_in(csv).size(), told(full.out)) << "a row told is not there";
        const Finished after = run(testing::sweep_of_seeds(2, csv, {"--resume"}));
        ASSERT_EQ(after.status, 0) << after.err;
        ASSERT_TRUE(read_file(csv).starts_with(left)) << "rows that were finished changed";
        ASSERT_EQ(keys_in(csv), wanted);
    }
}

TEST(FaultsInTurn, a_row_that_does_not_reach_the_disk_ends_the_sweep) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    for (const char* at : {"sync:1", "sync:2", "sync:4"}) {
        std::filesystem::remove(csv);
        const Finished finished = run(testing::sweep_of_seeds(2, csv, {}),
                                      {"LD_PRELOAD=" FAILING_CALLS, std::string("CONVSCOPE_FAIL=") + at});
        EXPECT_EQ(finished.status, 6) << at;
        EXPECT_TRUE(finished.err.ends_with("a.csv' cannot be written: Input/output error\n")) << finished.err;
    }
}

TEST(FaultsInTurn, a_process_that_does_not_start_is_said_and_costs_no_row) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    const auto bench = [&](long n) {
        std::filesystem::remove(csv);
        return run({"bench", "--device", "cpu", "--h", "6", "--r", "3", "--methods", "im2col", "--runs", "6",
                    "--timeout", "0.01", "--min-samples", "3", "--csv", csv},
                   {"LD_PRELOAD=" FAILING_CALLS, "CONVSCOPE_FAIL=start:" + std::to_string(n),
                    "CONVSCOPE_FAIL_LOG=" + (folder / "log").string()});
    };
    EXPECT_EQ(bench(0).status, 0);
    const long starts = std::stol("0" + read_file(folder / "log"));
    ASSERT_GT(starts, 0);
    for (long n = 1; n <= starts; ++n) {
        const Finished finished = bench(n);
        EXPECT_EQ(finished.status, 5) << n << finished.err;
        EXPECT_NE((finished.err + finished.out).find("cannot be started"), std::string::npos)
            << finished.err << finished.out;
        EXPECT_TRUE(read_csv(csv).errors.empty());
    }
}

}  // namespace
}  // namespace convscope
