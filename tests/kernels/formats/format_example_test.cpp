// The map of Xu 2019, Fig. 4, in every format: the arrays as written out by hand.
#include <gtest/gtest.h>

#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

const FormatMatrix fig4{5, 5, {0, 0, 15, 8, 0, 22, 0, 0, 23, 0, 0, 8, 0, 0, 0, 0, 0, 19, 0, 0, 10, 4, 0, 0, 22}};

struct Expected {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<double> numbers;
};

void expect_arrays(const char* format, const std::vector<Expected>& expected) {
    const FormatArrays made = build_format(find_sparse_format(format), fig4);
    ASSERT_EQ(made.arrays.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const FormatArray& array = made.arrays[i];
        EXPECT_EQ(array.name, expected[i].name);
        EXPECT_EQ(array.shape, expected[i].shape) << array.name;
        std::vector<double> numbers;
        for (std::int64_t element = 0; element < array.elements(); ++element)
            numbers.push_back(array.type == FormatType::f32 ? array.number(element) : array.integer(element));
        EXPECT_EQ(numbers, expected[i].numbers) << array.name;
        EXPECT_EQ(array.places.size(), array.words.size()) << array.name;
    }
    EXPECT_EQ(make_dense(read_format(made)), fig4);
}

TEST(FormatExample, csr) {
    expect_arrays("csr", {{"row_ptr", {6}, {0, 2, 4, 5, 6, 9}},
                          {"col_idx", {9}, {2, 3, 0, 3, 1, 2, 0, 1, 4}},
                          {"values", {9}, {15, 8, 22, 23, 8, 19, 10, 4, 22}}});
}

TEST(FormatExample, csc) {
    expect_arrays("csc", {{"col_ptr", {6}, {0, 2, 4, 6, 8, 9}},
                          {"row_idx", {9}, {1, 4, 2, 4, 0, 3, 0, 1, 4}},
                          {"values", {9}, {22, 10, 8, 4, 15, 19, 8, 23, 22}}});
}

TEST(FormatExample, coo) {
    expect_arrays("coo", {{"row_idx", {9}, {0, 0, 1, 1, 2, 3, 4, 4, 4}},
                          {"col_idx", {9}, {2, 3, 0, 3, 1, 2, 0, 1, 4}},
                          {"values", {9}, {15, 8, 22, 23, 8, 19, 10, 4, 22}}});
}

TEST(FormatExample, ell) {
    expect_arrays("ell", {{"col_idx", {5, 3}, {2, 3, -1, 0, 3, -1, 1, -1, -1, 2, -1, -1, 0, 1, 4}},
                          {"values", {5, 3}, {15, 8, 0, 22, 23, 0, 8, 0, 0, 19, 0, 0, 10, 4, 22}}});
}

TEST(FormatExample, sell) {
    expect_arrays("sell", {{"permutation", {5}, {0, 1, 2, 3, 4}},
                           {"slice_start", {4}, {0, 4, 6, 12}},
                           {"col_idx", {12}, {2, 0, 3, 3, 1, 2, 0, -1, 1, -1, 4, -1}},
                           {"values", {12}, {15, 22, 8, 23, 8, 19, 10, 0, 4, 0, 22, 0}}});
}

TEST(FormatExample, bsr) {
    expect_arrays(
        "bsr", {{"row_ptr", {4}, {0, 2, 4, 6}},
                {"col_idx", {6}, {0, 1, 0, 1, 0, 2}},
                {"values", {6, 2, 2}, {0, 0, 22, 0, 15, 8, 0, 23, 0, 8, 0, 0, 0, 0, 19, 0, 10, 4, 0, 0, 22, 0, 0, 0}}});
}

TEST(FormatExample, dia) {
    expect_arrays("dia", {{"offsets", {6}, {-4, -3, -1, 0, 2, 3}},
                          {"values", {6, 5}, {0, 0, 0, 0, 10, 0,  0,  0, 0, 4, 0, 22, 8, 19, 0,
                                              0, 0, 0, 0, 22, 15, 23, 0, 0, 0, 8, 0,  0, 0,  0}}});
}

TEST(FormatExample, bitmap) {
    expect_arrays("bitmap", {{"bits", {5, 1}, {0b01100, 0b01001, 0b00010, 0b00100, 0b10011}},
                             {"offsets", {6}, {0, 2, 4, 5, 6, 9}},
                             {"values", {9}, {15, 8, 22, 23, 8, 19, 10, 4, 22}}});
}

