// bench, network, reproduce and sweep on a GPU with a method that goes wrong in the middle of its sampling: its row
// says so, and the others are measured. The real program, with a module of faulty methods in the place of cuDNN's.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "kernels/records/csv_file.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/gpu/gpu_fixture.h"

namespace convscope {
namespace {

namespace fs = std::filesystem;

class CommandsIsolation : public testing::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped()) return;
        const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
        for (const char* file : {"convscope", "convscope_cuda.so"}) fs::copy_file(here / file, folder_ / file);
        fs::copy_file(here / "late_fault.so", folder_ / "convscope_cudnn.so");
    }
    /// The exit status of "convscope WORDS", in the test's folder. What it says is kept in the files out and err.
    int run(const std::string& words) {
        const int state = std::system(
            ("cd '" + (folder_ / "").string() + "' && ./convscope " + words + " --timeout 0.05 >out 2>err").c_str());
        return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    }
    std::string said() {
        std::ifstream file(folder_ / "err");
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::vector<Record> rows(const std::string& file) { return read_csv(folder_ / file).records; }

    static void expect_illegal(const Record& row) {
        EXPECT_EQ(row.status, Status::runtime_error);
        EXPECT_NE(row.status_reason.find("illegal memory access"), std::string::npos) << row.status_reason;
        EXPECT_FALSE(row.time_median_us);
    }
    static void expect_passed(const Record& row) {
        EXPECT_EQ(row.status, Status::passed) << row.method << ": " << row.status_reason;
        EXPECT_TRUE(row.time_median_us);
    }

    TempFolder folder_;
};

TEST_F(CommandsIsolation, bench_goes_on) {
    EXPECT_EQ(run("bench --preset vgg19/conv5_1 --methods im2col,illegal,ecr3 --csv a.csv"), 5) << said();
    const auto all = rows("a.csv");
    ASSERT_EQ(all.size(), 3U);
    expect_passed(all[0]);
    expect_illegal(all[1]);
    expect_passed(all[2]);
}

TEST_F(CommandsIsolation, network_goes_on) {
    EXPECT_EQ(run("network --preset lenet --methods im2col,illegal,ecr3 --csv a.csv"), 5) << said();
    const auto all = rows("a.csv");
    ASSERT_GE(all.size(), 6U);
    for (const Record& row : all) row.method == "illegal" ? expect_illegal(row) : expect_passed(row);
}

TEST_F(CommandsIsolation, reproduce_goes_on) {
    run("reproduce fast-write --out .");
    const auto all = rows("fast-single.csv");  // of which fast-write is a part
    ASSERT_EQ(all.size(), 2U) << said();
    for (const Record& row : all) row.method == "cudnn" ? expect_illegal(row) : expect_passed(row);
    EXPECT_TRUE(fs::exists(folder_ / "fast-write.md"));
}

TEST_F(CommandsIsolation, sweep_goes_on_from_point_to_point) {
    EXPECT_EQ(run("sweep --preset vgg19/conv5_1 --sparsity 0.5,0.9 --methods illegal,ecr3 --csv a.csv"), 5) << said();
    const auto all = rows("a.csv");
    ASSERT_EQ(all.size(), 4U);
    for (const Record& row : all) row.method == "illegal" ? expect_illegal(row) : expect_passed(row);
}

/// Takes the minute that the watchdog waits.
TEST_F(CommandsIsolation, a_kernel_that_never_ends_is_a_timeout) {
    EXPECT_EQ(run("bench --preset vgg19/conv5_1 --methods im2col,silent,ecr3 --csv a.csv"), 0) << said();
    const auto all = rows("a.csv");
    ASSERT_EQ(all.size(), 3U);
    expect_passed(all[0]);
    EXPECT_EQ(all[1].status, Status::timeout);
    EXPECT_NE(all[1].status_reason.find("gave no sign of life for 60.6 s"), std::string::npos) << all[1].status_reason;
    expect_passed(all[2]);
}

}  // namespace
}  // namespace convscope
