// convscope kernel, seen from outside. Whatever compiler there is compiles: nvcc or clang.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/app/cli/user_kernel.h"
#include "tests/support/fake_disassembler.h"
#include "tests/support/wait.h"

namespace convscope {
namespace {

using testing::expect_rejected;
using testing::Finished;
using testing::read_file;
using testing::run;
using testing::UserKernel;

TEST_F(UserKernel, is_compiled_without_libraries_of_the_callers_folder) {
    for (const char* name : {"libc.so.6", "libm.so.6"}) write(name, "no library");
    const Finished finished = run_here({"kernel", write("one.cu", one)}, {"LD_LIBRARY_PATH="});
    EXPECT_EQ(finished.status, 0) << finished.err;
}

// A compiler that is named without its folder is looked for on the PATH, and the toolkit's programs where it lies.
TEST_F(UserKernel, starts_no_program_of_the_callers_folder) {
    for (const char* name : {"nvcc", "ptxas", "nvdisasm", "cuobjdump"}) {
        write(name, "#!/bin/sh\ntouch '" + path("started") + "'\nexit 1\n");
        std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
    }
    const std::string file = write("one.cu", one);
    for (const char* variable : {"CUDACXX", "CONVSCOPE_CUDA_COMPILER"}) {
        const std::vector<std::string> compiler{std::string(variable) + "=nvcc"};
        EXPECT_EQ(run_here({"kernel", file}, compiler).status, 0) << variable;
        (void)run_here({"kernel", file, "--sass", path("one.sass")}, compiler);  // where the toolkit has nvdisasm
        EXPECT_FALSE(std::filesystem::exists(path("started"))) << variable;
    }
}

// nvcc includes cuda_runtime.h before the file; an empty element of $CPATH is the folder in which a compiler runs.
TEST_F(UserKernel, is_compiled_without_headers_of_the_callers_folder) {
    for (const char* name : {"cuda_runtime.h", "stdio.h", "stdint.h"}) write(name, "#error of the caller's folder\n");
    std::filesystem::create_directory(path("kernels"));
    for (const char* define : {"", "-DSIZE=32"}) {
        SCOPED_TRACE(define);
        write("kernels/one.cu",
              std::string("#include <cuda_runtime.h>\n#include <stdio.h>\n") + "constexpr int SIZE = 16;\n" + one);
        std::vector<std::string> words{"kernel", "kernels/one.cu"};
        if (*define) words.insert(words.end(), {"--define", define + 2});
        const Finished finished = run_here(words, {"CPATH=:"});
        EXPECT_EQ(finished.status, 0) << finished.err;
    }
}

TEST_F(UserKernel, includes_what_lies_beside_it) {
    write("two.h", "#define VALUE nothing\n");
    write("two.cu", "#include \"two.h\"\n__global__ void two(float* a) { a[0] = VALUE; }\n");
    const Finished finished = run_here({"kernel", "two.cu"});
    EXPECT_EQ(finished.status, 2);
    EXPECT_TRUE(finished.err.starts_with("convscope: two.cu:2:")) << "the file as the user called it: " << finished.err;
    EXPECT_NE(finished.err.find("nothing"), std::string::npos) << finished.err;
}

TEST_F(UserKernel, keeps_the_arrays_that_its_comment_names) {
    const std::string bytes = testing::npy_bytes("(4,)", {1, 2, 3, 4});
    write("a.npy", bytes);
    write("add.cu",
          "// convscope: grid = 1, block = 4, a = a.npy, c = out(4)\n"
          "__global__ void add(const float* a, float* c) { c[threadIdx.x] = a[threadIdx.x]; }\n");
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--save", "c=a.npy"}, {"--csv", "a.npy"}}) {
        const Finished finished = run_here({"kernel", "add.cu", words[0], words[1]});
        EXPECT_EQ(finished.status, 2) << finished.err;
        EXPECT_NE(finished.err.find("the array a"), std::string::npos) << finished.err;
        EXPECT_EQ(read_file(path("a.npy")), bytes);
    }
}

TEST_F(UserKernel, takes_whole_numbers_of_64_bits) {
    write("long.cu",
          "// convscope: grid = 1, block = 1\n"
          "__global__ void show(long long n, unsigned long long m) { printf(\"%lld %llu\\n\", n, m); }\n");
    const Finished finished =
        run_here({"kernel", "long.cu", "--arg", "n=-9223372036854775807", "--arg", "m=18446744073709551615"});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_TRUE(finished.out.starts_with("-9223372036854775807 18446744073709551615\n")) << finished.out;
    const Finished large = run_here({"kernel", "long.cu", "--arg", "n=9223372036854775808", "--arg", "m=1"});
    EXPECT_EQ(large.status, 2);
    EXPECT_NE(large.err.find("9223372036854775808 does not fit into a parameter of type long long"), std::string::npos)
        << large.err;
}

TEST_F(UserKernel, runs_on_arrays_of_its_own) {
    const std::string a = write("a.npy", testing::npy_bytes("(4,)", {1, 2, 3, 4}));
    const std::string b = write("b.npy", testing::npy_bytes("(4,)", {10, 20, 30, 40}));
    const std::string sum = write("sum.npy", testing::npy_bytes("(4,)", {11, 22, 33, 44}));
    const Finished finished = run({"kernel",   sample("vector_add"),
                                   "--grid",   "1",
                                   "--block",  "32",
                                   "--arg",    "a=" + a,
                                   "--arg",    "b=" + b,
                                   "--arg",    "n=4",
                                   "--out",    "c=4",
                                   "--expect", "c=" + sum,
                                   "--save",   "c=" + path("c.npy"),
                                   "--json",   path("o.json")});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(finished.out, "vector_add: done, nothing found\n");
    const auto report = nlohmann::json::parse(testing::read_file(path("o.json")));
    EXPECT_EQ(report["clean"], true);
    EXPECT_EQ(report["figures"]["global"]["stores"]["sectors"], 1);
    EXPECT_EQ(run({"kernel", sample("vector_add"), "--grid", "1", "--block", "32", "--arg", "a=" + a, "--arg",
                   "b=" + path("c.npy"), "--arg", "n=4", "--out", "c=4", "--expect", "c=" + sum})
                  .status,
              4);
}

TEST_F(UserKernel, is_a_layer_checked_against_the_reference) {
    const Finished finished = run({"kernel", sample("convolution"), "--h", "9", "--r", "3", "--c", "3", "--k", "4",
                                   "--stride", "2", "--pad", "1"});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_NE(finished.out.find("tolerance"), std::string::npos) << finished.out;
    const Finished wrong = run({"kernel", sample("convolution"), "--h", "9", "--r", "3", "--c", "3", "--arg", "c=2"});
    EXPECT_EQ(wrong.status, 4);
    EXPECT_NE(wrong.err.find("convolution is wrong"), std::string::npos) << wrong.err;
}

TEST_F(UserKernel, rejects_with_one_sentence) {
    const std::string add = sample("vector_add");
    expect_rejected({"kernel"}, 2, "needs a file");
    expect_rejected({"kernel", "/nowhere.cu"}, 6, "/nowhere.cu");
    expect_rejected({"kernel", "/dev/null"}, 6, "'/dev/null' cannot be compiled: it is not a regular file");
    expect_rejected({"kernel", add, "--grid", "1", "--block", "32"}, 2, "--arg a=FILE.npy");
    expect_rejected({"kernel", add, "--arg", "z=1"}, 2, "no such parameter");
    expect_rejected({"kernel", add, "--out", "a=4", "--out", "b=4", "--out", "c=4", "--arg", "n=4"}, 2,
                    "the grid is not known");
    expect_rejected({"kernel", add, "--out", "a=1000000000000", "--out", "b=4", "--out", "c=4", "--arg", "n=4"}, 2,
                    "4 TB of memory");
    expect_rejected({"kernel", sample("seeded_bugs"), "--define", "BUG=1"}, 2, "give --entry");
    expect_rejected({"kernel", add, "--out", "a=4", "--out", "b=4", "--out", "c=4:float99"}, 2, "float99");
    expect_rejected({"kernel", add, "--out", "a=4", "--out", "b=4", "--out", "c=4", "--arg", "n=4", "--grid", "1",
                     "--block", "32", "--save", "q=q.npy"},
                    2, "no array 'q'");
    expect_rejected({"kernel", write("broken.cu", "__global__ void k(int* x) {\n  x[0] = nothing;\n}\n")}, 2,
                    "broken.cu:2:10: ");
    expect_rejected({"kernel", write("none.cu", "__device__ int f() { return 1; }\n")}, 2, "has no kernel");
    expect_rejected(
        {"kernel", write("comment.cu", "// convscope: gird = (1)\n__global__ void k(int* x) {\n  x[0] = 1;\n}\n")}, 2,
        "'gird'");
}

TEST_F(UserKernel, is_called_as_the_comment_before_it_says) {
    const std::string file = write("fill.cu",
                                   "// convscope: grid = (size/32), block = (32), size = FACTOR*64\n"
                                   "__global__ void fill(int* x, int size) {\n"
                                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                   "  if (i < size) x[i] = i;\n}\n");
    expect_rejected({"kernel", file, "--out", "x=64:int32"}, 2, "FACTOR");
    const std::string right = write("right.cu",
                                    "#include <cstdio>\n// convscope: grid = (2), block = (2*16), size = 64\n"
                                    "__global__ void fill(int* x, int size) {\n"
                                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "  if (i < size) x[i] = i;\n"
                                    "  if (i == 3) printf(\"%d of %s\\n\", i, \"64\");\n}\n");
    const Finished finished = run({"kernel", right, "--out", "x=64:int32"});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(finished.out, "3 of 64\nfill: done, nothing found\n");
}

TEST_F(UserKernel, makes_up_arrays_and_counts_each_line) {
    const std::string file =
        write("add.cu",
              "// convscope: n = 100, grid = ceil(n/32), block = 32, a = iota(n), b = ones(n), c = out(n)\n"
              "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
              "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "    if (i < n) c[i] = a[i] + b[i];\n}\n");
    const Finished finished = run({"kernel", file, "--csv", path("o.csv"), "--save", "c=" + path("c.npy")});
    EXPECT_EQ(finished.status, 0) << finished.err;
    const std::string csv = testing::read_file(path("o.csv"));
    EXPECT_TRUE(csv.starts_with("file,line,warp_instructions,")) << csv;
    EXPECT_NE(csv.find("\nadd.cu,4,"), std::string::npos) << csv;
    EXPECT_EQ(run({"kernel", file, "--expect", "c=" + path("c.npy"), "--arg", "b=zeros(n)"}).status, 4);
    const Finished types =
        run({"kernel", file, "--expect", "c=" + write("i.npy", testing::npy_bytes("(1,)", {1}, false, "<i4"))});
    EXPECT_NE(types.err.find("c has elements of type float32, and int32 are expected"), std::string::npos) << types.err;
}

TEST_F(UserKernel, takes_an_instantiation_of_a_template) {
    const std::string file = write("scale.cu",
                                   "template <int By, class T>\n__global__ void scale(T* x, T more) {\n"
                                   "    x[threadIdx.x] = x[threadIdx.x] * By + more;\n}\n"
                                   "template __global__ void scale<3, float>(float*, float);\n"
                                   "template __global__ void scale<4, int>(int*, int);\n");
    expect_rejected({"kernel", file}, 2, "one of scale<3,float>, scale<4,int>");
    const Finished finished = run({"kernel", file, "--entry", "scale<4, int>", "--grid", "1", "--block", "32", "--arg",
                                   "x=iota(32)", "--arg", "more=-2", "--json", path("o.json")});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(run({"kernel", file, "--entry", "scale<3,float>", "--grid", "1", "--block", "32", "--arg", "x=iota(32)",
                   "--arg", "more=0.5"})
                  .status,
              0);
}

TEST_F(UserKernel, rejects_flags_of_a_layer_that_is_not_given) {
    expect_rejected({"kernel", sample("vector_add"), "--pad", "1"}, 2, "--pad");
    expect_rejected({"kernel", sample("vector_add"), "--sparsity", "0.5"}, 2, "no layer is given");
}

TEST_F(UserKernel, is_disassembled_without_a_run) {
    testing::put_fake_disassembler(path(""), "convolution", sample("convolution"));
    if (!ptx::why_no_sass().empty()) {
        expect_rejected({"kernel", sample("convolution"), "--sass", path("a.sass")}, 3, "ptxas");
        return;
    }
    const Finished finished = run({"kernel", sample("convolution"), "--sass", path("a.sass")});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_NE(finished.out.find("convolution: sm_80, "), std::string::npos) << finished.out;
    EXPECT_NE(read_file(path("a.sass")).find("convolution.cu:5"), std::string::npos) << read_file(path("a.sass"));
    EXPECT_NE(read_file(path("a.sass")).find("EXIT"), std::string::npos);
    expect_rejected({"kernel", sample("convolution"), "--sass", sample("convolution")}, 2, "--sass");
    expect_rejected({"kernel", sample("convolution"), "--sass", path("a.sass"), "--save", "y=" + path("y.npy")}, 2,
                    "--save");
}

TEST_F(UserKernel, names_the_devices_that_it_runs_on) {
    const std::vector<std::string> words = {"kernel",  sample("vector_add"),
                                            "--arg",   "a=iota(8)",
                                            "--arg",   "b=ones(8)",
                                            "--arg",   "n=8",
                                            "--out",   "c=8",
                                            "--grid",  "1",
                                            "--block", "32"};
    const auto on = [&](const std::string& device) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"--device", device});
        return all;
    };
    EXPECT_EQ(run(on("sim")).status, 0);
    expect_rejected(on("cpu"), 3, "runs on sim or on a CUDA GPU, not on 'cpu'");
    expect_rejected(on("cuda:77"), 3, "cuda:77");
}

