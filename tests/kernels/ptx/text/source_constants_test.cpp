#include "kernels/ptx/text/source_constants.h"

#include <gtest/gtest.h>

#include <utility>

namespace convscope::ptx {
namespace {

using Constants = std::vector<std::pair<std::string, std::string>>;

/// Name and value of each.
Constants constants_of(const std::string& source) {
    Constants all;
    for (const SourceConstant& each : source_constants(source))
        all.emplace_back(each.name, source.substr(each.begin, each.end - each.begin));
    return all;
}

std::string text_with(const std::string& source, const std::vector<std::string>& defines) {
    return with_defines(source, defines).text;
}

TEST(SourceConstants, are_defines_and_constants) {
    EXPECT_EQ(constants_of("#define TILE 16\n  #  define ROWS (2 * TILE)  // of a block\n"),
              (Constants{{"TILE", "16"}, {"ROWS", "(2 * TILE)"}}));
    EXPECT_EQ(constants_of("constexpr int A = 4;\nstatic const unsigned int B = 0x10;\nconst std::size_t C=8;"),
              (Constants{{"A", "4"}, {"B", "0x10"}, {"C", "8"}}));
    EXPECT_EQ(constants_of("constexpr int rows = f(2, tile), cols = 3;"),
              (Constants{{"rows", "f(2, tile)"}, {"cols", "3"}}));
}

TEST(SourceConstants, are_nothing_else) {
    EXPECT_EQ(constants_of("#define F(x) 3\n#define FLAG\n#define TWO 1 \\\n + 1\n#undef TILE\n"), Constants{});
    EXPECT_EQ(constants_of("// #define A 1\n/* constexpr int B = 2; */ const char* s = \"constexpr int C = 3;\";"),
              Constants{});
    EXPECT_EQ(
        constants_of("const int i = blockIdx.x;\nconst float* x = 0;\nconst int n = 2 * 3;\nif (const int k = 4)"),
        Constants{});
    EXPECT_EQ(constants_of("__device__ int f(const int n = 4, int m = 1) { return n; }"), Constants{});
    EXPECT_EQ(constants_of("void f(const int n, const float w[3]);\nint x = 3;\nconst"), Constants{});
    EXPECT_EQ(constants_of(""), Constants{});
}

TEST(SourceConstants, take_other_values_in_their_place) {
    EXPECT_EQ(text_with("#define TILE 16\nint i = TILE;\n", {"TILE=8"}), "#define TILE 8\nint i = TILE;\n");
    EXPECT_EQ(text_with("constexpr int A = 1;\nconst int B = 2;\n", {"B=30", "A=20"}),
              "constexpr int A = 20;\nconst int B = 30;\n");
    EXPECT_EQ(text_with("#ifdef X\n#define T 1\n#else\n#define T 2\n#endif\n", {"T=3"}),
              "#ifdef X\n#define T 3\n#else\n#define T 3\n#endif\n");
    EXPECT_EQ(text_with("#define FAST 0\n", {"FAST"}), "#define FAST 1\n") << "as a compiler takes it";
}

TEST(SourceConstants, leave_the_other_defines_to_the_compiler) {
    const DefinedSource made = with_defines("#define TILE 16\n", {"ROWS=4", "TILE=8", "DEBUG"});
    EXPECT_EQ(made.text, "#define TILE 8\n");
    EXPECT_EQ(made.defines, (std::vector<std::string>{"ROWS=4", "DEBUG"}));
}

TEST(SourceConstants, have_a_value_where_all_of_a_name_agree) {
    using Values = std::map<std::string, std::int64_t>;
    EXPECT_EQ(whole_constants("#define T 16\nconstexpr unsigned A = 8u, B = (4);\n#define E (2 * T)\n"),
              (Values{{"T", 16}, {"A", 8}, {"B", 4}}));
    EXPECT_EQ(whole_constants("#ifdef BIG\n#define T 64\n#else\n#define T 16\n#endif\n"), Values{});
    EXPECT_EQ(whole_constants("void f() { const int T = 4; }\nvoid g() { const int T = 8; }\n"), Values{});
    EXPECT_EQ(whole_constants("#define T (2 * N)\n#define T 16\n"), Values{});
}

TEST(SourceConstants, may_be_used_as_whole_words_or_by_what_is_included) {
    EXPECT_TRUE(may_use("int i = TILE;", "TILE=3"));
    EXPECT_TRUE(may_use("int i = F(3);", "F(x)=x"));
    EXPECT_FALSE(may_use("#include <cmath>\nint i = TILES + MY_TILE; // TILE", "TILE"));
    EXPECT_TRUE(may_use("#  include \"t.h\"\n", "TILE"));
}

}  // namespace
}  // namespace convscope::ptx
