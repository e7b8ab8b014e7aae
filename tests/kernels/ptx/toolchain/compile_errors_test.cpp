#include "kernels/ptx/toolchain/compile_errors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace convscope::ptx {
namespace {

std::string errors_of(const std::string& said, const std::string& reason = "") {
    return CompileErrors("a.cu", compile_errors(said, {"/home/me/a.cu", ".source", "a.cu"}, {"nvcc", reason})).what();
}

TEST(CompileErrors, are_all_there_with_line_and_column) {
    EXPECT_EQ(errors_of("/home/me/a.cu(3): error: identifier \"b\" is undefined\n"
                        "      a[0] = b;\n"
                        "             ^\n\n"
                        ".source/sub.h(1): error #20: expected a \";\"\n"),
              "a.cu:3:12: identifier \"b\" is undefined\nsub.h:1:1: expected a \";\"")
        << "nvcc";
    EXPECT_EQ(errors_of("/home/me/a.cu:3:12: error: use of undeclared identifier 'b'\n    a[0] = b;\n"
                        "           ^\n/home/me/a.cu:9:1: note: here\n"
                        ".source/sub.h:1:10: fatal error: 'c.h' file not found\n"),
              "a.cu:3:12: use of undeclared identifier 'b'\nsub.h:1:10: 'c.h' file not found")
        << "clang";
}

TEST(CompileErrors, of_a_header_of_the_toolkit_says_what_has_it) {
    for (const char* header : {"thrust/device_vector.h", "cuda/atomic", "cuda_bf16.h", "cublas_v2.h", "cub/cub.cuh"})
        EXPECT_EQ(errors_of(fmt::format("/home/me/a.cu:1:10: fatal error: '{}' file not found\n", header)),
                  fmt::format("a.cu:1:10: '{}' file not found: clang has only the headers of CUDA that come with "
                              "convscope; with NVIDIA's toolkit, nvcc compiles it",
                              header));
    for (const char* header : {"curve.h", "my/thrust/a.h", "helper_cuda.h"})
        EXPECT_EQ(errors_of(fmt::format("/home/me/a.cu:1:10: fatal error: '{}' file not found\n", header)),
                  fmt::format("a.cu:1:10: '{}' file not found", header));
}

TEST(CompileErrors, of_the_linker_are_the_lines_that_miss_something) {
    EXPECT_EQ(errors_of("/usr/bin/ld: /tmp/x.o: in function `main':\n/home/me/a.cu:4: undefined reference to `f()'\n"
                        "/usr/bin/ld: /home/me/a.cu:5: undefined reference to `g()'\n"
                        "clang: error: linker command failed with exit code 1\n"),
              "a.cu:4:1: undefined reference to `f()'\na.cu:5:1: undefined reference to `g()'");
}

TEST(CompileErrors, of_a_program_without_main_say_what_runs_its_kernels) {
    const std::string sentence = "a.cu has no main(); 'convscope kernel a.cu' runs a kernel of it alone";
    EXPECT_EQ(errors_of("/usr/bin/ld: /usr/lib/Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to "
                        "`main'\ncollect2: error: ld returned 1 exit status\n"),
              sentence);
    EXPECT_EQ(errors_of("ld.lld: error: undefined symbol: main\n>>> referenced by start.S\n"), sentence);
    EXPECT_EQ(errors_of("/usr/bin/ld: /home/me/a.cu:5: undefined reference to `main_loop()'\n"),
              "a.cu:5:1: undefined reference to `main_loop()'");
}

TEST(CompileErrors, of_a_templates_instantiations_are_one) {
    const std::string once = "/home/me/a.cu:3:12: error: no type\n", other = "/home/me/a.cu:4:12: error: no type\n";
    EXPECT_EQ(errors_of(once + other + once), "a.cu:3:12: no type\na.cu:4:12: no type");
}

TEST(CompileErrors, of_many_are_the_first_and_how_many_more) {
    std::string said, first;
    for (std::size_t i = 1; i <= max_compile_errors + 5; ++i) {
        said += fmt::format("/home/me/a.cu:{}:2: error: no\n", i);
        if (i <= max_compile_errors) first += fmt::format("a.cu:{}:2: no\n", i);
    }
    EXPECT_EQ(errors_of(said), first + "and 5 more errors");
}

TEST(CompileErrors, where_none_is_found_are_one_sentence) {
    EXPECT_EQ(errors_of("nvcc fatal: no such option\nsee help"), "a.cu: nvcc: nvcc fatal: no such option");
    EXPECT_EQ(errors_of("PLEASE submit a bug report\nStack dump:", "crashes on it"), "a.cu: nvcc crashes on it");
    EXPECT_EQ(errors_of("/home/me/a.cu(3): error: no\nStack dump:", "crashes on it"), "a.cu:3:1: no");
    EXPECT_EQ(errors_of(""), "a.cu: nvcc: it ended without a word");
}

TEST(CompileErrors, of_a_define_are_its_own) {
    const std::vector<std::string> defines{"N=3", "TEXT=\"a"};
    EXPECT_EQ(text_of_defines(defines), "#define N 3\n\n#define TEXT \"a\n\n");
    const auto first = [&](const std::string& said) {
        return compile_errors(said, {"/home/me/a.cu", ".source", "a.cu", defines}, {"nvcc", ""}).front();
    };
    EXPECT_EQ(first(".defines.h:3:14: error: missing closing quote"),
              "--define 'TEXT=\"a', character 6: missing closing quote")
        << "clang";
    EXPECT_EQ(first(".defines.h(3): error: missing closing quote\n  #define TEXT \"a\n               ^\n"),
              "--define 'TEXT=\"a', character 6: missing closing quote")
        << "nvcc";
    EXPECT_EQ(first(".defines.h(1): error: no"), "--define 'N=3': no");
    EXPECT_EQ(first(".defines.h:1:99: error: no"), "--define 'N=3', character 3: no");
}

}  // namespace
}  // namespace convscope::ptx
