// The kernels that build ELL, bitmap, BSR and COO, array by array against the host's formats.
#include "kernels/spmm/spmm_kernels.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/csr/csr_kernels.h"
#include "kernels/formats/format_arrays.h"
#include "tests/support/random_shapes.h"

namespace convscope::on_sim {
namespace {

constexpr int warps = 4, tile = 256;

void run(std::int64_t blocks, const std::function<void()>& kernel) {
    KernelLaunch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {32 * warps, 1, 1};
    launch.shared_bytes = 32 * sizeof(int);
    simt::run_grid(launch, kernel);
}

std::int64_t warp_blocks(std::int64_t items) {
    return (items + warps - 1) / warps;
}

std::int64_t thread_blocks(std::int64_t items) {
    return (items + 32 * warps - 1) / (32 * warps);
}

/// A matrix with a full row and an empty one, and what the device makes of it.
class Device {
public:
    Device(int rows, int depth, double sparsity)
        : shape_{rows, depth, 0, 0}, matrix_{rows, depth, std::vector<float>(static_cast<std::size_t>(rows * depth))} {
        testing::Random random(static_cast<std::uint64_t>(rows * depth));
        for (std::size_t i = 0; i < matrix_.values.size(); ++i) {
            const std::int64_t row = static_cast<std::int64_t>(i) / depth;
            const bool zero = static_cast<double>(random.between(1, 1000)) <= 1000 * sparsity;
            if (row == rows / 2 || (row != rows / 3 && !zero)) matrix_.values[i] = random.value();
        }
    }

    FormatArrays host(const char* format) const { return build_format(find_sparse_format(format), matrix_, false); }
    const SpmmShape& shape() const { return shape_; }
    const float* elements() const { return matrix_.values.data(); }

    /// The non-zeros of each tile of so many elements; 'total' gets those of all.
    std::vector<int> counts(int of_tile, bool summed, int* total = nullptr) const {
        const long long elements = static_cast<long long>(matrix_.values.size());
        const int tiles = static_cast<int>((elements + of_tile - 1) / of_tile);
        std::vector<int> counts(tiles);
        run(warp_blocks(tiles), [&] { csr_count(matrix_.values.data(), elements, of_tile, counts.data()); });
        int sum = 0;
        if (summed) run(1, [&] { csr_scan(counts.data(), tiles, &sum); });
        if (total) *total = sum;
        return counts;
    }

private:
    SpmmShape shape_;
    FormatMatrix matrix_;
};

std::vector<int> integers(const FormatArray& array) {
    return {array.words.begin(), array.words.end()};
}

std::vector<float> numbers(const FormatArray& array) {
    std::vector<float> numbers;
    for (std::int64_t i = 0; i < array.elements(); ++i) numbers.push_back(array.number(i));
    return numbers;
}

/// Which matrices: shorter than a warp, longer, just a word, a single row or column.
class SpmmKernels : public ::testing::TestWithParam<double> {
protected:
    static std::vector<Device> devices() {
        std::vector<Device> all;
        for (const auto& [rows, depth] : {std::pair{7, 5}, {40, 33}, {5, 200}, {33, 32}, {1, 77}, {90, 1}})
            all.emplace_back(rows, depth, GetParam());
        return all;
    }
};

TEST_P(SpmmKernels, fill_ell_slot_by_slot) {
    for (const Device& device : devices()) {
        const auto [rows, depth, filters, leading] = device.shape();
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(depth));
        const std::vector<int> counts = device.counts(depth, false);
        int width = 0;
        run(thread_blocks(rows), [&] { ell_width(device.shape(), counts.data(), &width); });
        const FormatArrays host = device.host("ell");
        const FormatArray& columns = host.array(FormatRole::index, 1);
        ASSERT_EQ(width, columns.shape[1]);
        std::vector<int> got_columns(static_cast<std::size_t>(width * rows), -2);
        std::vector<float> got_values(got_columns.size(), -2);
        run(warp_blocks(rows),
            [&] { ell_fill(device.shape(), device.elements(), &width, got_columns.data(), got_values.data()); });
        for (int row = 0; row < rows; ++row)
            for (int slot = 0; slot < width; ++slot) {
                const auto at = static_cast<std::size_t>(slot * rows + row);
                ASSERT_EQ(got_columns[at], columns.integer(row * width + slot)) << row << ", " << slot;
                ASSERT_EQ(got_values[at], host.array(FormatRole::values).number(row * width + slot));
            }
    }
}

TEST_P(SpmmKernels, fill_a_bitmap_whose_rows_begin_with_a_word) {
    for (const Device& device : devices())
        for (const int tile_rows : {1, 3}) {
            const auto [rows, depth, filters, leading] = device.shape();
            SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(depth) + ", " + std::to_string(tile_rows));
            int total = 0;
            const std::vector<int> starts = device.counts(tile_rows * depth, true, &total);
            const auto words = static_cast<std::size_t>(rows * ((depth + 31) / 32));
            std::vector<unsigned> bits(words);
            std::vector<int> offsets(words, -1);
            std::vector<float> values(static_cast<std::size_t>(total), -2);
            run(warp_blocks(static_cast<std::int64_t>(starts.size())), [&] {
                bitmap_fill(device.shape(), tile_rows, device.elements(), starts.data(), bits.data(), offsets.data(),
                            values.data());
            });
            const FormatArrays host = device.host("bitmap");
            EXPECT_EQ(bits, host.array(FormatRole::bits, 1).words);
            std::vector<int> before = integers(host.array(FormatRole::offsets, 1));
            before.resize(words);  // the host adds the number of all
            EXPECT_EQ(offsets, before);
            EXPECT_EQ(values, numbers(host.array(FormatRole::values)));
        }
}