TEST(FormatExample, run_length) {
    expect_arrays("rle",
                  {{"runs", {9}, {2, 0, 1, 2, 2, 5, 2, 0, 2}}, {"values", {9}, {15, 8, 22, 23, 8, 19, 10, 4, 22}}});
}

TEST(FormatExample, two_four) {
    // A row has groups of columns 0 to 3 and of column 4 alone.
    expect_arrays("2:4", {{"metadata", {5, 1}, {0x4e, 0x4c, 0x44, 0x48, 0x44}},
                          {"values", {5, 4}, {15, 8, 0, 0, 22, 23, 0, 0, 0, 8, 0, 0, 0, 19, 0, 0, 10, 4, 22, 0}}});
    EXPECT_EQ(build_format(find_sparse_format("2:4"), fig4).lost, 0);
}

TEST(FormatExample, sell_sorts_rows_by_length_within_windows) {
    const FormatMatrix matrix{5, 3, {1, 0, 0, 2, 3, 4, 0, 0, 0, 5, 6, 0, 7, 8, 9}};
    const FormatArrays made = build_format(find_sparse_format("sell"), matrix);
    EXPECT_EQ(made.array(FormatRole::permutation).words, (std::vector<std::uint32_t>{1, 3, 0, 2, 4}));
    EXPECT_EQ(made.array(FormatRole::slice_start).words, (std::vector<std::uint32_t>{0, 6, 8, 14}));
    EXPECT_EQ(make_dense(read_format(made)), matrix);
    // Slice 1 covers the one non-zero of rows 0 and 2.
    EXPECT_EQ(made.cells(made.array(FormatRole::slice_start), 1), (std::vector<FormatCell>{{0, 0}}));
}

TEST(FormatExample, a_long_run_is_cut_by_a_stored_zero) {
    FormatMatrix matrix{2, 300, std::vector<float>(600)};
    matrix.values[256] = 1;  // behind 256 zeros
    matrix.values[599] = 2;  // behind 342
    const FormatArrays made = build_format(find_sparse_format("rle"), matrix);
    EXPECT_EQ(made.array(FormatRole::runs).words, (std::vector<std::uint32_t>{255, 0, 255, 86}));
    EXPECT_EQ(format_sentence(made, made.arrays[1], 0),
              "values[0] = 0: row 0, column 255, a zero that is stored where a run is longer than 255");
    EXPECT_EQ(make_dense(read_format(made)), matrix);
}

TEST(FormatExample, two_four_says_what_it_loses) {
    const FormatArrays made = build_format(find_sparse_format("2:4"), {1, 8, {1, -5, 3, 2, 0, 4, 0, 0}});
    EXPECT_EQ(loss_sentence(made),
              "2:4 loses 2 of 5 non-zeros: in each row, of each four neighbouring columns, the two of largest "
              "magnitude stay.");
    EXPECT_EQ(loss_sentence(build_format(find_sparse_format("2:4"), fig4)), "");
    EXPECT_EQ(make_dense(read_format(made)).values, (std::vector<float>{0, -5, 3, 0, 0, 4, 0, 0}));
}

std::string sentence(const char* format, const char* array, std::int64_t element) {
    const FormatArrays made = build_format(find_sparse_format(format), fig4);
    for (const FormatArray& each : made.arrays)
        if (each.name == array) return format_sentence(made, each, element);
    return "no such array";
}

