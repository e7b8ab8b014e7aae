#include "kernels/formats/format_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "kernels/files/temporary_folder.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

double least(const char* name, std::int64_t rows, std::int64_t cols) {
    return break_even_zeros(find_sparse_format(name), rows, cols).value_or(-1);
}

NonZeros non_zeros_of(const FormatMatrix& matrix) {
    NonZeros found(matrix.rows, matrix.cols);
    for (std::int64_t i = 0; i < matrix.rows * matrix.cols; ++i)
        found.put(i / matrix.cols, i % matrix.cols, matrix.values[static_cast<std::size_t>(i)] != 0);
    return found;
}

/// Levels that no format of ours has, in TOML.
std::vector<SparseFormat> unusual_formats() {
    const std::string head = "name = \"mine\"\ntitle = \"Mine\"\ntext = \"Of a test.\"\n";
    const std::string blocks = "[[level]]\nkind = \"dense\"\nof = \"row_in_block\"\n[[level]]\nkind = \"";
    const std::string texts[] = {
        "[[level]]\nkind = \"compressed\"\nof = \"row\"\nposition = \"rows\"\nindex = \"row\"\n"
        "[[level]]\nkind = \"run_length\"\nof = \"col\"\nruns = \"gap\"\nmax_run = 3\nposition = \"begin\"\n",
        "[[level]]\nkind = \"compressed\"\nof = \"row\"\nunique = false\nindex = \"row\"\n"
        "[[level]]\nkind = \"run_length\"\nof = \"col\"\nruns = \"gap\"\nmax_run = 3\nposition = \"begin\"\n",
        "[[level]]\nkind = \"compressed\"\nof = \"row\"\nunique = false\nindex = \"row\"\n"
        "[[level]]\nkind = \"padded\"\nof = \"col\"\nindex = \"col\"\n",
        "[[level]]\nkind = \"run_length\"\nof = \"col\"\nruns = \"gap\"\nmax_run = 2\n"
        "[[level]]\nkind = \"bitmap\"\nof = \"row\"\nbits = \"b\"\noffsets = \"o\"\n",
        "[[level]]\nkind = \"bitmap\"\nof = \"cell\"\nbits = \"b\"\noffsets = \"o\"\n",
        "block = [2, 3]\n[[level]]\nkind = \"bitmap\"\nof = \"row_block\"\nbits = \"b\"\noffsets = \"o\"\n"
        "[[level]]\nkind = \"padded\"\nof = \"col_block\"\nindex = \"c\"\n" +
            blocks + "padded\"\nof = \"col_in_block\"\nindex = \"d\"\n",
        "block = [3, 2]\n[[level]]\nkind = \"dense\"\nof = \"col_block\"\n[[level]]\nkind = \"compressed\"\n"
        "of = \"row_block\"\nposition = \"p\"\nindex = \"c\"\n" +
            blocks + "dense\"\nof = \"col_in_block\"\n"};
    std::vector<SparseFormat> formats;
    const TemporaryFolder folder;
    for (const std::string& text : texts) {
        std::ofstream(folder / "mine.toml") << head << text;
        formats.push_back(load_sparse_format(folder / "mine.toml"));
    }
    return formats;
}

TEST(FormatBytes, are_counted_as_the_arrays_take_them) {
    std::mt19937 random(26);
    std::vector<SparseFormat> formats = all_sparse_formats();
    for (SparseFormat& each : unusual_formats()) formats.push_back(std::move(each));
    for (int i = 0; i < 500; ++i) {
        const auto up_to = [&](std::uint32_t limit) { return static_cast<std::int64_t>(1 + random() % limit); };
        FormatMatrix matrix{up_to(40), up_to(i % 50 == 0 ? 700 : 70), {}};
        const std::int64_t zeros = i % 20 == 0 ? 100 : up_to(101) - 1;
        for (std::int64_t at = 0; at < matrix.rows * matrix.cols; ++at)
            matrix.values.push_back(up_to(100) <= zeros ? 0.0F : 1.0F);
        const NonZeros counted = non_zeros_of(matrix);
        ASSERT_EQ(counted.count(), std::ranges::count(matrix.values, 1.0F));
        for (const SparseFormat& format : formats) {
            const FormatArrays built = build_format(format, matrix, false);
            const SparseMatrix sparse = make_sparse(matrix);
            ASSERT_EQ(count_bytes(format, counted), built.bytes())
                << describe_levels(format) << " of matrix " << i << ", " << matrix.rows << " x " << matrix.cols;
            ASSERT_EQ(count_bytes(format, sparse), built.bytes()) << describe_levels(format) << " of matrix " << i;
            ASSERT_EQ(count_lost(format, counted), built.lost) << describe_levels(format) << " of matrix " << i;
            ASSERT_EQ(count_lost(format, sparse), built.lost) << describe_levels(format) << " of matrix " << i;
        }
    }
}

TEST(FormatBytes, what_an_index_cannot_count_has_none) {
    // 32 diagonals of 2^26 rows have 2^31 elements.
    constexpr std::int64_t rows = 1 << 26;
    NonZeros tall(rows, 1);
    for (std::int64_t row = 0; row < 32; ++row) tall.put(row, 0, true);
    EXPECT_EQ(count_bytes(find_sparse_format("dia"), tall), 32 * (4 + 4 * rows));
    tall.put(32, 0, true);
    EXPECT_EQ(count_bytes(find_sparse_format("dia"), tall), std::nullopt);
}

TEST(FormatBytes, counting_stops) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(count_bytes(find_sparse_format("csr"), NonZeros(3, 3), stop.get_token()), std::nullopt);
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

TEST(FormatBytes, large_matrices_break_even_where_arithmetic_says_but_for_a_little) {
    // CSR: 301 + 2 nnz < 300 * 400; a bitmap of 13 words a row.
    EXPECT_NEAR(least("csr", 300, 400), 1 - 59849 / 120000.0, 1.0 / 4096);
    EXPECT_NEAR(least("bitmap", 300, 400), 1 - 112198 / 120000.0, 1.0 / 4096);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(break_even_zeros(find_sparse_format("csr"), 300, 400, stop.get_token()));
}

TEST(FormatBytes, padding_costs) {
    EXPECT_GT(least("ell", 40, 50), least("csr", 40, 50));
    EXPECT_GT(least("dia", 40, 50), 0.9);
}

}  // namespace
}  // namespace convscope
