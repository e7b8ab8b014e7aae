// Formats are built by threads, piece by piece: the arrays are the same whatever the threads, and those of the matrix.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

/// Large enough for threads and pieces. Some rows and columns are empty, some full.
FormatMatrix large_matrix(std::mt19937& random) {
    constexpr std::int64_t sizes[][2] = {{1, 70'000}, {3, 20'001}, {130, 517}, {1'000, 70}, {40'000, 2}, {70'001, 1}};
    const auto& size = sizes[random() % std::size(sizes)];
    FormatMatrix matrix{size[0], size[1], {}};
    const std::uint32_t zeros = random() % 4 == 0 ? 100 : random() % 101;
    std::vector<std::uint32_t> of_row, of_col;
    for (auto [shares, count] : {std::pair{&of_row, matrix.rows}, std::pair{&of_col, matrix.cols}})
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint32_t chance = random() % 8;
            shares->push_back(chance == 0 ? 100 : chance == 1 ? 0 : zeros);
        }
    for (std::int64_t row = 0; row < matrix.rows; ++row)
        for (std::int64_t col = 0; col < matrix.cols; ++col) {
            const std::uint32_t share =
                std::max(of_row[static_cast<std::size_t>(row)], of_col[static_cast<std::size_t>(col)]);
            matrix.values.push_back(random() % 100 < share ? 0.0F : 1.0F + static_cast<float>(random() % 1000));
        }
    return matrix;
}

using Place = std::tuple<std::int64_t, std::int64_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t, bool>;
std::vector<Place> places_of(const FormatArray& array) {
    std::vector<Place> places;
    for (const FormatPlace& each : array.places)
        places.emplace_back(each.first, each.last, each.row, each.col, each.row_in, each.col_in, each.used);
    return places;
}

TEST(FormatThreads, build_what_one_thread_builds) {
    const int threads = omp_get_max_threads();
    std::mt19937 random(54);
    for (int i = 0; i < 8; ++i) {
        const FormatMatrix matrix = large_matrix(random);
        for (const SparseFormat& format : all_sparse_formats()) {
            // As many diagonals as columns and rows are too many.
            if (format.builder == FormatBuilder::dia && std::max(matrix.rows, matrix.cols) > 1'000) continue;
            omp_set_num_threads(1);
            const FormatArrays serial = build_format(format, matrix);
            omp_set_num_threads(7);
            const FormatArrays made = build_format(format, matrix);
            omp_set_num_threads(threads);
            ASSERT_EQ(made.entries, serial.entries) << format.name << " of matrix " << i;
            ASSERT_EQ(made.arrays.size(), serial.arrays.size());
            for (std::size_t array = 0; array < made.arrays.size(); ++array) {
                ASSERT_EQ(made.arrays[array].words, serial.arrays[array].words) << format.name << ' ' << array;
                ASSERT_EQ(made.arrays[array].shape, serial.arrays[array].shape) << format.name << ' ' << array;
                ASSERT_EQ(places_of(made.arrays[array]), places_of(serial.arrays[array]))
                    << format.name << ' ' << array;
            }
            ASSERT_TRUE(made.lost > 0 || make_dense(read_format(made)) == matrix) << format.name << " of matrix " << i;
        }
    }
}

TEST(FormatThreads, give_each_value_its_place) {
    std::mt19937 random(38);
    for (int i = 0; i < 6; ++i) {
        const FormatMatrix matrix = large_matrix(random);
        for (const char* name : {"coo", "csr", "csc", "ell", "bsr", "bitmap", "rle"}) {
            const FormatArrays made = build_format(find_sparse_format(name), matrix);
            const FormatArray& values = made.array(FormatRole::values);
            std::int64_t found = 0;
            for (std::int64_t at = 0; at < values.elements(); ++at) {
                const std::vector<FormatCell> cells = made.cells(values, at);
                if (values.number(at) == 0) continue;
                ASSERT_EQ(cells.size(), 1U) << name << ' ' << at;
                const std::int64_t place = cells.front().row * matrix.cols + cells.front().col;
                ASSERT_EQ(matrix.values[static_cast<std::size_t>(place)], values.number(at)) << name << ' ' << at;
                ++found;
            }
            ASSERT_EQ(found, std::ranges::count_if(matrix.values, [](float value) { return value != 0; })) << name;
        }
    }
}

}  // namespace
}  // namespace convscope