TEST(FormatExample, elements_in_words) {
    EXPECT_EQ(sentence("csr", "row_ptr", 3), "row_ptr[3] = 5: row 3 begins at entry 5 and ends before row_ptr[4] = 6");
    EXPECT_EQ(sentence("csr", "row_ptr", 5), "row_ptr[5] = 9: the end, 9 entries in all");
    EXPECT_EQ(sentence("csr", "col_idx", 3), "col_idx[3] = 3: entry 3 is in column 3, of row 1");
    EXPECT_EQ(sentence("csr", "values", 3), "values[3] = 23: row 1, column 3");
    EXPECT_EQ(sentence("csc", "row_idx", 0), "row_idx[0] = 1: entry 0 is in row 1, of column 0");
    EXPECT_EQ(sentence("coo", "row_idx", 8), "row_idx[8] = 4: entry 8 is in row 4");
    EXPECT_EQ(sentence("coo", "col_idx", 8), "col_idx[8] = 4: entry 8 is in column 4, of row 4");
    EXPECT_EQ(sentence("ell", "col_idx", 2), "col_idx[0, 2] = -1: an unused slot of row 0");
    EXPECT_EQ(sentence("ell", "values", 2), "values[0, 2] = 0: an unused slot of row 0");
    EXPECT_EQ(sentence("sell", "permutation", 4), "permutation[4] = 4: row 4 stands in place 4");
    EXPECT_EQ(sentence("sell", "slice_start", 2), "slice_start[2] = 6: slice 2, places 4 to 4, begins at slot 6");
    EXPECT_EQ(sentence("sell", "col_idx", 3), "col_idx[3] = 3: entry 3 is in column 3, of row 1");
    EXPECT_EQ(sentence("bsr", "row_ptr", 1),
              "row_ptr[1] = 2: row block 1 begins at block 2 and ends before row_ptr[2] = 4");
    EXPECT_EQ(sentence("bsr", "col_idx", 5), "col_idx[5] = 2: block 5 is in column block 2, of row block 2");
    EXPECT_EQ(sentence("bsr", "values", 0), "values[0, 0, 0] = 0: row 0, column 0, a zero that is stored");
    EXPECT_EQ(sentence("bsr", "values", 23), "values[5, 1, 1] = 0: fills a block beyond the matrix");
    EXPECT_EQ(sentence("dia", "offsets", 0), "offsets[0] = -4: the diagonal 4 below the main one");
    EXPECT_EQ(sentence("dia", "values", 0), "values[0, 0] = 0: an unused slot of row 0");
    EXPECT_EQ(sentence("bitmap", "bits", 4), "bits[4, 0] = 0x13: row 4: bits of columns 0, 1, 4");
    EXPECT_EQ(sentence("bitmap", "offsets", 4),
              "offsets[4] = 6: 6 bits are set before word 4, the entries of row 4 begin there");
    EXPECT_EQ(sentence("rle", "runs", 5), "runs[5] = 5: 5 zeros before row 3, column 2");
    EXPECT_EQ(sentence("2:4", "metadata", 0),
              "metadata[0, 0] = 0x4e: row 0: places 2 and 3 of columns 0 to 3, places 0 and 1 of columns 4 to 7, 1 of "
              "them in the matrix");
}

TEST(FormatExample, places_of_two_four_in_words) {
    const FormatArrays made = build_format(find_sparse_format("2:4"), fig4);
    std::vector<std::int64_t> places;
    for (std::int64_t value = 0; value < 8; ++value) places.push_back(place_in_four(made, value));
    EXPECT_EQ(places, (std::vector<std::int64_t>{2, 3, 0, 1, 0, 3, 0, 1}));
    EXPECT_EQ(place_sentence(made, 1),
              "metadata[0, 0], bits 2 and 3 = 3: values[0, 1] is of column 3, place 3 of columns 0 to 3");
    EXPECT_EQ(place_sentence(made, 18),
              "metadata[4, 0], bits 4 and 5 = 0: values[4, 2] is of column 4, place 0 of columns 4 to 4");
    EXPECT_EQ(place_sentence(made, 8),
              "metadata[2, 0], bits 0 and 1 = 0: values[2, 0] is of column 0, place 0 of columns 0 to 3, a zero that "
              "fills the group: fewer than two of it are not zero");
    EXPECT_EQ(place_sentence(made, 19),
              "metadata[4, 0], bits 6 and 7 = 1: values[4, 3] is an unused slot, beyond the last column");
}

