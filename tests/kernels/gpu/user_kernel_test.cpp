// A user's own kernel on a real GPU: what it writes is what it writes on the simulated one, whatever goes wrong is one
// sentence and an exit status, and a layer is timed against cuDNN.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/user_kernel/difference.h"
#include "app/user_kernel/exercise.h"
#include "app/user_kernel/gpu_run.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/records/csv_file.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/gpu/gpu_fixture.h"

namespace convscope {
namespace {

namespace fs = std::filesystem;

fs::path here() {
    return fs::read_symlink("/proc/self/exe").parent_path();
}

class SolvedExercise : public testing::GpuTest, public ::testing::WithParamInterface<app::Exercise> {
protected:
    /// The exercise's solution and its arrays, compiled for 'architecture'.
    static std::unique_ptr<app::PreparedKernel> prepared(const std::string& architecture) {
        app::KernelCall call;
        call.file = GetParam().file;
        call.defines = {"SOLUTION"};
        call.architecture = architecture;
        return app::prepare_kernel(app::open_kernel(call, read_text_file(call.file)), call);
    }
};

TEST_P(SolvedExercise, writes_what_it_writes_on_the_simulated_gpu) {
    const auto simulated = prepared("");
    ASSERT_EQ(ptx::run(simulated->kernel->program, simulated->request()).failure, "");
    const auto real = prepared(app::architecture_of(device().info()));
    const UserLaunch launch = app::user_launch(*real, {});
    const UserRunResult result = run_user_kernel(device(), {"cuda:0", launch, {}, false}, [] {});
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const UserArgument& argument = launch.arguments[i];
        if (argument.role == UserRole::value) continue;
        const NpyBytes& expected = simulated->arguments.arrays.at(argument.name).array;
        NpyBytes got = expected;
        ASSERT_EQ(result.arrays[i].size(), got.data.size());
        std::memcpy(got.data.data(), result.arrays[i].data(), got.data.size());
        EXPECT_EQ(app::difference_to(argument.name, got, expected), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Shipped, SolvedExercise, ::testing::ValuesIn(app::all_exercises()), [](const auto& each) {
    std::string name = each.param.id;
    std::erase(name, '-');
    return name;
});

/// The real program, in a folder with the test's files.
class UserKernelOnGpu : public testing::GpuTest {
protected:
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return name;
    }
    /// The exit status of "convscope kernel WORDS --device cuda:0", or of another command.
    int run(const std::string& words, const std::string& timeout = "0.05",
            const std::string& command = "kernel") const {
        const int state =
            std::system(("cd '" + (folder_ / "").string() + "' && '" + (here() / "convscope").string() + "' " +
                         command + " " + words + " --device cuda:0 --timeout " + timeout + " >out 2>err")
                            .c_str());
        return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    }
    std::string said(const std::string& where) const {
        std::ifstream file(folder_ / where);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    TempFolder folder_;
};

constexpr const char* convolution = R"(// convscope: grid = (ceil(q/16), ceil(p/16), n*k), block = (16, 16)
__global__ void naive(const float* x, const float* w, float* y, int c, int h, int width, int k, int r, int s, int p,
                      int q, int pad) {
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y, filter = blockIdx.z;
    if (row >= p || column >= q) return;
    float sum = 0;
    for (int channel = 0; channel < c; ++channel)
        for (int i = 0; i < r; ++i)
            for (int j = 0; j < s; ++j) {
                int a = row + i - pad, b = column + j - pad;
                if (a >= 0 && b >= 0 && a < h && b < width)
                    sum += x[(channel * h + a) * width + b] * w[((filter * c + channel) * r + i) * s + j] SLIP;
            }
    y[(filter * p + row) * q + column] = sum;
})";

TEST_F(UserKernelOnGpu, computes_a_layer_and_is_timed_beside_cudnn) {
    write("conv.cu", convolution);
    EXPECT_EQ(run("conv.cu --define SLIP= --preset vgg19/conv5_1 --csv a.csv"), 0) << said("err");
    const std::vector<Record> rows = read_csv(folder_ / "a.csv").records;
    ASSERT_EQ(rows.size(), 4U) << said("out");
    EXPECT_EQ(rows[0].method, "own/naive");
    for (const Record& row : rows) {
        EXPECT_EQ(row.status, Status::passed) << row.method << ": " << row.status_reason;
        EXPECT_GT(row.time_median_us.value_or(0), 0) << row.method;
    }
    EXPECT_TRUE(rows[0].registers.value_or(0) > 0);
}

TEST_F(UserKernelOnGpu, is_tuned_by_its_defines) {
    std::string text = convolution;
    for (std::size_t at = text.find("16"); at != std::string::npos; at = text.find("16")) text.replace(at, 2, "TILE");
    write("conv.cu", text);
    EXPECT_EQ(run("conv.cu --define SLIP= --define TILE=4,8,16,64 --preset vgg19/conv5_1 --csv a.csv"), 0)
        << said("err");
    const std::vector<Record> rows = read_csv(folder_ / "a.csv").records;
    ASSERT_EQ(rows.size(), 7U) << said("out");
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(rows[i].status, Status::passed) << rows[i].status_reason;
        EXPECT_EQ(rows[i].tunables, "TILE=" + std::to_string(4 << i));
        EXPECT_EQ(rows[i].block->x, 4 << i);
    }
    EXPECT_EQ(rows[3].status, Status::invalid_config) << "4096 threads";
}

TEST_F(UserKernelOnGpu, is_swept_over_beside_cudnn) {
    std::string text = convolution;
    for (std::size_t at = text.find("16"); at != std::string::npos; at = text.find("16")) text.replace(at, 2, "TILE");
    write("conv.cu", text);
    const std::string words = "--own conv.cu --define SLIP= --preset vgg19/conv5_1 --csv a.csv --define TILE=";
    EXPECT_EQ(run(words + "8,64", "0.05", "sweep"), 0) << said("err");
    const std::vector<Record> rows = read_csv(folder_ / "a.csv").records;
    ASSERT_EQ(rows.size(), 4U) << said("out");
    EXPECT_EQ(rows[0].method, "own/naive");
    EXPECT_GT(rows[0].speedup_vs_vendor.value_or(0), 0) << rows[0].status_reason;
    EXPECT_EQ(rows[2].status, Status::invalid_config) << "4096 threads";
    EXPECT_EQ(run(words + "8,16,64 --resume", "0.05", "sweep"), 0) << said("err");
    EXPECT_EQ(read_csv(folder_ / "a.csv").records.size(), 6U) << "the new point alone";
    EXPECT_EQ(run(words + "8,16,64 --resume --block 8,8 --methods none", "0.05", "sweep"), 4) << said("err");
    EXPECT_EQ(read_csv(folder_ / "a.csv").records.back().block->x, 8) << "whatever TILE is";
}

TEST_F(UserKernelOnGpu, is_wrong_with_status_4) {
    write("conv.cu", convolution);
    EXPECT_EQ(run("conv.cu --define 'SLIP=*1.01f' --preset vgg19/conv5_1"), 4);
    EXPECT_NE(said("err").find("naive is wrong"), std::string::npos) << said("err");
}

TEST_F(UserKernelOnGpu, is_looked_at_between_its_samples) {
    std::string text = convolution;
    text.insert(text.find("    if (row >= p"),
                "    if (launches > 40) return;\n    if (row + column + filter == 0) ++launches;\n");
    write("tires.cu", text.insert(0, "__device__ int launches;\n"));
    EXPECT_EQ(run("tires.cu --define SLIP= --preset vgg19/conv5_1 --csv a.csv", "5"), 4) << said("out") << said("err");
    const Record row = read_csv(folder_ / "a.csv").records.at(0);
    EXPECT_EQ(row.status, Status::incorrect);
    EXPECT_TRUE(row.status_reason.starts_with("in a later run: ") ||
                row.status_reason.starts_with("after its inputs had changed: "))
        << row.status_reason;
}

TEST_F(UserKernelOnGpu, is_timed_alone_and_prints) {
    write("add.cu", R"(#include <cstdio>
// convscope: n = 1000, grid = 4, block = 256, a = iota(n), b = ones(n), c = out(n)
__global__ void add(const float* a, const float* b, float* c, int n) {
    extern __shared__ float most[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 7) printf("seven\n");
    if (i < n) most[threadIdx.x] = a[i], c[i] = most[threadIdx.x] + b[i];
})");
    EXPECT_EQ(run("add.cu --shared 100000 --json o.json"), 0) << said("err");
    EXPECT_TRUE(said("out").starts_with("seven\n")) << said("out");
    EXPECT_EQ(said("out").find("seven", 6), std::string::npos) << "printed while it was timed";
    EXPECT_NE(said("out").find("add: median"), std::string::npos) << said("out");
    EXPECT_NE(said("o.json").find("samples_us"), std::string::npos);
    EXPECT_EQ(said("out").find("left other values"), std::string::npos) << said("out");
    EXPECT_EQ(run("add.cu --csv a.csv"), 2);
    EXPECT_EQ(run("add.cu --block 2000"), 2);
    EXPECT_NE(said("err").find("1024"), std::string::npos) << said("err");
}

/// The elements of a saved array.
template <class T>
std::vector<T> elements(const std::string& npy, std::size_t count) {
    std::vector<T> all(count);
    const std::size_t bytes = count * sizeof(T);
    if (npy.size() > bytes) std::memcpy(all.data(), npy.data() + npy.size() - bytes, bytes);
    return all;
}

TEST_F(UserKernelOnGpu, has_the_variables_of_its_file_filled_and_saved) {
    write("k.cu", R"(__constant__ float kw[2][2];
static __constant__ int bias;
__device__ int counts[2];
// convscope: grid = 1, block = 1, kw = iota(4), bias = 3, counts = ones(2), o = out(4)
__global__ void k(float* o) {
    for (int i = 0; i < 4; ++i) o[i] = kw[i / 2][i % 2] + bias;
    counts[1] += 2 * bias;
})");
    EXPECT_EQ(run("k.cu --save o=o.npy --save counts=counts.npy"), 0) << said("err");
    EXPECT_EQ(elements<float>(said("o.npy"), 4), (std::vector<float>{3, 4, 5, 6}));
    EXPECT_EQ(elements<int>(said("counts.npy"), 2), (std::vector<int>{1, 7})) << "of the first run";
    EXPECT_EQ(said("out").find("left other values"), std::string::npos) << said("out");
}

TEST_F(UserKernelOnGpu, is_launched_with_a_cluster_that_only_its_launch_names) {
    if (device().info().model.cc_major < 9) GTEST_SKIP() << "this GPU has no clusters";
    write("c.cu", R"(#include <cooperative_groups.h>
// convscope: grid = 4, block = 32, cluster = (2, 1, 1), y = out(128)
__global__ void c(int* y) {
    __shared__ int mine;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) mine = blockIdx.x;
    cluster.sync();
    y[blockIdx.x * 32 + threadIdx.x] = *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
    cluster.sync();
})");
    EXPECT_EQ(run("c.cu --save y=y.npy"), 0) << said("err");
    const std::vector<int> y = elements<int>(said("y.npy"), 128);
    for (int block = 0; block < 4; ++block) EXPECT_EQ(y[static_cast<std::size_t>(block) * 32], block ^ 1);
    EXPECT_NE(run("c.cu --grid 3"), 0) << "no whole number of clusters";
}

