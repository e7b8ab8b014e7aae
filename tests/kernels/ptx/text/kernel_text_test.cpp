#include "kernels/ptx/text/kernel_text.h"

#include <gtest/gtest.h>

namespace convscope::ptx {
namespace {

using Types = std::map<std::string, std::string>;

Types shared_in(const std::string& declarations) {
    return read_kernel_text("__global__ void f(int n) {\n" + declarations + "\n}\n", "a.cu", "f")->shared;
}

TEST(KernelText, has_the_types_of_arrays_in_shared_memory) {
    EXPECT_EQ(shared_in("__shared__ float s[256];"), (Types{{"s", "float"}}));
    EXPECT_EQ(shared_in("__shared__ unsigned char s[T][T + 1], t[4];"),
              (Types{{"s", "unsigned char"}, {"t", "unsigned char"}}));
    EXPECT_EQ(shared_in("extern __shared__ __align__(16) double d[];"), (Types{{"d", "double"}}));
    EXPECT_EQ(shared_in("__shared__ alignas(128) float4 s[8];"), (Types{{"s", "float4"}}));
    EXPECT_EQ(shared_in("__shared__ int count; __shared__ float *to, *all[2];"),
              (Types{{"all", ""}, {"count", ""}, {"to", ""}}));
    EXPECT_EQ(shared_in("__shared__ float s[1];\n}\n__global__ void g() {\n__shared__ int s[1];"), (Types{{"s", ""}}))
        << "which of the two a kernel means is not known";
    EXPECT_EQ(shared_in("// __shared__ float s[1];"), Types{});
}

TEST(KernelText, has_the_types_that_the_names_of_types_stand_for) {
    const auto text = read_kernel_text(
        "typedef float real; typedef const real *input;\nusing array = real*;\nusing count = unsigned int;\n"
        "__global__ void f(input a, const array b, const real* c, count n, T t) {}\n",
        "a.cu", "f");
    ASSERT_TRUE(text);
    const auto said = [&](std::size_t i) {
        const ParameterText& each = text->parameters[i];
        return (each.constant ? "const " : "") + each.type + (each.pointer ? "* " : " ") + each.name;
    };
    EXPECT_EQ(said(0), "const float* a");
    EXPECT_EQ(said(1), "float* b") << "the pointer is what does not change";
    EXPECT_EQ(said(2), "const float* c");
    EXPECT_EQ(said(3), "unsigned int n");
    EXPECT_EQ(said(4), "T t");
}

TEST(KernelText, is_of_what_the_preprocessor_makes_of_the_source) {
    const std::string source = "#define ALL int a\n// convscope: a = 4\nMAKE(f)\n";
    const auto text = read_kernel_text(source, "a.cu", "f", "\n\n__global__ void f(int a) {}\n");
    ASSERT_TRUE(text);
    EXPECT_EQ(text->line, 3U);
    ASSERT_EQ(text->parameters.size(), 1U);
    EXPECT_EQ(text->parameters[0].name, "a");
    EXPECT_EQ(text->call.at("a"), std::vector<std::string>{"4"});
    EXPECT_FALSE(read_kernel_text(source, "a.cu", "f"));
    EXPECT_TRUE(read_kernel_text("", "a.cu", "f", "__global__ void f(int a) {}\n"));
}

TEST(KernelText, has_the_comments_of_one_kernel_where_bodies_stand_on_one_line) {
    const std::string source =
        "// convscope: grid = 1, n = 5\n__global__ void f(int n) { }\n"
        "// convscope: grid = 2\n__constant__ int w[] = {1, 2};\n__global__ void g(int n) { int a[] = {1, 2}; }\n"
        "__global__ void h(int n) { }\n";
    const auto call_of = [&](const std::string& kernel) { return read_kernel_text(source, "a.cu", kernel)->call; };
    using Call = std::map<std::string, std::vector<std::string>>;
    EXPECT_EQ(call_of("f"), (Call{{"grid", {"1"}}, {"n", {"5"}}}));
    EXPECT_EQ(call_of("g"), (Call{{"grid", {"2"}}}));
    EXPECT_EQ(call_of("h"), (Call{{"grid", {"1"}}, {"n", {"5"}}})) << "that at the top of the file";
}

TEST(KernelText, is_of_the_function_that_begins_at_a_line) {
    const std::string source =
        "namespace a { __global__ void f(int x) {} }\nnamespace b {\n__global__ void f(int y) {} }\n";
    const auto parameter = [&](unsigned line) {
        return read_kernel_text(source, "a.cu", "f", {}, line)->parameters.at(0).name;
    };
    EXPECT_EQ(parameter(0), "x");
    EXPECT_EQ(parameter(1), "x");
    EXPECT_EQ(parameter(3), "y");
    EXPECT_EQ(parameter(9), "y");
}

TEST(KernelText, knows_variables_without_a_value) {
    const auto text = read_kernel_text(
        "__constant__ float w[2], v[1] = {1};\n__device__ int n;\n__device__ int m = 0;\nextern __device__ int e;\n"
        "__device__ int twice(int a) { return a; }\n__global__ void f() {}\n",
        "a.cu", "f");
    EXPECT_EQ(text->unset, (std::set<std::string>{"n", "w"}));
}

}  // namespace
}  // namespace convscope::ptx
