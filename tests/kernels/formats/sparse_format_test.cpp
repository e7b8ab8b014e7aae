// Files of formats: what they may say, and where complaints point.
#include "kernels/formats/sparse_format.h"

#include <gtest/gtest.h>

#include <fstream>

#include "kernels/core/error.h"
#include "kernels/files/temporary_folder.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

const std::string head = "name = \"mine\"\ntitle = \"Mine\"\ntext = \"Of a test.\"\n";
const std::string csr =
    "[[level]]\nkind = \"dense\"\nof = \"row\"\n[[level]]\nkind = \"compressed\"\nof = \"col\"\n"
    "position = \"p\"\nindex = \"i\"\n";

std::string load(const std::string& text, SparseFormat* loaded = nullptr) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "mine.toml";
    std::ofstream(file) << text;
    try {
        const SparseFormat format = load_sparse_format(file);
        if (loaded) *loaded = format;
        return "loaded";
    } catch (const Error& error) {
        const std::string sentence = error.what();
        EXPECT_EQ(error.kind(), ErrorKind::file);
        EXPECT_EQ(sentence.rfind(file.string() + ":", 0), 0U) << sentence;
        return sentence.substr(file.string().size() + 1);
    }
}

TEST(SparseFormat, a_format_of_ones_own_is_built_and_read_back) {
    SparseFormat doubly;
    ASSERT_EQ(load(head + "[[level]]\nkind = \"compressed\"\nof = \"row\"\nposition = \"rows\"\nindex = \"row\"\n"
                          "[[level]]\nkind = \"run_length\"\nof = \"col\"\nruns = \"gap\"\nposition = \"begin\"\n",
                   &doubly),
              "loaded");
    EXPECT_EQ(describe_levels(doubly), "compressed row, run length col");
    const FormatMatrix matrix{3, 4, {0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 4}};
    const FormatArrays made = build_format(doubly, matrix);
    ASSERT_EQ(made.arrays.size(), 5U);
    EXPECT_EQ(made.arrays[0].words, (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(made.arrays[1].words, (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(made.arrays[2].words, (std::vector<std::uint32_t>{0, 2, 4}));
    EXPECT_EQ(made.arrays[3].words, (std::vector<std::uint32_t>{1, 1, 0, 2}));
    EXPECT_EQ(make_dense(read_format(made)), matrix);
}

TEST(SparseFormat, blocks_take_any_kind_of_level) {
    SparseFormat blocks;
    ASSERT_EQ(load(head + "block = [2, 3]\n[[level]]\nkind = \"bitmap\"\nof = \"row_block\"\nbits = \"b\"\n"
                          "offsets = \"o\"\n[[level]]\nkind = \"padded\"\nof = \"col_block\"\nindex = \"c\"\n"
                          "[[level]]\nkind = \"dense\"\nof = \"row_in_block\"\n[[level]]\nkind = \"dense\"\n"
                          "of = \"col_in_block\"\n",
                   &blocks),
              "loaded");
    const FormatMatrix matrix{5, 4, {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 3, 0, 0, 0, 4}};
    EXPECT_EQ(make_dense(read_format(build_format(blocks, matrix))), matrix);
}

TEST(SparseFormat, complaints_have_their_place) {
    EXPECT_EQ(load("name = 3\n").substr(0, 5), "1:8: ");
    EXPECT_EQ(load(head + csr + "colour = 1\n").substr(0, 30), "12:1: unknown key 'colour' in ");
    EXPECT_EQ(load(head + "[[level]]\nkind = \"sparse\"\nof = \"row\"\n"),
              "5:8: 'kind' is 'sparse'; it must be one of dense, compressed, singleton, padded, bitmap, run_length");
    EXPECT_EQ(load(head + "[[level]]\nkind = \"dense\"\nof = \"row\"\n"),
              "4:1: the levels must be of row and col, each once or as its block and in_block, or one level of cell");
    EXPECT_EQ(load(head + "[[level]]\nkind = \"dense\"\nof = \"row\"\n[[level]]\nkind = \"singleton\"\nof = \"col\"\n"),
              "8:8: a singleton level stands below a compressed level with unique = false");
    EXPECT_EQ(load(head + "values = \"p\"\n" + csr), "11:12: two arrays are named 'p'");
    EXPECT_EQ(load(head + "values = \"offsets\"\nbuilder = \"dia\"\n"), "4:10: two arrays are named 'offsets'");
    EXPECT_EQ(load(head + "values = \"shape\"\n" + csr),
              "4:10: no array can be named 'shape'; files of a matrix have dense, format, shape beside its arrays");
    EXPECT_EQ(load(head + "[[level]]\nkind = \"padded\"\nof = \"row\"\nindex = \"format\"\n").substr(0, 35),
              "7:9: no array can be named 'format'");
    EXPECT_EQ(load(head + "builder = \"dia\"\n" + csr),
              "5:1: 'builder' and [[level]] do not go together; give one of them");
    EXPECT_EQ(load(head + "builder = \"sell\"\nslice = 0\nsort = 4\n").substr(0, 5), "5:9: ");
    EXPECT_EQ(load(head + "builder = \"hash\"\n"), "4:11: 'builder' is 'hash'; it must be one of sell, dia, 2:4");
    EXPECT_EQ(load("name = \n").substr(0, 2), "1:");
}

TEST(SparseFormat, says_what_it_is_and_where_it_is_given_how_a_row_is_read) {
    for (const SparseFormat& format : all_sparse_formats()) {
        EXPECT_GT(format.text.size(), 20U) << format.name;
        EXPECT_GT(format.read.size(), 40U) << format.name;
        for (const std::string* text : {&format.text, &format.read}) EXPECT_EQ(text->back(), '.') << format.name;
        EXPECT_EQ(format.about(), format.text + ' ' + format.read);
    }
    SparseFormat mine;
    ASSERT_EQ(load(head + "builder = \"dia\"\n", &mine), "loaded");
    EXPECT_EQ(mine.about(), "Of a test.");
    ASSERT_EQ(load(head + "read = \"Row by row.\"\nbuilder = \"dia\"\n", &mine), "loaded");
    EXPECT_EQ(mine.about(), "Of a test. Row by row.");
    EXPECT_EQ(load(head + "read = 3\nbuilder = \"dia\"\n").substr(0, 5), "4:8: ");
}

/// The arrays that a sentence names are those that the format has.
TEST(SparseFormat, how_a_row_is_read_names_its_arrays) {
    for (const SparseFormat& format : all_sparse_formats())
        for (const FormatArray& array : build_format(format, {1, 1, {1.0F}}, false).arrays)
            if (array.name != "values" && array.name != "offsets") {
                EXPECT_NE(format.read.find(array.name), std::string::npos) << format.name << ": " << array.name;
            }
}

TEST(SparseFormat, an_unknown_name_has_its_nearest) {
    try {
        find_sparse_format("bit-map");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
        EXPECT_STREQ(error.what(), "no format 'bit-map'; the nearest is bitmap");
    }
}

TEST(SparseFormat, lists_are_in_the_order_of_the_files) {
    EXPECT_EQ(sparse_format_names(),
              (std::vector<std::string>{"coo", "csr", "csc", "ell", "bsr", "bitmap", "2:4", "rle", "sell", "dia"}));
}

}  // namespace
}  // namespace convscope