TEST_P(SpmmKernels, fill_the_blocks_of_bsr_whole) {
    for (const Device& device : devices()) {
        const auto [rows, depth, filters, leading] = device.shape();
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(depth));
        const int block_rows = (rows + 1) / 2, block_columns = (depth + 1) / 2;
        const long long blocks = static_cast<long long>(block_rows) * block_columns;
        std::vector<float> flags(static_cast<std::size_t>(blocks)), values(static_cast<std::size_t>(4 * blocks));
        std::vector<int> row_offsets(static_cast<std::size_t>(block_rows) + 1), columns(flags.size());
        const int tiles = static_cast<int>((blocks + tile - 1) / tile);
        std::vector<int> counts(static_cast<std::size_t>(tiles));
        run(thread_blocks(blocks), [&] { bsr_flag<2>(device.shape(), device.elements(), flags.data()); });
        run(warp_blocks(tiles), [&] { csr_count(flags.data(), blocks, tile, counts.data()); });
        run(1, [&] { csr_scan(counts.data(), tiles, row_offsets.data() + block_rows); });
        run(warp_blocks(tiles), [&] {
            csr_fill(flags.data(), blocks, block_columns, tile, counts.data(), values.data(), columns.data(),
                     row_offsets.data());
        });
        run(warp_blocks(block_rows),
            [&] { bsr_fill<2>(device.shape(), device.elements(), row_offsets.data(), columns.data(), values.data()); });
        const FormatArrays host = device.host("bsr");
        EXPECT_EQ(row_offsets, integers(host.array(FormatRole::position, 1)));
        columns.resize(static_cast<std::size_t>(row_offsets.back()));
        values.resize(4 * columns.size());
        EXPECT_EQ(columns, integers(host.array(FormatRole::index, 1)));
        EXPECT_EQ(values, numbers(host.array(FormatRole::values)));
    }
}

TEST_P(SpmmKernels, spell_out_the_rows_of_coo) {
    for (const Device& device : devices()) {
        const int rows = device.shape().rows;
        const std::vector<int> row_offsets = integers(device.host("csr").array(FormatRole::position, 1));
        std::vector<int> got(static_cast<std::size_t>(row_offsets.back()), -1);
        run(warp_blocks(rows), [&] { coo_rows(device.shape(), row_offsets.data(), got.data()); });
        EXPECT_EQ(got, integers(device.host("coo").array(FormatRole::index, 0)));
    }
}

INSTANTIATE_TEST_SUITE_P(AtEveryShareOfZeros, SpmmKernels, ::testing::Values(0.0, 0.5, 0.95),
                         [](const auto& test) { return "zeros" + std::to_string(static_cast<int>(100 * test.param)); });

}  // namespace
}  // namespace convscope::on_sim
