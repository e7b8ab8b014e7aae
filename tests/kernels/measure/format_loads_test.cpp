// The sectors that kernels ask for when they read a format, against counts by hand.
#include "kernels/measure/format_loads.h"

#include <gtest/gtest.h>

#include "kernels/core/error.h"

namespace convscope {
namespace {

FormatLoads count(const std::string& format, const FormatMatrix& matrix) {
    return count_format_loads(find_sparse_format(format), matrix, {matrix.rows, matrix.cols});
}

/// A matrix whose element (row, col) is not zero where 'fits' says so.
template <class Fits>
FormatMatrix matrix_of(std::int64_t rows, std::int64_t cols, const Fits& fits) {
    FormatMatrix matrix{rows, cols, std::vector<float>(static_cast<std::size_t>(rows * cols))};
    for (std::int64_t i = 0; i < rows * cols; ++i)
        matrix.values[static_cast<std::size_t>(i)] = fits(i / cols, i % cols) ? 1.0F : 0.0F;
    return matrix;
}

/// 32 rows of eight non-zeros each: a row's values fill one sector.
FormatMatrix eight_in_each_row() {
    return matrix_of(32, 40, [](std::int64_t, std::int64_t col) { return col % 5 == 0; });
}

TEST(FormatLoads, of_a_thread_per_row_take_a_sector_for_each_lane) {
    const FormatLoads counted = count("csr", eight_in_each_row());
    ASSERT_EQ(counted.kernels.size(), 2U);
    const KernelLoads& csr2 = counted.kernels[0];
    EXPECT_EQ(csr2.method, "csr2");
    ASSERT_EQ(csr2.arrays.size(), 3U);
    EXPECT_EQ(csr2.arrays[0].array, "row_ptr");
    EXPECT_EQ(csr2.arrays[1].array, "col_idx");
    EXPECT_EQ(csr2.arrays[2].array, "values");
    // Eight loads, each of 32 values in 32 sectors.
    EXPECT_EQ(csr2.arrays[2].requests, 8);
    EXPECT_EQ(csr2.arrays[2].sectors, 8 * 32);
    EXPECT_EQ(csr2.arrays[2].bytes_wanted, 8 * 32 * 4);
    EXPECT_EQ(csr2.arrays[1].sectors, 8 * 32);
    // The beginnings of 32 rows lie in four sectors; their ends are one element further on, in five.
    EXPECT_EQ(csr2.arrays[0].requests, 2);
    EXPECT_EQ(csr2.arrays[0].sectors, 4 + 5);
}

TEST(FormatLoads, of_a_warp_per_row_lie_side_by_side) {
    const FormatLoads counted = count("csr", eight_in_each_row());
    const ArrayLoads& values = counted.kernels[1].arrays.back();
    EXPECT_EQ(counted.kernels[1].method, "csr3");
    EXPECT_EQ(values.requests, 32);
    EXPECT_EQ(values.sectors, 32);
    EXPECT_DOUBLE_EQ(values.share_wanted(), 1.0);
}

TEST(FormatLoads, of_ell_take_four_sectors_for_32_rows) {
    const FormatLoads counted = count("ell", eight_in_each_row());
    const ArrayLoads& values = counted.kernels.front().arrays.back();
    EXPECT_EQ(values.requests, 8);
    EXPECT_EQ(values.sectors, 8 * 4);
}

TEST(FormatLoads, of_coo_bitmap_and_blocks_are_counted) {
    const FormatMatrix matrix = eight_in_each_row();
    // 256 non-zeros, 32 at once.
    const FormatLoads coo = count("coo", matrix);
    EXPECT_EQ(coo.kernels.front().arrays.back().requests, 8);
    EXPECT_EQ(coo.kernels.front().arrays.back().sectors, 8 * 4);
    // Two words of each row: columns 0 to 31 and 32 to 39, with seven and one non-zeros.
    const FormatLoads bitmap = count("bitmap", matrix);
    EXPECT_EQ(bitmap.kernels.front().arrays.front().array, "bits");
    EXPECT_EQ(bitmap.kernels.front().arrays.front().requests, 32);
    EXPECT_EQ(bitmap.kernels.front().arrays.back().requests, 64);
    EXPECT_EQ(bitmap.kernels.front().arrays.back().sectors, 64);
    // All lanes load one value of a block, of four bytes in a sector.
    const FormatLoads bsr = count("bsr", matrix);
    EXPECT_GT(bsr.kernels.front().arrays.back().requests, 0);
    EXPECT_DOUBLE_EQ(bsr.kernels.front().arrays.back().share_wanted(), 4.0 / 32);
}

TEST(FormatLoads, say_that_no_kernel_reads_a_format) {
    const FormatMatrix matrix = eight_in_each_row();
    for (const char* name : {"csc", "dia", "rle", "sell", "2:4"}) {
        const FormatLoads counted = count(name, matrix);
        EXPECT_TRUE(counted.kernels.empty()) << name;
        const std::string sentence = loads_sentence(find_sparse_format(name), counted);
        EXPECT_TRUE(sentence.starts_with("No kernel here reads ") || sentence.starts_with("nm1 reads 2:4")) << sentence;
    }
}

TEST(FormatLoads, are_a_sentence) {
    EXPECT_EQ(
        loads_sentence(find_sparse_format("csr"), count("csr", eight_in_each_row())),
        "A warp of csr2 (a thread per row) asks for 32 sectors a load of values, 13 % of their bytes used; of csr3 (a "
        "warp per row) for 1 sector, 100 % used.");
    const FormatMatrix zeros = matrix_of(5, 5, [](std::int64_t, std::int64_t) { return false; });
    EXPECT_NE(loads_sentence(find_sparse_format("csr"), count("csr", zeros)).find("loads no values"),
              std::string::npos);
}

TEST(FormatLoads, tell_a_format_by_its_levels) {
    SparseFormat own = find_sparse_format("csr");
    own.name = own.title = "mine";
    own.values = "data";
    const FormatMatrix matrix = eight_in_each_row();
    const FormatLoads counted = count_format_loads(own, matrix, {matrix.rows, matrix.cols});
    ASSERT_EQ(counted.kernels.size(), 2U);
    EXPECT_EQ(counted.kernels.front().arrays.back().array, "data");
}

TEST(FormatLoads, are_of_the_first_rows_and_columns_where_a_matrix_is_large) {
    EXPECT_EQ(counted_part({5, 5}).rows, 5);
    EXPECT_EQ(counted_part({1 << 20, 64}).rows, 512);
    EXPECT_EQ(counted_part({1 << 20, 64}).cols, 64);
    EXPECT_EQ(counted_part({1 << 20, 1 << 20}).rows, 32);
    EXPECT_EQ(counted_part({1 << 20, 1 << 20}).cols, 1024);
    EXPECT_EQ(counted_part({3, 1 << 20}).rows, 3);
    const FormatMatrix large =
        matrix_of(40, 4096, [](std::int64_t row, std::int64_t col) { return (row + col) % 64 == 0; });
    const FormatLoads counted = count("ell", large);
    EXPECT_TRUE(counted.part);
    EXPECT_NE(
        loads_sentence(find_sparse_format("ell"), counted).find(". Counted on the first 32 rows and 1 024 columns."),
        std::string::npos);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(count_format_loads(find_sparse_format("csr"), large, {40, 4096}, stop.get_token()), Error);
}

}  // namespace
}  // namespace convscope
