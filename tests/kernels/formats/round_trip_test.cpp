// 10,000 random matrices of many sizes and shares of zeros come back from every format.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kernels/core/error.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

/// Sizes are up to 40 x 80: more than a bitmap's word, more than a window that SELL sorts.
FormatMatrix random_matrix(std::mt19937& random) {
    const auto up_to = [&](std::uint32_t most) { return static_cast<std::int64_t>(1 + random() % most); };
    const bool small = random() % 2 == 0;
    const std::int64_t rows = up_to(small ? 6 : 40), cols = up_to(small ? 6 : 80);
    FormatMatrix matrix{rows, cols, {}};
    const auto zeros = random() % 101;
    for (std::int64_t i = 0; i < matrix.rows * matrix.cols; ++i)
        matrix.values.push_back(random() % 100 < zeros ? 0.0F : 1.0F + static_cast<float>(random() % 1000));
    return matrix;
}

/// Sets all but two of every four columns to zero.
void make_two_four(FormatMatrix& matrix) {
    for (std::int64_t row = 0; row < matrix.rows; ++row)
        for (std::int64_t first = 0; first < matrix.cols; first += 4) {
            int kept = 0;
            for (std::int64_t col = first; col < std::min(first + 4, matrix.cols); ++col)
                if (float& value = matrix.values[static_cast<std::size_t>(row * matrix.cols + col)]; value != 0)
                    if (++kept > 2) value = 0;
        }
}

TEST(RoundTrip, ten_thousand_matrices_come_back_from_every_format) {
    std::mt19937 random(38);
    const auto& formats = all_sparse_formats();
    ASSERT_EQ(formats.size(), 10U);
    int lossy = 0;
    for (int i = 0; i < 10000; ++i) {
        FormatMatrix matrix = random_matrix(random);
        for (const SparseFormat& format : formats) {
            const FormatArrays made = build_format(format, matrix, false);
            const FormatMatrix back = make_dense(read_format(made));
            // 2:4 comes back unless it says what it lost.
            ASSERT_EQ(back == matrix, made.lost == 0) << format.name << " of matrix " << i;
            lossy += made.lost > 0;
            ASSERT_TRUE(made.lost == 0 || format.builder == FormatBuilder::two_four);
            for (const FormatArray& array : made.arrays) {
                std::int64_t elements = 1;
                for (const std::int64_t size : array.shape) elements *= size;
                ASSERT_EQ(array.elements(), elements) << format.name << ' ' << array.name;
            }
        }
        make_two_four(matrix);
        const FormatArrays made = build_format(find_sparse_format("2:4"), matrix, false);
        ASSERT_EQ(made.lost, 0);
        ASSERT_EQ(make_dense(read_format(made)), matrix) << "matrix " << i;
    }
    EXPECT_GT(lossy, 1000);
}

/// Counts the zeros among a format's values by its other arrays, and by the matrix that is read back.
std::int64_t recounted_zeros(const FormatArrays& made, std::int64_t non_zeros) {
    const std::int64_t values = made.array(FormatRole::values).elements();
    const std::string& name = made.format->name;
    if (name == "ell" || name == "sell") {
        const FormatArray& columns = *std::ranges::find(made.arrays, "col_idx", &FormatArray::name);
        return std::ranges::count(columns.words, 0xffffffffU);
    }
    if (name == "bsr") return 4 * std::ranges::find(made.arrays, "col_idx", &FormatArray::name)->elements() - non_zeros;
    if (name == "dia") return made.rows * made.arrays[0].elements() - non_zeros;
    if (name == "2:4") return made.rows * 2 * ((made.cols + 3) / 4) - (non_zeros - made.lost);
    if (name == "rle") {
        // Each run and its value are so many elements of the matrix; a cut one has a zero as its value.
        std::int64_t cuts = 0, at = -1;
        const FormatMatrix back = make_dense(read_format(made));
        for (const std::uint32_t run : made.arrays[0].words) {
            at += static_cast<std::int64_t>(run) + 1;
            cuts += back.values[static_cast<std::size_t>(at)] == 0;
        }
        return cuts;
    }
    return values - non_zeros;
}

TEST(RoundTrip, stored_zeros_count_the_same_in_every_format) {
    std::mt19937 random(40);
    std::vector<std::int64_t> zeros(all_sparse_formats().size());
    for (int i = 0; i < 500; ++i) {
        const FormatMatrix matrix = random_matrix(random);
        const auto non_zeros = std::ranges::count_if(matrix.values, [](float value) { return value != 0; });
        for (std::size_t k = 0; k < zeros.size(); ++k) {
            const SparseFormat& format = all_sparse_formats()[k];
            const FormatArrays made = build_format(format, matrix, false);
            ASSERT_EQ(made.stored_zeros(), recounted_zeros(made, non_zeros)) << format.name << " of matrix " << i;
            ASSERT_EQ(made.stored_zeros() + non_zeros - made.lost, made.array(FormatRole::values).elements());
            ASSERT_EQ(stored_zeros_sentence(made).empty(), made.stored_zeros() == 0) << format.name;
            zeros[k] += made.stored_zeros();
        }
    }
    for (std::size_t k = 0; k < zeros.size(); ++k) {
        const std::string& name = all_sparse_formats()[k].name;
        EXPECT_EQ(zeros[k] == 0, name == "coo" || name == "csr" || name == "csc" || name == "bitmap") << name;
    }
}

/// Every non-zero is the value of just one element that says so, and every element of an array can be put in words.
TEST(RoundTrip, each_non_zero_has_one_value_and_each_element_a_sentence) {
    std::mt19937 random(39);
    for (int i = 0; i < 100; ++i) {
        FormatMatrix matrix = random_matrix(random);
        make_two_four(matrix);
        for (const SparseFormat& format : all_sparse_formats()) {
            const FormatArrays made = build_format(format, matrix);
            std::vector<int> found(matrix.values.size());
            for (const FormatArray& array : made.arrays)
                for (std::int64_t element = 0; element < array.elements(); ++element) {
                    ASSERT_GT(format_sentence(made, array, element).size(), 10U);
                    if (array.role != FormatRole::values || array.number(element) == 0) continue;
                    const auto cells = made.cells(array, element);
                    ASSERT_EQ(cells.size(), 1U) << format.name;
                    const auto at = static_cast<std::size_t>(cells[0].row * matrix.cols + cells[0].col);
                    ASSERT_EQ(array.number(element), matrix.values[at]) << format.name;
                    ++found[at];
                }
            for (std::size_t at = 0; at < found.size(); ++at)
                ASSERT_EQ(found[at], matrix.values[at] != 0 ? 1 : 0) << format.name;
        }
    }
}

TEST(RoundTrip, a_matrix_of_nothing_is_rejected) {
    try {
        build_format(find_sparse_format("csr"), {0, 5, {}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "a matrix of 0 \u00d7 5 has no format; it has from 1 to 2147483647 elements");
    }
}

}  // namespace
}  // namespace convscope
