#include "kernels/formats/format_bytes.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

double least(const char* name, std::int64_t rows, std::int64_t cols) {
    return break_even_zeros(find_sparse_format(name), rows, cols).value_or(-1);
}

TEST(FormatBytes, formats_without_padding_break_even_where_arithmetic_says) {
    // CSR of 40 x 50: 4 (41 + 2 nnz) < 4 * 2000 where nnz is at most 979.
    EXPECT_DOUBLE_EQ(least("csr", 40, 50), 1 - 979 / 2000.0);
    // COO: 3 nnz < 2000.
    EXPECT_DOUBLE_EQ(least("coo", 40, 50), 1 - 666 / 2000.0);
    // A bitmap of two words for each of 40 rows: 80 + 81 + nnz < 2000.
    EXPECT_DOUBLE_EQ(least("bitmap", 40, 50), 1 - 1838 / 2000.0);
    // Run length, while no run is cut: 5 nnz < 4 * 2000.
    EXPECT_DOUBLE_EQ(least("rle", 40, 50), 1 - 1599 / 2000.0);
}

TEST(FormatBytes, two_four_always_saves_and_small_matrices_never_do) {
    EXPECT_EQ(least("2:4", 16, 16), 0);
    EXPECT_FALSE(break_even_zeros(find_sparse_format("csr"), 1, 1));
}

TEST(FormatBytes, padding_costs) {
    EXPECT_GT(least("ell", 40, 50), least("csr", 40, 50));
    EXPECT_GT(least("dia", 40, 50), 0.9);
}

}  // namespace
}  // namespace convscope