TEST_F(UserKernel, takes_the_names_of_defines_in_its_comment) {
    const std::string file = write("tile.cu",
                                   "// convscope: grid = ceil(100/TILE), block = TILE, a = out(100)\n"
                                   "__global__ void fill(float* a) {\n"
                                   "  int i = blockIdx.x * TILE + threadIdx.x;\n  if (i < 100) a[i] = 1;\n}\n");
    EXPECT_EQ(run({"kernel", file, "--define", "TILE=32"}).status, 0);
    expect_rejected({"kernel", file, "--define", "TILE=32,64"}, 2, "give --device cuda:0");
    expect_rejected({"kernel", file, "--define", "TILE=32,many"}, 2, "'many' is not a whole number");
    expect_rejected({"kernel", file, "--define", "TILE=32", "--define", "TILE=64"}, 2, "TILE is given twice");
    expect_rejected({"kernel", file, "--define", "TILE=8,8"}, 2, "a value is given twice");
    expect_rejected({"kernel", file, "--define", "=1"}, 2, "give NAME or NAME=VALUE");
    EXPECT_EQ(run({"kernel", file, "--define", "TILE=0x20"}).status, 0);
    expect_rejected({"kernel", file, "--define", "TILE=32", "--define", "F(x)=3"}, 2, "there is no 'F(x)' in");
    expect_rejected({"kernel", file, "--define", "TILE=32", "--scope", "kernel"}, 2, "sim has no clock");
}

