#include "kernels/layers/format_matrix.h"

#include <gtest/gtest.h>

#include "kernels/core/error.h"

namespace convscope {
namespace {

Workload counted() {
    Workload workload;
    workload.spec.shape = {.n = 2, .c = 2, .h = 3, .w = 3, .k = 2, .r = 2, .s = 2, .pad_w = 1};
    workload.x = Tensor(2, 2, 3, 3);
    for (std::size_t i = 0; i < workload.x.data.size(); ++i) workload.x.data[i] = static_cast<float>(i + 1);
    workload.w = Tensor(2, 2, 2, 2);
    for (std::size_t i = 0; i < workload.w.data.size(); ++i) workload.w.data[i] = static_cast<float>(100 + i);
    return workload;
}

TEST(FormatMatrix, x_is_its_maps_one_below_the_other) {
    const Workload workload = counted();
    const FormatMatrix all = make_matrix(MatrixOf::x, workload);
    EXPECT_EQ(all.rows, 12);
    EXPECT_EQ(all.cols, 3);
    EXPECT_EQ(all.values, workload.x.data);
    const FormatMatrix second = make_matrix(MatrixOf::x, workload, 1);
    EXPECT_EQ(second.rows, 6);
    EXPECT_EQ(second.values.front(), 19);
}

TEST(FormatMatrix, im2col_has_a_column_for_each_output) {
    const Workload workload = counted();  // p = 2, q = 4
    const FormatMatrix all = make_matrix(MatrixOf::im2col, workload);
    EXPECT_EQ(all.rows, 8);
    EXPECT_EQ(all.cols, 16);
    // The first window of the first image, half of it padding, in the order c, r, s.
    std::vector<float> first, last;
    for (std::int64_t row = 0; row < 8; ++row) {
        first.push_back(all.values[static_cast<std::size_t>(row * 16)]);
        last.push_back(all.values[static_cast<std::size_t>(row * 16 + 15)]);
    }
    EXPECT_EQ(first, (std::vector<float>{0, 1, 0, 4, 0, 10, 0, 13}));
    EXPECT_EQ(last, (std::vector<float>{24, 0, 27, 0, 33, 0, 36, 0}));
    EXPECT_EQ(make_matrix(MatrixOf::im2col, workload, 1).cols, 8);
}

TEST(FormatMatrix, w_has_a_row_for_each_filter) {
    const FormatMatrix all = make_matrix(MatrixOf::w, counted());
    EXPECT_EQ(all.rows, 2);
    EXPECT_EQ(all.cols, 8);
    EXPECT_EQ(all.values[8], 108);
}

TEST(FormatMatrix, a_part_is_the_first_rows_and_columns) {
    const FormatMatrix part = make_matrix(MatrixOf::x, counted(), 0, {4, 2});
    EXPECT_EQ(part.rows, 4);
    EXPECT_EQ(part.values, (std::vector<float>{1, 2, 4, 5, 7, 8, 10, 11}));
}

TEST(FormatMatrix, non_zeros_are_those_of_the_whole_matrix) {
    Workload workload = counted();
    workload.w.data[3] = workload.x.data[20] = 0;
    for (const MatrixOf of : all_matrices)
        for (const std::optional<std::int64_t> image :
             {std::optional<std::int64_t>(), std::optional<std::int64_t>(1)}) {
            const FormatMatrix matrix = make_matrix(of, workload, image);
            const NonZeros found = find_non_zeros(of, workload, image);
            EXPECT_EQ(found.rows(), matrix.rows);
            EXPECT_EQ(found.cols(), matrix.cols);
            for (std::int64_t i = 0; i < matrix.rows * matrix.cols; ++i)
                EXPECT_EQ(found.at(i), matrix.values[static_cast<std::size_t>(i)] != 0) << to_string(of) << ' ' << i;
        }
}

TEST(FormatMatrix, blocks_of_pruned_weights_are_those_of_bsr) {
    const SparseFormat& bsr = find_sparse_format("bsr");
    EXPECT_EQ(bsr.block_h, weight_block);
    EXPECT_EQ(bsr.block_w, weight_block);
    WorkloadSpec spec;
    spec.shape = {.c = 4, .h = 3, .w = 3, .k = 8, .r = 3, .s = 3};
    spec.weight_pattern = WeightPattern::blocks;
    spec.weight_sparsity = 0.75;
    const FormatArrays arrays = build_format(bsr, make_matrix(MatrixOf::w, make_workload(spec)));
    EXPECT_EQ(arrays.arrays.back().elements(), 8 * 36 / 4) << "no zero is stored";
}

TEST(FormatMatrix, an_unknown_name_says_what_is_accepted) {
    EXPECT_EQ(parse_matrix_of("im2col"), MatrixOf::im2col);
    try {
        parse_matrix_of("y");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "'y' is not a matrix of a layer; accepted are x, im2col, w");
    }
}

}  // namespace
}  // namespace convscope
