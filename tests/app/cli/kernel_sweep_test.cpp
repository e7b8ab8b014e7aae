// convscope sweep --own: a kernel of one's own over its constants, seen from outside.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "kernels/records/csv_file.h"
#include "tests/app/cli/user_kernel.h"

namespace convscope {
namespace {

using testing::expect_rejected;
using testing::Finished;
using testing::read_file;
using testing::run;

using UserKernelSweep = testing::UserKernel;

TEST_F(UserKernelSweep, is_no_method_of_a_sweep_on_a_cpu) {
    const std::string file = sample("convolution");
    const std::vector<std::string> layer = {"--h", "9", "--r", "3", "--device", "cpu"};
    const auto rejected = [&](std::vector<std::string> words, const std::string& sentence) {
        words.insert(words.begin(), "sweep");
        words.insert(words.end(), layer.begin(), layer.end());
        expect_rejected(words, 2, sentence);
    };
    rejected({"--own", file, "--define", "TILE=8,16"}, "on sim or on a CUDA GPU, not on 'cpu'");
    rejected({"--define", "TILE=8,16"}, "give --own");
    rejected({"--own", file, "--search", "all"}, "--own does not go with --search");
    rejected({"--own", sample("arithmetic")}, "give --own");
    rejected({"--own", file + ":convolution", "--csv", file}, "--csv");
    expect_rejected({"sweep", "--own", "/nowhere.cu", "--h", "9", "--r", "3"}, 6, "/nowhere.cu");
}

TEST_F(UserKernelSweep, says_of_a_kernel_that_computes_no_layer_what_a_layer_has) {
    const std::string file =
        write("add.cu", "__global__ void add(const float* a, const float* b, float* c) { c[0] = a[0] + b[0]; }\n");
    const Finished finished =
        run({"sweep", "--own", file, "--h", "9", "--r", "3", "--device", "sim", "--grid", "1", "--block", "1"});
    EXPECT_EQ(finished.status, 2);
    expect_contains(finished.out, "takes an array 'a', and a layer has x, w and y");
}

TEST_F(UserKernelSweep, is_swept_over_on_the_simulated_gpu_by_what_it_counts) {
    const std::string csv = path("rows.csv"),
                      file = write(
                          "conv.cu",
                          "constexpr int TILE = 8;\nstatic_assert(TILE != 6, \"no tile of 6\");\n"
                          "// convscope: grid = (ceil(q/TILE), ceil(p/TILE), n*k), block = (TILE, TILE)\n"
                          "__global__ void conv(const float* x, const float* w, float* y, int c, int h, int width, int "
                          "k, int r, int s, "
                          "int p, int q) {\n"
                          "    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;\n"
                          "    if (row >= p || column >= q) return;\n"
                          "    float sum = 0;\n"
                          "    for (int i = 0; i < c * r * s; ++i)\n"
                          "        sum += x[(i / (r * s) * h + row + i / s % r) * width + column + i % s] * "
                          "w[blockIdx.z * c * r * s + i];\n"
                          "    y[(blockIdx.z * p + row) * q + column] = sum;\n"
                          "}\n");
    const std::vector<std::string> words = {
        "sweep", "--own", file, "--define", "TILE=4,6,8,64",   "--h",    "12", "--r", "3", "--device",
        "sim",   "--csv", csv,  "--json",   path("rows.json"), "--quiet"};
    const Finished finished = run(words);
    EXPECT_EQ(finished.status, 0) << finished.err;
    const std::vector<Record> rows = read_csv(csv).records;
    ASSERT_EQ(rows.size(), 4U) << finished.err;
    EXPECT_EQ(rows[0].method, "own/conv");
    EXPECT_EQ(rows[0].tunables, "TILE=4");
    EXPECT_EQ(rows[0].block->x, 4);
    EXPECT_EQ(rows[0].status, Status::passed) << rows[0].status_reason;
    EXPECT_NE(rows[1].status_reason.find("no tile of 6"), std::string::npos) << rows[1].status_reason;
    EXPECT_EQ(rows[2].status, Status::passed) << rows[2].status_reason;
    EXPECT_EQ(rows[3].status, Status::invalid_config) << "4096 threads";
    EXPECT_NE(read_file(path("rows.json")).find("global_sectors"), std::string::npos);

    std::vector<std::string> again = words;
    again.push_back("--resume");
    EXPECT_NE(run(again).err.find("4 rows were there already"), std::string::npos);
    again.back() = "--missing";
    EXPECT_EQ(run(again).status, 0);
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_EQ(run(again).status, 5) << "its rows may be of what the file was before";

    const std::string fill = write("fill.cu",
                                   "// convscope: grid = 1, block = 32, a = out(32)\n"
                                   "__global__ void fill(float* a) { a[threadIdx.x] = 1; }\n");
    expect_rejected({"sweep", "--own", fill, "--h", "12", "--r", "3", "--device", "sim"}, 2,
                    "does not compute the layer");
}

}  // namespace
}  // namespace convscope