/// The usual way to write a kernel: its tile is a constant of the file, which the comment and --define take up.
TEST_F(UserKernel, has_constants_that_defines_replace) {
    const auto fill = [&](const std::string& constant, const std::string& statement) {
        return write("tile.cu", constant +
                                    "\n// convscope: grid = ceil(100/TILE), block = TILE, a = out(100)\n"
                                    "__global__ void fill(float* a) {\n"
                                    "  int i = blockIdx.x * TILE + threadIdx.x;\n  " +
                                    statement + "\n}\n");
    };
    for (const char* constant : {"#define TILE 16", "constexpr int TILE = 16;", "const int TILE = 16;"}) {
        const std::string file = fill(constant, "if (i < 100) a[i] = 1;");
        EXPECT_EQ(run({"kernel", file, "--json", path("16.json")}).status, 0) << constant;
        EXPECT_NE(read_file(path("16.json")).find("\"block\": [\n    16,"), std::string::npos)
            << read_file(path("16.json"));
        EXPECT_EQ(
            run({"kernel", file, "--define", "TILE=64", "--csv", path("64.csv"), "--json", path("64.json")}).status, 0);
        EXPECT_NE(read_file(path("64.json")).find("\"block\": [\n    64,"), std::string::npos);
        EXPECT_NE(read_file(path("64.csv")).find("tile.cu,5,"), std::string::npos) << "lines are the file's own";
        const Finished bad = run({"kernel", fill(constant, "a[i] = 1;"), "--define", "TILE=64"});
        EXPECT_NE(bad.err.find("tile.cu:5 block"), std::string::npos) << bad.err;
        expect_rejected({"kernel", fill(constant, "a[i] = 1"), "--define", "TILE=64"}, 2, "tile.cu:");
    }
}