TEST(FormatExample, zeros_that_a_format_stores_have_their_price) {
    const auto sentence_of = [](const char* name) {
        return stored_zeros_sentence(build_format(find_sparse_format(name), fig4, false));
    };
    EXPECT_EQ(sentence_of("csr"), "");
    EXPECT_EQ(sentence_of("ell"), "Zeros stored: 6 of 15 values, 24 of 120 bytes, in unused slots.");
    EXPECT_EQ(sentence_of("bsr"), "Zeros stored: 15 of 24 values, 60 of 136 bytes, in blocks, which are stored whole.");
    EXPECT_EQ(sentence_of("2:4"),
              "Zeros stored: 11 of 20 values, 44 of 90 bytes, in groups of four with fewer than two non-zeros.");
    EXPECT_EQ(sentence_of("sell"), "Zeros stored: 3 of 12 values, 12 of 132 bytes, in unused slots.");
    EXPECT_EQ(
        sentence_of("dia"),
        "Zeros stored: 21 of 30 values, 84 of 144 bytes, in diagonals, which are stored whole and go on beyond the "
        "matrix.");
    const FormatArrays runs = build_format(find_sparse_format("rle"), {1, 300, [] {
                                                                           std::vector<float> values(300);
                                                                           values.back() = 1;
                                                                           return values;
                                                                       }()});
    EXPECT_EQ(stored_zeros_sentence(runs, " here"),
              "Zeros stored here: 1 of 2 values, 4 of 10 bytes, where a run is longer than 255.");
}

TEST(FormatExample, bytes_are_a_sum_and_say_what_is_rounded_up) {
    const auto sentence_of = [](const char* name) {
        return bytes_sentence(build_format(find_sparse_format(name), fig4, false));
    };
    EXPECT_EQ(sentence_of("csr"), "row_ptr 24 + col_idx 36 + values 36 = 96 B");
    EXPECT_EQ(sentence_of("2:4"),
              "metadata 10 + values 80 = 90 B; 5 columns count as 8, in groups of four, 8 bits of metadata for each "
              "row count as 16, in words of 16");
    EXPECT_EQ(sentence_of("bsr"),
              "row_ptr 16 + col_idx 24 + values 96 = 136 B; 5 rows count as 6, in blocks of 2, 5 columns count as 6, "
              "in blocks of 2");
    EXPECT_EQ(sentence_of("sell"),
              "permutation 20 + slice_start 16 + col_idx 48 + values 48 = 132 B; 5 rows count as 6, in slices of 2");
    EXPECT_EQ(sentence_of("bitmap"), "bits 20 + offsets 24 + values 36 = 80 B; 5 bits count as 32, in words of 32");
}

TEST(FormatExample, elements_know_their_matrix_elements) {
    const FormatArrays csr = build_format(find_sparse_format("csr"), fig4);
    EXPECT_EQ(csr.cells(csr.arrays[0], 4), (std::vector<FormatCell>{{4, 0}, {4, 1}, {4, 4}}));
    EXPECT_EQ(csr.cells(csr.arrays[0], 5), std::vector<FormatCell>{});
    EXPECT_EQ(csr.cells(csr.arrays[1], 3), (std::vector<FormatCell>{{1, 3}}));
    const FormatArrays bsr = build_format(find_sparse_format("bsr"), fig4);
    EXPECT_EQ(bsr.cells(bsr.arrays[1], 1), (std::vector<FormatCell>{{0, 2}, {0, 3}, {1, 3}}));
    EXPECT_EQ(bsr.cells(bsr.arrays[2], 6), (std::vector<FormatCell>{{1, 2}}));
    const FormatArrays bitmap = build_format(find_sparse_format("bitmap"), fig4);
    EXPECT_EQ(bitmap.cells(bitmap.arrays[0], 1), (std::vector<FormatCell>{{1, 0}, {1, 3}}));
    const FormatArrays dia = build_format(find_sparse_format("dia"), fig4);
    EXPECT_EQ(dia.cells(dia.arrays[0], 2), (std::vector<FormatCell>{{1, 0}, {2, 1}, {3, 2}}));
    const FormatArrays two_four = build_format(find_sparse_format("2:4"), fig4);
    EXPECT_EQ(two_four.cells(two_four.arrays[0], 2), (std::vector<FormatCell>{{2, 1}}));
}

TEST(FormatExample, bytes) {
    const auto bytes = [](const char* name) { return build_format(find_sparse_format(name), fig4).bytes(); };
    EXPECT_EQ(bytes("csr"), 4 * (6 + 9 + 9));
    EXPECT_EQ(bytes("coo"), 4 * (9 + 9 + 9));
    EXPECT_EQ(bytes("rle"), 5 * 9);
    EXPECT_EQ(bytes("2:4"), 2 * 5 + 4 * 20);
    EXPECT_EQ(bytes("bitmap"), 4 * (5 + 6 + 9));
    EXPECT_EQ(build_format(find_sparse_format("csr"), fig4).dense_bytes(), 100);
}

}  // namespace
}  // namespace convscope
