// convscope kernel, seen from outside: what a source may be, and what is said of one that does not compile.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <algorithm>
#include <csignal>

#include "tests/app/cli/user_kernel.h"
#include "tests/support/wait.h"

namespace convscope {
namespace {

using testing::expect_rejected;
using testing::Finished;
using testing::run;
using testing::UserKernel;

class UserKernelSource : public UserKernel {};

TEST_F(UserKernelSource, has_all_its_errors_told_a_line_each) {
    std::string source = "__global__ void f(int* a) {\n";
    for (int line = 2; line < 132; ++line) source += fmt::format("  a[0] = b{}{};\n", line, std::string(300, '_'));
    write("many.cu", source + "}\n");
    const Finished finished = run_here({"kernel", "many.cu"});
    EXPECT_EQ(finished.status, 2);
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 22) << finished.err;
    for (int line = 2; line < 22; ++line)
        EXPECT_NE(("\n" + finished.err).find(fmt::format("\nmany.cu:{}:10: ", line)), std::string::npos)
            << finished.err;
    EXPECT_NE(finished.err.find("\nand 110 more errors\nconvscope: many.cu does not compile\n"), std::string::npos)
        << finished.err;
}

TEST_F(UserKernelSource, may_have_its_parameters_from_macros_headers_and_names_of_types) {
    write("add.h",
          "#pragma once\ntypedef float real;\n"
          "__global__ void add(const real* a, real* b, int n) {\n"
          "    if (threadIdx.x < n) b[threadIdx.x] = a[threadIdx.x] + 1;\n}\n");
    const std::string call = "// convscope: n = 32, grid = 1, block = 32, a = ones(n), b = out(n)\n";
    const std::string body = "{\n    if (threadIdx.x < n) b[threadIdx.x] = a[threadIdx.x] + 1;\n}\n";
    const std::string sources[] = {
        call + "#include \"add.h\"\n",
        "#define ARRAYS const float* a, float* b\n" + call + "__global__ void add(ARRAYS, int n) " + body,
        "#define ALL const float* a, float* b, int n\n" + call + "__global__ void add(ALL) " + body,
        "#define ALL const float* a, float* b, int n\n" + call + "extern \"C\" __global__ void add(ALL) " + body,
        "#define IN const float*\n#define COUNT int\n" + call +
            "extern \"C\" __global__ void add(IN a, float* b, COUNT n) " + body,
        "#define MAKE(name, op) __global__ void name(const float* a, float* b, int n) { \\\n"
        "    if (threadIdx.x < n) b[threadIdx.x] = a[threadIdx.x] op 1; }\n" +
            call + "MAKE(add, +)\n",
        "typedef const float* input;\nusing real = float;\nusing count = unsigned;\n" + call +
            "__global__ void add(input a, real* b, const count n) " + body,
        "typedef const float* input;\nusing real = float;\ntypedef unsigned int whole;\nusing count = whole;\n" + call +
            "extern \"C\" __global__ void add(input a, real* b, const count n) " + body};
    write("two.cu",
          "// convscope: grid = 1, block = 32\n"
          "__global__ void two(float* b, int n) { if (threadIdx.x < n) b[threadIdx.x] = 2; }\n");
    for (const std::string& source : sources) {
        const Finished finished = run({"kernel", write("add.cu", source), "--against", path("two.cu")});
        EXPECT_EQ(finished.status, 0) << source << finished.err;
    }
    const Finished changed =
        run({"kernel", write("add.cu", sources[0]), "--arg", "a=zeros(n)", "--against", path("two.cu")});
    EXPECT_EQ(changed.status, 4) << changed.err;
    expect_rejected({"kernel", write("bare.cu", call + "__global__ void add(const float*, float*, int) {}\n")}, 2,
                    "bare.cu:2: the comment before add gives 'a'");
    const Finished bare = run({"kernel", write("bare.cu",
                                               "// convscope: grid = 1, block = 1, n = 3\n"
                                               "__global__ void bare(unsigned int, const float*, int n, int) {\n"
                                               "    printf(\"%d\\n\", n);\n}\n")});
    EXPECT_EQ(bare.status, 0) << bare.err;
    EXPECT_TRUE(bare.out.starts_with("3\n")) << "what has no name needs no value: " << bare.out;
}

/// It starts, says that it runs, and does not end before who started it.
constexpr const char* endless_compiler = "#!/bin/sh\ntouch \"$TMPDIR/runs\"\nwhile kill -0 $PPID; do sleep 0.1; done\n";

TEST_F(UserKernelSource, leaves_no_temporary_folder_to_the_next_run_when_it_is_killed) {
    const std::string temporary = path("tmp"), file = write("one.cu", one), compiler = write("nvcc", endless_compiler);
    std::filesystem::create_directory(temporary);
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    testing::Program killed({"kernel", file}, {"TMPDIR=" + temporary, "CONVSCOPE_CUDA_COMPILER=" + compiler});
    const auto compiles = [&] {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(temporary))
            if (entry.path().filename() == "runs") return true;
        return false;
    };
    EXPECT_TRUE(testing::wait_until(compiles));
    killed.signal(SIGKILL);
    killed.wait();
    // A killed run's folder is removed when its compiler is ended, if there is time; else by the next run.
    EXPECT_EQ(run({"kernel", file}, {"TMPDIR=" + temporary}).status, 0);
    EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST_F(UserKernelSource, is_not_compiled_among_temporary_files_that_cannot_be_made) {
    const std::string temporary = path("tmp"), file = write("one.cu", one);
    std::filesystem::create_directory(temporary);
    // The folder, what is said of it and the copy of the source leave no room for a link.
    if (mount("convscope-test", temporary.c_str(), "tmpfs", 0, "nr_inodes=3") != 0)
        GTEST_SKIP() << "no small file system can be mounted here";
    const Finished finished = run({"kernel", file}, {"TMPDIR=" + temporary});
    umount(temporary.c_str());
    EXPECT_EQ(finished.status, 6);
    expect_contains(finished.err, "/.source' cannot be made: No space left on device; $TMPDIR has to name a folder");
}

TEST_F(UserKernelSource, has_entries_by_the_names_that_are_written) {
    write("n.cu",
          "#include <cstdint>\n"
          "namespace a { __global__ void f(float* x) { x[threadIdx.x] = 1; } }\n"
          "namespace b { __global__ void f(int* z, int n) { z[threadIdx.x] = n; } }\n"
          "template <int N> __global__ void k(int* z) { z[threadIdx.x] = N; }\n"
          "template __global__ void k<128>(int*);\ntemplate __global__ void k<64>(int*);\n"
          "template <class T, bool B> __global__ void t(T* z) { z[threadIdx.x] = B; }\n"
          "template __global__ void t<uint8_t, true>(uint8_t*);\ntemplate __global__ void t<float, true>(float*);\n");
    const auto finished = [&](const std::string& entry, std::vector<std::string> more) {
        more.insert(more.begin(), {"kernel", "n.cu", "--grid", "1", "--block", "8", "--entry", entry});
        return run_here(more);
    };
    EXPECT_EQ(finished("a::f", {"--out", "x=8"}).status, 0);
    EXPECT_EQ(finished("b::f", {"--out", "z=8", "--arg", "n=3"}).status, 0) << "its own parameters, not a::f's";
    for (const char* entry :
         {"k<128>", "k< 64 >", "k<128u>", "t<uint8_t, true>", "t<unsigned char, 1>", "::t<float,true>"})
        EXPECT_EQ(finished(entry, {"--out", "z=8"}).status, 0) << entry;
    const Finished both = finished("f", {});
    EXPECT_EQ(both.status, 2);
    expect_contains(both.err, "a::f, b::f");
    expect_contains(finished("k<32>", {}).err, "n.cu has no kernel 'k<32>'");
}

TEST_F(UserKernelSource, may_stand_in_a_header_or_a_macro) {
    write("k.cuh",
          "#pragma once\n// convscope: grid = 1, block = 8, a = ones(8), b = out(8)\n"
          "__global__ void inc(const float* a, float* b) {\n    b[threadIdx.x] = a[threadIdx.x + 4];\n}\n");
    write("m.cu", "#include \"k.cuh\"\n");
    write("far.cu", "#include \"deep/far.cuh\"\n");
    std::filesystem::create_directory(path("deep"));
    write("deep/far.cuh", "#include \"../k.cuh\"\n");
    for (const char* file : {"m.cu", "k.cuh", "far.cu"}) {
        const Finished finished = run_here({"kernel", file});
        EXPECT_EQ(finished.status, 4) << file << finished.err;
        expect_contains(finished.err, "out_of_bounds k.cuh:4 block (0,0,0) thread (4,0,0) a[8]");
    }
    write("mac.cu",
          "#define KERNEL(name, op) \\\n    __global__ void name(const float* a, float* b) { \\\n"
          "        b[threadIdx.x] = a[threadIdx.x + 4] op 1; \\\n    }\nKERNEL(plus, +)\nKERNEL(minus, -)\n");
    const Finished minus = run_here(
        {"kernel", "mac.cu", "--entry", "minus", "--grid", "1", "--block", "8", "--arg", "a=ones(8)", "--out", "b=8"});
    EXPECT_EQ(minus.status, 4);
    expect_contains(minus.err, "out_of_bounds mac.cu:6 ");
}

}  // namespace
}  // namespace convscope