TEST_F(UserKernel, has_its_errors_where_they_are_in_a_file_of_any_name) {
    const std::string file = write("k{}.cu", "__global__ void f(int* a) {\n  a[0] = b;\n}\n");
    expect_rejected({"kernel", file, "--grid", "1", "--block", "1"}, 2, "k{}.cu:2:10: ");
}

TEST_F(UserKernel, is_held_against_another_kernel) {
    const auto sum = [&](const std::string& name, const std::string& expression, const std::string& output) {
        return write(name, "// convscope: n = 100, grid = 4, block = 32, a = random(n), " + output +
                               " = out(n)\n__global__ void sum(const float* a, float* " + output +
                               ", int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) " + output +
                               "[i] = " + expression + ";\n}\n");
    };
    const std::string slow = sum("slow.cu", "a[i] + a[i]", "c");
    EXPECT_EQ(run({"kernel", sum("fast.cu", "2 * a[i]", "c"), "--against", slow}).status, 0);
    const Finished wrong = run({"kernel", sum("wrong.cu", "2 * a[i] + (i == 99)", "c"), "--against", slow});
    EXPECT_EQ(wrong.status, 4);
    EXPECT_NE(wrong.err.find("sum is wrong: c[99]"), std::string::npos) << wrong.err;
    expect_rejected({"kernel", sum("other.cu", "2 * a[i]", "d"), "--against", slow}, 2, "no array of the same name");
    expect_rejected({"kernel", slow, "--against", path("nowhere.cu")}, 6, "nowhere.cu");
    const Finished bad = run({"kernel", slow, "--against", sum("bad.cu", "a[i + 100]", "c")});
    EXPECT_EQ(bad.status, 4);
    EXPECT_TRUE(bad.err.starts_with("out_of_bounds bad.cu:")) << bad.err;
    EXPECT_TRUE(bad.err.ends_with(fmt::format("--against {}: sum has 1 finding\n", path("bad.cu")))) << bad.err;
    // Called with the same arrays, whatever its own comment says.
    const std::string ones =
        write("ones.cu",
              "// convscope: n = 100, grid = 4, block = 32, a = ones(n), c = out(n)\n"
              "__global__ void sum(const float* a, float* c, int n) {\n"
              "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] * 2;\n}\n"
              "__global__ void none(float* c) {}\n");
    EXPECT_EQ(run({"kernel", slow, "--against", ones + ":sum"}).status, 0);
    expect_rejected({"kernel", slow, "--against", ones}, 2, "several kernels");
    expect_rejected({"kernel", slow, "--against", ones + ":nope"}, 2, "convscope: " + ones + " has no kernel 'nope'");
    const std::string bare = write("bare.cu", "__global__ void sum(const float* a, float* c, int n) {}\n");
    expect_rejected({"kernel", slow, "--against", bare}, 2,
                    "the grid of sum is its own: give it in a comment before it");
}

