// The complaints of a TOML table about values out of range, thrown at once or collected; and keys that lie too deep.
#include "kernels/files/toml_table.h"

#include <gtest/gtest.h>

#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

using Names = TomlTable::Strings;

Names many_names() {
    Names many;
    for (char letter = 'a'; letter <= 'z'; ++letter) many.push_back("layer_" + std::string(1, letter));
    return many;
}

struct Wrong {
    const char* text;  ///< of the key 'a'
    bool (*found)(TomlTable&);
    const char* says;
};

const Wrong all_wrong[] = {
    {"3", [](TomlTable& t) { return t.text("a").has_value(); }, "1:5: 'a' is 3; it must be a text in quotes"},
    {"\"\\u001b\"", [](TomlTable& t) { return t.text("a").has_value(); }, "1:5: 'a' has control characters in it"},
    {"3", [](TomlTable& t) { return t.flag("a").has_value(); }, "1:5: 'a' is 3; it must be true or false"},
    {"{b = 1}", [](TomlTable& t) { return t.integer("a").has_value(); }, "'a' is a table; it must be a whole number"},
    {"9", [](TomlTable& t) { return t.integer("a", 1, 8).has_value(); }, "a whole number from 1 to 8"},
    {"'x'", [](TomlTable& t) { return t.number("a").has_value(); }, "'a' is 'x'; it must be a number"},
    {"-1", [](TomlTable& t) { return t.number("a", 0).has_value(); }, "a number of at least 0"},
    {"[1]", [](TomlTable& t) { return t.sizes("a", 2).has_value(); }, "or two: [height, width]"},
    {"[1, 2, 3]", [](TomlTable& t) { return t.sizes("a", 4).has_value(); },
     "or two: [height, width], or four: [top, bottom, left, right], or \"same\""},
    {"[1, 2, 3, -4]", [](TomlTable& t) { return t.sizes("a", 4, 0).has_value(); }, "a whole number of at least 0, or"},
    {"[1, 2, 3, 4]", [](TomlTable& t) { return t.sizes("a", 2).has_value(); }, "or two: [height, width]"},
    {"'same'", [](TomlTable& t) { return t.sizes("a", 2).has_value(); }, "'a' is 'same'; it must be a whole number"},
    {"'some'", [](TomlTable& t) { return t.sizes("a", 4).has_value(); }, "'a' is 'some'; it must be a whole number"},
    {"[1, 2]", [](TomlTable& t) { return t.sizes("a", 1).has_value(); }, "it must be a whole number"},
    {"[1, 2]", [](TomlTable& t) { return t.dims("a", 1).has_value(); }, "three whole numbers of at least 1: [x, y, z]"},
    {"[1, 2, 0]", [](TomlTable& t) { return t.dims("a", 1).has_value(); }, "'a' is an array; it must be three whole"},
    {"3", [](TomlTable& t) { return t.texts("a").has_value(); }, "a list of texts"},
    {"['x', 3]", [](TomlTable& t) { return t.texts("a").has_value(); }, "a list of texts"},
    {"[1, 'x']", [](TomlTable& t) { return t.numbers("a").has_value(); }, "a list of numbers"},
    {"3", [](TomlTable& t) { return t.matrix("a").has_value(); }, "'a' is 3; it must be an array of rows of numbers"},
    {"[]", [](TomlTable& t) { return t.matrix("a").has_value(); }, "an array of rows of numbers"},
    {"[1, 2]", [](TomlTable& t) { return t.matrix("a").has_value(); }, "1:6: 'a' is 1; it must be an array of rows"},
    {"[[], []]", [](TomlTable& t) { return t.matrix("a").has_value(); }, "1:6: 'a' is an array; it must be an array"},
    {"[[1], [2, 3]]", [](TomlTable& t) { return t.matrix("a").has_value(); }, "all of the same length"},
    {"[[1], ['x']]", [](TomlTable& t) { return t.matrix("a").has_value(); }, "1:12: 'a' is 'x'; it must be an array"},
    {"3", [](TomlTable& t) { return t.table("a").has_value(); }, "a table headed by [a]"},
    {"[3]", [](TomlTable& t) { return t.tables("a").has_value(); }, "tables, each headed by [[a]]"},
    {"'z'",
     [](TomlTable& t) {
         return t.one_of("a", {"x", "y"}).has_value();
     },
     "'a' is 'z'; it must be one of x, y"},
    {"3",
     [](TomlTable& t) {
         return t.one_of("a", {"x", "y"}).has_value();
     },
     "'a' is 3; it must be one of x, y"},
    {"3", [](TomlTable& t) { return t.one_of("a", many_names()).has_value(); }, "it must be a text in quotes"},
    {"'layer-b'", [](TomlTable& t) { return t.one_of("a", many_names()).has_value(); },
     "'a' is 'layer-b', which there is not; did you mean layer_b"},
    {"'?'", [](TomlTable& t) { return t.one_of("a", many_names()).has_value(); }, "'a' is '?', which there is not"},
};