TEST_F(UserKernelOnGpu, is_launched_cooperatively_where_it_calls_grid_sync) {
    write("g.cu", R"(#include <cooperative_groups.h>
// convscope: grid = 64, block = 64, a = out(64), b = out(64)
__global__ void g(int* a, int* b) {
    if (threadIdx.x == 0) a[blockIdx.x] = blockIdx.x;
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) b[blockIdx.x] = a[gridDim.x - 1 - blockIdx.x];
})");
    EXPECT_EQ(run("g.cu --save b=b.npy"), 0) << said("err");
    const std::vector<int> b = elements<int>(said("b.npy"), 64);
    for (int block = 0; block < 64; ++block) EXPECT_EQ(b[static_cast<std::size_t>(block)], 63 - block);
    EXPECT_EQ(run("g.cu --grid 100000 --arg 'a=out(100000)' --arg 'b=out(100000)'"), 2) << said("err");
    EXPECT_NE(said("err").find("grid.sync()"), std::string::npos) << said("err");
}

TEST_F(UserKernelOnGpu, says_that_it_was_timed_alone_without_its_work) {
    write("once.cu", R"(__device__ int launches;
// convscope: grid = 1, block = 32, a = out(32)
__global__ void once(float* a) {
    if (launches == 0) a[threadIdx.x] = 1;
    __syncthreads();
    launches = 1;
})");
    EXPECT_EQ(run("once.cu"), 0) << said("err");
    EXPECT_NE(said("out").find("a run after the samples left other values than the first"), std::string::npos)
        << said("out");
}

TEST_F(UserKernelOnGpu, failing_ends_nothing_but_its_process) {
    write("wild.cu", R"(// convscope: grid = 1, block = 32, a = out(32)
__global__ void wild(float* a) { a[1LL << 36] = 1; })");
    EXPECT_EQ(run("wild.cu"), 5);
    EXPECT_NE(said("err").find("illegal memory access"), std::string::npos) << said("err");
    write("endless.cu", R"(// convscope: grid = 1, block = 32, a = out(32)
__global__ void endless(volatile float* a) { while (a[threadIdx.x] != 1) {} })");
    app::KernelCall call;
    call.file = folder_ / "endless.cu";
    call.architecture = app::architecture_of(device().info());
    const auto prepared = app::prepare_kernel(app::open_kernel(call, read_text_file(call.file)), call);
    try {
        run_user_isolated({"cuda:0", app::user_launch(*prepared, call), {}, false}, {}, std::chrono::seconds(8),
                          {(here() / "convscope").string(), "measure-worker"});
        FAIL() << "it ended";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("own/endless did not end within 8 s"), std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace convscope
