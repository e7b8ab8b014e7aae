// convscope kernel, seen from outside: what it says of a run.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/cli/user_kernel.h"

namespace convscope {
namespace {

using testing::Finished;
using testing::read_file;
using testing::run;
using testing::UserKernel;

class UserKernelFindings : public UserKernel {};

TEST_F(UserKernelFindings, says_what_is_found_a_line_each) {
    const Finished finished = run(
        {"kernel", sample("seeded_bugs"), "--entry", "past_the_end", "--define", "BUG=1", "--json", path("o.json")});
    EXPECT_EQ(finished.status, 4);
    EXPECT_EQ(finished.err.substr(0, finished.err.find('\n')),
              "out_of_bounds seeded_bugs.cu:10 block (0,0,0) thread (40,0,0) x[40]: writes; x has 40 elements");
    const auto report = nlohmann::json::parse(read_file(path("o.json")));
    EXPECT_EQ(report["findings"][0]["kind"], "out_of_bounds");
    EXPECT_EQ(report["findings"][0]["line"], 10);
}

TEST_F(UserKernelFindings, says_that_a_launch_gives_no_dynamic_shared_memory) {
    const std::string file = write("s.cu",
                                   "// convscope: grid = 1, block = 32, y = out(32)\n"
                                   "__global__ void s(float* y) {\n    extern __shared__ float s[];\n"
                                   "    s[threadIdx.x] = 1;\n    y[threadIdx.x] = s[threadIdx.x];\n}\n");
    const Finished finished = run({"kernel", file});
    EXPECT_EQ(finished.status, 4);
    EXPECT_NE(finished.err.find("writes; s has 0 elements: the launch gives no dynamic shared memory"),
              std::string::npos)
        << finished.err;
    EXPECT_EQ(run({"kernel", file, "--shared", "128"}).status, 0);
}

TEST_F(UserKernelFindings, says_what_follows_from_a_divergent_barrier_after_it) {
    const Finished finished = run({"kernel", write("turn.cu",
                                                   "// convscope: grid = 1, block = 64, y = out(64)\n"
                                                   "__global__ void turn(int* y) {\n"
                                                   "    __shared__ int s[64];\n"
                                                   "    if (threadIdx.x < 40) {\n"
                                                   "        s[threadIdx.x] = threadIdx.x;\n"
                                                   "        __syncthreads();\n"
                                                   "    }\n"
                                                   "    y[threadIdx.x] = s[(threadIdx.x + 40) % 64];\n}\n")});
    EXPECT_EQ(finished.status, 4);
    EXPECT_TRUE(finished.err.starts_with("divergent_barrier turn.cu:6")) << finished.err;
    EXPECT_NE(finished.err.find("\nrace turn.cu:8"), std::string::npos) << finished.err;
}

TEST_F(UserKernelFindings, a_race_explains_why_a_value_was_not_there_yet) {
    const auto kernel = [&](const char* name, const char* write_line) {
        return run({"kernel", write(std::string(name) + ".cu",
                                    std::string("// convscope: grid = 1, block = 64, y = out(64)\n"
                                                "__global__ void turn(float* y) {\n"
                                                "    __shared__ float s[64];\n    ") +
                                        write_line + "\n    y[threadIdx.x] = s[63 - threadIdx.x];\n}\n")})
            .err;
    };
    const std::string raced = kernel("raced", "s[threadIdx.x] = 1;");
    EXPECT_NE(raced.find("race raced.cu:5"), std::string::npos) << raced;
    EXPECT_EQ(raced.find("uninitialised"), std::string::npos) << raced;
    const std::string half = kernel("half", "if (threadIdx.x != 40) s[threadIdx.x] = 1;");
    EXPECT_NE(half.find("race half.cu:5"), std::string::npos) << half;
    EXPECT_NE(half.find("uninitialised half.cu:5"), std::string::npos) << "nobody ever writes s[40]: " << half;
}

TEST_F(UserKernelFindings, a_race_of_a_line_with_itself_does_not_explain_what_it_reads) {
    const std::string err = run({"kernel", write("count.cu",
                                                 "// convscope: grid = 1, block = 64, h = out(8)\n"
                                                 "__global__ void count(int* h) {\n"
                                                 "    h[threadIdx.x % 8]++;\n}\n")})
                                .err;
    EXPECT_NE(err.find("race count.cu:3"), std::string::npos) << err;
    EXPECT_NE(err.find("uninitialised count.cu:3"), std::string::npos) << err;
}

TEST_F(UserKernelFindings, an_expression_that_does_not_read_says_why_in_plain_words) {
    const std::string file = write("one.cu", "__global__ void one(float* y) { y[0] = 1; }\n");
    const auto why = [&](const char* grid) {
        return run({"kernel", file, "--grid", grid, "--block", "1", "--out", "y=1"}).err;
    };
    EXPECT_NE(why("size*2").find("'size*2' does not read: there is no name 'size'"), std::string::npos)
        << why("size*2");
    EXPECT_NE(why("2*").find("it ends where a value has to follow"), std::string::npos) << why("2*");
    EXPECT_NE(why("(2").find("a bracket is not closed"), std::string::npos) << why("(2");
    EXPECT_NE(why("8x8").find("grid: '8x8' is not accepted; sizes are separated by commas: 8,8"), std::string::npos)
        << why("8x8");
    EXPECT_NE(why("(1000+255)/256")
                  .find("grid: '(1000+255)/256' is 4.90234375, not a whole number; '/' does not round as CUDA's does: "
                        "write ceil(n/256) for (n+255)/256"),
              std::string::npos)
        << why("(1000+255)/256");
    EXPECT_TRUE(why("1.5").ends_with("not a whole number\n")) << why("1.5");
    EXPECT_NE(why("2)").find("')' cannot stand as character 2"), std::string::npos) << why("2)");
}

TEST_F(UserKernelFindings, has_nothing_against_correct_kernels) {
    const std::string file = write("correct.cu", R"(
struct P { char c; int x; };
// convscope: grid = 1, block = 32, y = out(256, uint8)
__global__ void padding(unsigned char* y) {
    __shared__ P p[32];
    int t = threadIdx.x;
    p[t].c = t;
    p[t].x = t + 1;
    __syncthreads();
    P a = p[31 - t];
    ((P*)y)[t] = a;
    __syncthreads();
    p[t] = ((P*)y)[31 - t];
    __syncthreads();
    ((P*)y)[t] = p[t];
}
// convscope: grid = 2, block = 64, l = zeros(1), n = zeros(1)
__global__ void lock(int* l, int* n) {
    for (bool done = false; !done;)
        if (atomicCAS(l, 0, 1) == 0) {
            __threadfence();
            ++*n;
            __threadfence();
            atomicExch(l, 0);
            done = true;
        }
}
// convscope: grid = 1, block = 64, m = out(1), y = out(64)
__global__ void exchange(int* m, int* y) {
    atomicExch(m, 5);
    y[threadIdx.x] = threadIdx.x;
}
// convscope: grid = 4, block = 64, m = zeros(1)
__global__ void largest(int* m) {
    int old = *m, seen, mine = blockIdx.x * 64 + threadIdx.x;
    do {
        seen = old;
        old = atomicCAS(m, seen, seen > mine ? seen : mine);
    } while (old != seen);
}
)");
    for (const char* entry : {"padding", "lock", "exchange", "largest"}) {
        const Finished finished = run({"kernel", file, "--entry", entry, "--json", path("o.json")});
        EXPECT_EQ(finished.status, 0) << entry << ": " << finished.err;
        const auto report = nlohmann::json::parse(read_file(path("o.json")));
        EXPECT_TRUE(report["findings"].empty()) << entry;
        if (std::string(entry) != "largest") continue;
        const std::string note =
            "correct.cu:35: the load is not atomic; it counts as such, because a compare-and-swap checks its value";
        EXPECT_NE(finished.err.find("convscope: " + note + "\n"), std::string::npos) << finished.err;
        EXPECT_EQ(report["notes"], nlohmann::json::array({note}));
    }
}

TEST_F(UserKernelFindings, bounds_what_a_kernel_prints_and_the_arrays_that_are_made_for_it) {
    const std::string file = write("huge.cu", R"(
// convscope: grid = 1, block = 1, a = random(1200000000)
__global__ void prints(float* a) {
    printf("%.1999999999f\n", (double)a[0]);
}
)");
    const Finished rejected = run({"kernel", file});
    EXPECT_EQ(rejected.status, 2);
    EXPECT_NE(rejected.err.find(
                  "the argument a: the array takes 4.8 GB of memory; those that are made for the simulated GPU take up "
                  "to 160 MB together"),
              std::string::npos)
        << rejected.err;
    EXPECT_EQ(run({"kernel", file, "--arg", "a=random(200000000)"}).status, 2);
    EXPECT_EQ(run({"kernel", file, "--out", "a=1200000000"}).status, 2);
    const Finished printed = run({"kernel", file, "--arg", "a=ones(1)"});
    EXPECT_EQ(printed.status, 0) << printed.err;
    EXPECT_TRUE(printed.out.starts_with("1.00000")) << printed.out.substr(0, 40);
    EXPECT_LT(printed.out.size(), 5000U);
}

TEST_F(UserKernelFindings, notes_what_it_has_not_written_where_nothing_says_so_already) {
    const std::string file = write("half.cu",
                                   "// convscope: grid = 1, block = 32, a = out(64), b = zeros(64)\n"
                                   "__global__ void half(float* a, float* b) { a[2 * threadIdx.x] = 1; }\n");
    const std::string note = "convscope: a: 32 of 64 elements are not written, the first is a[1]\n";
    const Finished finished = run({"kernel", file, "--json", path("o.json"), "--save", "a=" + path("a.npy")});
    EXPECT_EQ(finished.status, 0) << "compaction writes a part, too";
    EXPECT_EQ(finished.err, note);
    const auto report = nlohmann::json::parse(read_file(path("o.json")));
    EXPECT_EQ(report["clean"], true);
    EXPECT_EQ(report["unwritten"], nlohmann::json::parse(R"([{"array": "a", "elements": 32, "of": 64, "first": 1}])"));
    const Finished differs = run({"kernel", file, "--out", "a=32", "--expect", "a=" + path("a.npy")});
    EXPECT_EQ(differs.status, 4);
    EXPECT_EQ(differs.err.find("not written, the first"), std::string::npos) << differs.err;
}

TEST_F(UserKernelFindings, has_nothing_against_a_lock_that_lanes_of_a_warp_take) {
    const std::string file =
        write("l.cu",
              "__global__ void f(int *l, int *n) { for (bool d = false; !d;) if (atomicCAS(l, 0, 1) "
              "== 0) { __threadfence(); ++*n; __threadfence(); atomicExch(l, 0); d = true; } }\n");
    const Finished finished = run({"kernel", file, "--grid", "1", "--block", "32", "--arg", "l=zeros(1)", "--arg",
                                   "n=zeros(1)", "--save", "n=" + path("n.npy")});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(read_file(path("n.npy")).substr(128), std::string("\40\0\0\0", 4));
}

TEST_F(UserKernelFindings, has_races_of_volatile_accesses) {
    const std::string file = write("v.cu", R"(
__global__ void f(volatile int* s) { s[threadIdx.x] += s[(threadIdx.x + 32) % 64]; }
__global__ void blocks(volatile int* s) { s[blockIdx.x] = s[1 - blockIdx.x] + 1; }
__global__ void shared(int* s) {
    __shared__ volatile int t[64];
    t[threadIdx.x] = threadIdx.x;
    s[threadIdx.x] = t[63 - threadIdx.x];
}
__global__ void warp(volatile int* s) { s[threadIdx.x] = s[(threadIdx.x + 1) % 32] + 1; }
)");
    const auto finished = [&](const std::string& entry, const std::string& grid, const std::string& block) {
        return run({"kernel", file, "--entry", entry, "--grid", grid, "--block", block, "--arg", "s=zeros(64)"});
    };
    for (const Finished& racing :
         {finished("f", "1", "64"), finished("blocks", "2", "1"), finished("shared", "1", "64")}) {
        EXPECT_EQ(racing.status, 4);
        expect_contains(racing.err, "race v.cu:");
    }
    EXPECT_EQ(finished("warp", "1", "32").status, 0);
}

TEST_F(UserKernelFindings, has_no_launch_that_no_gpu_takes) {
    const std::string file = write("s.cu", R"(
__global__ void most(float* y) {
    __shared__ float b[12288];
    b[threadIdx.x] = 1;
    y[threadIdx.x] = b[threadIdx.x];
}
__global__ void more(float* y) {
    __shared__ float b[16384];
    b[threadIdx.x] = 1;
    y[threadIdx.x] = b[threadIdx.x];
}
__device__ void sort(float* y) {
    float v[96];
#pragma unroll
    for (int i = 0; i < 96; ++i) v[i] = y[i * 1024 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 96; ++i) y[i * 1024 + threadIdx.x] = v[95 - i] * (i + 1) + v[i];
}
__global__ void wide(float* y) { sort(y); }
__global__ void __launch_bounds__(1024) bounded(float* y) { sort(y); }
)");
    const auto words = [&](const char* entry, const char* block) {
        return std::vector<std::string>{"kernel", file,      "--entry", entry,   "--grid",
                                        "1",      "--block", block,     "--arg", "y=ones(98304)"};
    };
    EXPECT_EQ(run(words("most", "8")).status, 0);
    expect_rejected(words("more", "8"), 2,
                    "the kernel declares 65536 bytes of shared memory, and ptxas takes up to 49152");
    if (ptx::find_cuda_compiler()->is_clang || !ptx::assemble({ptx::compile_to_ptx(file, {}), "_Z4widePf"}))
        GTEST_SKIP() << "no nvcc with its ptxas";
    EXPECT_EQ(run(words("wide", "256")).status, 0);
    EXPECT_EQ(run(words("bounded", "1024")).status, 0);
    expect_rejected(words("wide", "1024"), 2,
                    "a block of 1024x1x1 threads cannot be launched: ptxas gives each of them ");
    // More threads than any block has are said to be too many, not to have too many registers.
    expect_rejected(words("wide", "64,64"), 2, "a block has 1 to 1024");
}

}  // namespace
}  // namespace convscope