TEST(TomlTable, complains_of_a_value_and_has_none) {
    for (const Wrong& each : all_wrong) {
        const toml::table root = toml::parse(std::string("a = ") + each.text);
        std::vector<std::string> kept;
        const auto keep = [&](const toml::source_region& at, const std::string& sentence) {
            kept.push_back(std::to_string(at.begin.line) + ":" + std::to_string(at.begin.column) + ": " + sentence);
        };
        TomlTable keeps(root, "thing", {.file = "f", .wrong = keep, .plain_text = true});
        EXPECT_FALSE(each.found(keeps)) << each.text;
        ASSERT_EQ(kept.size(), 1U) << each.text;
        expect_contains(kept[0], each.says);
        TomlTable throws(root, "thing", {.file = "f", .plain_text = true});
        EXPECT_EQ(error_of(ErrorKind::file, [&] { each.found(throws); }), "f:" + kept[0]);
    }
}

TEST(TomlTable, has_what_may_be) {
    const toml::table root = toml::parse(
        "one = 'x'\nmatrix = [[1, 2.5], [3, 4]]\nsize = 7\nsizes = [1, 2, 3]\nnone = []\nsides = [1, 2, 3, 4]\nword = "
        "'same'");
    TomlTable table(root, "thing", {.file = "f"});
    EXPECT_EQ(table.texts("one"), (Names{"x"}));
    EXPECT_EQ(table.matrix("matrix").value().values, (std::vector<float>{1, 2.5, 3, 4}));
    EXPECT_EQ(table.sizes("size", 2), (TomlTable::Sizes{7}));
    EXPECT_EQ(table.sizes("sides", 4), (TomlTable::Sizes{1, 2, 3, 4}));
    EXPECT_EQ(table.sizes("word", 4), TomlTable::Sizes{});
    EXPECT_EQ(table.dims("sizes", 1), (Dim3{1, 2, 3}));
    EXPECT_EQ(table.number("size"), 7.0);
    EXPECT_TRUE(table.tables("none").value().empty());
    expect_contains(error_of(ErrorKind::file, [&] { table.need_tables("none"); }), "f:5:8: this thing has no 'none'");
    EXPECT_FALSE(table.matrix("other") || table.number("other") || table.dims("other", 1) || table.one_of("other", {}));
}

TEST(TomlTable, that_no_file_has_names_the_file_alone) {
    const toml::table none;
    TomlTable table(none, "thing", {.file = "f"});
    EXPECT_EQ(error_of(ErrorKind::file, [&] { table.reject("cannot be"); }), "f: cannot be");
}

std::string dotted(std::size_t parts) {
    std::string key = "a";
    while (--parts > 0) key += ".a";
    return key;
}

std::string toml_rejection(const std::string& text) {
    return error_of(ErrorKind::file, [&] { parse_toml(text, "f.toml"); });
}

TEST(TomlTable, rejects_keys_that_lie_too_deep_before_they_are_parsed) {
    constexpr const char* sentence = "this is not valid TOML: a key has more than 256 parts";
    for (const std::size_t parts : {std::size_t{257}, std::size_t{50'000}}) {
        EXPECT_EQ(toml_rejection("x = 1\n" + dotted(parts) + " = 1"), std::string("f.toml:2:512: ") + sentence);
        expect_contains(toml_rejection("[" + dotted(parts) + "]"), sentence);
        expect_contains(toml_rejection("x = [ 1, {" + dotted(parts) + "=1} ]"), sentence);
        expect_contains(toml_rejection("x = [\"\"\"text\"\"\"\", {" + dotted(parts) + "=1}]"), sentence);
    }
    std::string nested = "1";
    for (int i = 0; i < 100; ++i) nested = "{" + dotted(200) + " = [" + nested + "]}";
    expect_contains(toml_rejection("x = " + nested), sentence);
    parse_toml(dotted(256) + " = 1\n[b." + dotted(255) + "]\n", "f.toml");
}

TEST(TomlTable, counts_no_dots_of_texts_comments_and_numbers) {
    const std::string dots(1000, '.');
    std::string text = "# " + dots + "\n";
    text += "a = \"" + dots + "\\\"" + dots + "\" # '" + dots + "\n";
    text += "b = '" + dots + "\\'\n";
    text += "c = \"\"\"" + dots + "\n\"" + dots + "\"\"\"\"\n";
    text += "d = '''" + dots + "\n''" + dots + "'''\n";
    text += "'" + dots + "' = \"\"\n";
    text += "e = [";
    for (int i = 0; i < 1000; ++i) text += "1.5, ";
    EXPECT_EQ(parse_toml(text + "]", "f.toml").size(), 6U);
}

}  // namespace
}  // namespace convscope
