// Files and disks that fail a sweep: it ends in one sentence, with whole rows, and goes on where it ended.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "kernels/records/csv_file.h"
#include "kernels/records/record_csv.h"
#include "tests/app/cli/program.h"
#include "tests/support/wait.h"

namespace convscope {
namespace {

using testing::Finished;
using testing::Program;
using testing::read_file;
using testing::run;

std::vector<std::string> sixty_seeds(const std::string& csv, std::vector<std::string> more = {}) {
    more.emplace_back("--quiet");
    return testing::sweep_of_seeds(60, csv, more);
}

void expect_one_sentence(const Finished& finished, int status, const std::string& part) {
    EXPECT_EQ(finished.status, status);
    expect_contains(finished.err, part);
    const std::size_t sentence = finished.err.find("convscope: ");
    ASSERT_NE(sentence, std::string::npos);
    EXPECT_EQ(finished.err.find('\n', sentence), finished.err.size() - 1) << finished.err;
}

/// Whole rows only, fewer than the sweep has; then the sweep is completed from them.
void expect_whole_and_resumable(const std::string& csv) {
    const CsvContent content = read_csv(csv);
    EXPECT_TRUE(content.errors.empty()) << content.errors.front();
    EXPECT_LT(content.records.size(), 120U);
    EXPECT_TRUE(read_file(csv).ends_with("\r\n"));
}
void expect_completed(const std::string& csv) {
    const Finished finished = run(sixty_seeds(csv, {"--resume"}));
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(finished.err.find("cut off"), std::string::npos) << "nothing was torn";
    EXPECT_EQ(read_csv(csv).records.size(), 120U);
}

TEST(FileFaults, a_file_that_may_grow_no_further) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit tight{12'345, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const Finished finished = run(sixty_seeds(csv));
    setrlimit(RLIMIT_FSIZE, &before);
    expect_one_sentence(finished, 6, "a.csv' cannot be written: File too large");
    expect_whole_and_resumable(csv);
    EXPECT_GT(read_csv(csv).records.size(), 5U);
    expect_completed(csv);
}

TEST(FileFaults, a_full_disk) {
    const TempFolder folder;
    if (mount("convscope-test", (folder / "").c_str(), "tmpfs", 0, "size=16k") != 0)
        GTEST_SKIP() << "no small file system can be mounted here";
    const std::string csv = (folder / "a.csv").string(), records = (folder / "a.json").string();
    const Finished full = run(sixty_seeds(csv));
    const Finished json_too = run(sixty_seeds((folder / "b.csv").string(), {"--json", records}));
    EXPECT_EQ(mount("convscope-test", (folder / "").c_str(), "tmpfs", MS_REMOUNT, "size=10m"), 0);
    expect_one_sentence(full, 6, "a.csv' cannot be written: No space left on device");
    expect_one_sentence(json_too, 6, "No space left on device");
    expect_whole_and_resumable(csv);
    expect_completed(csv);
    EXPECT_FALSE(std::filesystem::exists(records + ".partial"));
    EXPECT_EQ(umount((folder / "").c_str()), 0);
}

TEST(FileFaults, a_disk_that_may_not_be_written) {
    const TempFolder folder;
    if (mount("convscope-test", (folder / "").c_str(), "tmpfs", MS_RDONLY, nullptr) != 0)
        GTEST_SKIP() << "no read-only file system can be mounted here";
    const Finished csv = run(sixty_seeds((folder / "a.csv").string()));
    const Finished written = run(sixty_seeds("/dev/null", {"--json", (folder / "a.json").string()}));
    const Finished merged = run({"merge", (folder / "a.csv").string(), "--csv", (folder / "b.csv").string()});
    EXPECT_EQ(umount((folder / "").c_str()), 0);
    expect_one_sentence(csv, 6, "a.csv' cannot be written: Read-only file system");
    expect_one_sentence(written, 6, "a.json' cannot be written: Read-only file system");
    expect_one_sentence(merged, 6, "a.csv' cannot be read: No such file");
}

TEST(FileFaults, a_folder_in_place_of_a_file) {
    const TempFolder folder;
    const std::string here = (folder / "").string();
    expect_one_sentence(run(sixty_seeds(here)), 6, "cannot be written: Is a directory");
    expect_one_sentence(run(sixty_seeds(here, {"--resume"})), 6, "cannot be written: Is a directory");
    expect_one_sentence(run(sixty_seeds("/dev/null", {"--json", here})), 6, "cannot be written: Is a directory");
    expect_one_sentence(run({"merge", here, "--csv", (folder / "b.csv").string()}), 6,
                        "cannot be read: Is a directory");
    expect_one_sentence(run({"merge", (folder / "b.csv").string(), "--csv", here}), 6, "");
}

TEST(FileFaults, a_line_feed_in_a_name_is_written_out) {
    const TempFolder folder;
    expect_one_sentence(run({"fit", (folder / "a\nb.csv").string()}), 6, "a\\nb.csv' cannot be read");
}

TEST(FileFaults, a_second_sweep_into_one_file) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string();
    Program first({"sweep", "--device", "cpu", "--h", "8", "--r", "3", "--seed", "1:9:1", "--methods", "im2col",
                   "--csv", csv, "--timeout", "30", "--min-samples", "1000000", "--quiet"});
    ASSERT_TRUE(testing::wait_until([&] { return !read_file(csv).empty(); }));
    const std::string before = read_file(csv);
    expect_one_sentence(run(sixty_seeds(csv)), 6, "a.csv' is being written by another run of convscope");
    expect_one_sentence(run(sixty_seeds(csv, {"--resume"})), 6, "a.csv' is being written by another run of convscope");
    const std::string other = folder.write("b.csv", csv_header() + "\r\n").string();
    expect_one_sentence(run({"merge", other, "--csv", csv}), 6, "a.csv' is being written by another run of convscope");
    EXPECT_EQ(read_file(csv), before);
    first.signal(SIGINT);
    EXPECT_EQ(first.wait().status, 130);
}

}  // namespace
}  // namespace convscope