TEST_F(UserKernel, is_stopped_by_ctrl_c_and_leaves_nothing) {
    const std::string file = write("loop.cu",
                                   "// convscope: grid = 100000, block = 256, x = zeros(1)\n"
                                   "__global__ void loop(volatile int* x) {\n"
                                   "    for (int i = 0; i < 100000; ++i) if (x[0]) return;\n}\n");
    std::filesystem::create_directory(path("tmp"));
    testing::Program program({"kernel", file, "--save", "x=" + path("x.npy"), "--json", path("o.json")},
                             {"TMPDIR=" + path("tmp")});
    EXPECT_TRUE(testing::wait_until([&] { return !std::filesystem::is_empty(path("tmp")); })) << "it compiles";
    program.signal(SIGINT);
    const Finished finished = program.wait();
    EXPECT_EQ(finished.status, 130) << finished.err;
    EXPECT_NE(finished.err.find("was stopped"), std::string::npos) << finished.err;
    EXPECT_TRUE(std::filesystem::is_empty(path("tmp")));
    EXPECT_FALSE(std::filesystem::exists(path("x.npy")));
    EXPECT_FALSE(std::filesystem::exists(path("o.json")));
}

TEST_F(UserKernel, is_ended_after_the_time_that_is_given) {
    const std::string file = write("endless.cu",
                                   "// convscope: grid = 1, block = 32, x = zeros(1)\n"
                                   "__global__ void endless(volatile int* x) {\n"
                                   "    while (x[0] == 0) {}\n}\n");
    const Finished finished = run({"kernel", file, "--timeout", "0.2"});
    EXPECT_EQ(finished.status, 5) << finished.err;
    EXPECT_NE(finished.err.find("the kernel did not end within 0.2 s: 0 of 1 blocks were done, and thread (0,0,0) of "
                                "block (0,0,0) was at endless.cu:3; --timeout gives it longer\n"),
              std::string::npos)
        << finished.err;
    expect_rejected({"kernel", file, "--timeout", "0"}, 2, "--timeout: '0'");
    expect_rejected({"kernel", file, "--max-noise", "2"}, 2, "--max-noise is of a measurement, and sim has no clock");
}

TEST_F(UserKernel, checks_an_exercise) {
    const std::string file = path("mine.cu");
    EXPECT_NE(run({"lesson", "exercises"}).out.find("01-vector-add"), std::string::npos);
    EXPECT_EQ(run({"lesson", "start", "01-vector-add", file}).status, 0);
    expect_rejected({"lesson", "start", "01-vector-add", file}, 2, "is there already");
    expect_rejected({"lesson", "start", "99-none"}, 3, "99-none");
    const Finished unsolved = run({"kernel", file});
    EXPECT_EQ(unsolved.status, 4);
    EXPECT_NE(unsolved.err.find("c[0] is not written yet"), std::string::npos) << unsolved.err;
    EXPECT_NE(unsolved.err.find("\nhint: "), std::string::npos) << unsolved.err;
    std::string source = testing::read_file(file);
    source.insert(source.rfind('}'),
                  "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) c[i] = a[i] + b[i];\n");
    const Finished solved = run({"kernel", write("solved.cu", source)});
    EXPECT_EQ(solved.status, 0) << solved.err;
    EXPECT_NE(solved.out.find("01-vector-add: solved"), std::string::npos) << solved.out;
}

}  // namespace
}  // namespace convscope
