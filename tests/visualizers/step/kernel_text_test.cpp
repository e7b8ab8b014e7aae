#include "visualizers/step/kernel_text.h"

#include <gtest/gtest.h>

#include "kernels/simt/kernel_sources.h"

namespace convscope {
namespace {

TEST(KernelText, knows_the_lines_of_a_function_and_what_is_declared_there) {
    const char* text =
        "int outside = 1;\n"
        "KERNEL k(KernelShape shape, Global<float> x) {\n"
        "    const int window = shape.r *\n"
        "                       shape.s;  // = 9\n"
        "    float sum = 0.0f;\n"
        "}\n"
        "int behind = 2;\n";
    const KernelText of(text, 2);
    EXPECT_FALSE(of.holds(1));
    EXPECT_TRUE(of.holds(2));
    EXPECT_TRUE(of.holds(6));
    EXPECT_FALSE(of.holds(7));
    ASSERT_TRUE(of.constant("window"));
    EXPECT_NE(of.constant("window")->find("shape.r *"), std::string::npos);
    EXPECT_EQ(of.constant("window")->find('9'), std::string::npos) << "a comment is no part of it";
    for (const char* name : {"shape", "x", "window", "sum"}) EXPECT_TRUE(of.declares(name)) << name;
    for (const char* name : {"outside", "behind", "k", "float"}) EXPECT_FALSE(of.declares(name)) << name;
}

TEST(KernelText, takes_no_name_for_a_constant_that_may_change_or_is_declared_twice) {
    const KernelText of(
        "KERNEL k(int n) {\n"
        "    int changes = 1;\n"
        "    const float real = 2;\n"
        "    const int compared = n < 2;\n"
        "    for (int i = 0; i < 2; ++i) { const int twice = 1; }\n"
        "    { const int twice = 2; }\n"
        "}\n",
        1);
    for (const char* name : {"changes", "real", "compared", "twice", "i", "n"}) EXPECT_FALSE(of.constant(name)) << name;
}

TEST(KernelText, survives_any_text) {
    for (const char* text :
         {"", "(", "KERNEL k(", "KERNEL k() {", "}{", "k() { const int a = ", "/* ", "k() { const int = 1; }"})
        for (const unsigned head : {0U, 1U, 7U}) EXPECT_FALSE(KernelText(text, head).constant("a")) << text;
}

TEST(KernelText, reads_all_kernels_that_the_program_carries) {
    const simt::KernelPlace ecr1 = simt::place_of_kernel("ecr1");
    const KernelText of(ecr1.source->text, ecr1.line);
    for (const char* name : {"window", "thread", "row", "column", "first"}) EXPECT_TRUE(of.constant(name)) << name;
    for (const char* name : {"count", "sum", "value", "kept"}) EXPECT_FALSE(of.constant(name)) << name;
}

std::string given(const char* line) {
    const std::optional<GivenName> name = given_name(line);
    return !name ? "" : (name->by_product ? "product " : "load ") + name->name;
}

TEST(GivenName, is_what_one_fmaf_or_one_load_is_put_into) {
    EXPECT_EQ(given("    if (i + j < end) sum = fmaf(F_data[i + j], K_data[i + j], sum);"), "product sum");
    EXPECT_EQ(given("const float value = rows[corner + i * tile_w + j];  // = 0"), "load value");
    EXPECT_EQ(given("if (inside) value = x[first + row * shape.w + column];"), "load value");
    for (const char* nothing :
         {"sums[k] = fmaf(a, b, sums[k]);", "out.sum = fmaf(a, b, c);", "sum = fmaf(a, b, fmaf(c, d, e));",
          "sum = 2 * fmaf(a, b, c);", "sum = fmaf(a, b, c) + 1;", "value = a[i] + 1;", "value = a[b[i]];",
          "sum += a[i];", "if (i == 0) value = a[i];", "*value = a[i];", "f(value, a[i]);", "value = ;", "=", ""})
        EXPECT_EQ(given(nothing), "") << nothing;
}

}  // namespace
}  // namespace convscope
