#include "kernels/ptx/source_constants.h"

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
    EXPECT_EQ(constants_of("constexpr int rows = 2 * tile;"), (Constants{{"rows", "2 * tile"}}));
}

TEST(SourceConstants, are_nothing_else) {
    EXPECT_EQ(constants_of("#define F(x) 3\n#define FLAG\n#define TWO 1 \\\n + 1\n#undef TILE\n"), Constants{});
    EXPECT_EQ(constants_of("// #define A 1\n/* constexpr int B = 2; */ const char* s = \"constexpr int C = 3;\";"),
              Constants{});
    EXPECT_EQ(
        constants_of("const int i = blockIdx.x;\nconst float* x = 0;\nconst int n = 2 * 3;\nif (const int k = 4)"),
        Constants{});
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

TEST(SourceConstants, are_mentioned_as_whole_words) {
    EXPECT_TRUE(mentions("int i = TILE;", "TILE"));
    EXPECT_FALSE(mentions("int i = TILES + MY_TILE; // TILE", "TILE"));
}

}  // namespace
}  // namespace convscope::ptx
