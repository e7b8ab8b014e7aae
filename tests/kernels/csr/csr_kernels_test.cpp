// csr1's compression kernels against the host's, array by array.
#include "kernels/csr/csr_kernels.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kernels/csr/csr_layout.h"
#include "tests/support/random_shapes.h"

namespace convscope::on_sim {
namespace {

KernelLaunch at(std::int64_t blocks, std::int64_t threads) {
    KernelLaunch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.shared_bytes = 32 * sizeof(int);
    return launch;
}

void expect_compressed(std::int64_t rows, std::int64_t row_length, double sparsity, int tile, std::int64_t threads) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(row_length) + ", tile " + std::to_string(tile));
    testing::Random random(static_cast<std::uint64_t>(rows * row_length));
    std::vector<float> matrix(static_cast<std::size_t>(rows * row_length));
    for (float& value : matrix)
        value = static_cast<double>(random.between(1, 1000)) <= 1000 * sparsity ? 0.0f : random.value();
    matrix.back() = std::numeric_limits<float>::quiet_NaN();  // is not zero

    std::vector<std::int32_t> offsets(rows + 1), columns(matrix.size());
    std::vector<float> values(matrix.size());
    compress_csr(rows, row_length, matrix.data(), offsets.data(), columns.data(), values.data());

    const long long elements = rows * row_length;
    const int tiles = static_cast<int>((elements + tile - 1) / tile);
    const std::int64_t blocks = (tiles + threads / 32 - 1) / (threads / 32);
    std::vector<int> counts(tiles), got_offsets(rows + 1, -1), got_columns(matrix.size());
    std::vector<float> got_values(matrix.size());
    simt::run_grid(at(blocks, threads), [&] { csr_count(matrix.data(), elements, tile, counts.data()); });
    simt::run_grid(at(1, threads), [&] { csr_scan(counts.data(), tiles, got_offsets.data() + rows); });
    simt::run_grid(at(blocks, threads), [&] {
        csr_fill(matrix.data(), elements, static_cast<int>(row_length), tile, counts.data(), got_values.data(),
                 got_columns.data(), got_offsets.data());
    });

    ASSERT_EQ(got_offsets, offsets);
    const auto nonzeros = static_cast<std::size_t>(offsets.back());
    columns.resize(nonzeros);
    got_columns.resize(nonzeros);
    EXPECT_EQ(got_columns, columns);
    for (std::size_t i = 0; i + 1 < nonzeros; ++i) ASSERT_EQ(got_values[i], values[i]) << i;
    EXPECT_TRUE(std::isnan(got_values[nonzeros - 1]));
}

TEST(CsrKernels, compress_rows_of_any_length) {
    for (const std::int64_t row_length : {1, 2, 9, 31, 32, 33, 100, 1000})
        for (const double sparsity : {0.0, 0.6, 1.0}) expect_compressed(37, row_length, sparsity, 256, 64);
}

TEST(CsrKernels, tiles_may_cut_rows_and_rows_tiles) {
    expect_compressed(700, 3, 0.5, 512, 256);
    expect_compressed(3, 700, 0.5, 512, 256);
    expect_compressed(1, 1, 0.0, 8192, 32);
}

TEST(CsrKernels, counts_are_summed_up_over_many_rounds) {
    expect_compressed(1500, 40, 0.7, 256, 32);  // 235 tiles in rounds of 32
}

}  // namespace
}  // namespace convscope::on_sim
