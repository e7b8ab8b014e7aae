// How long the sparse formats of one matrix take to build, on one thread and on all: format_building [ROWS COLUMNS].
#include <fmt/format.h>
#include <omp.h>

#include <chrono>
#include <cstdlib>
#include <random>

#include "kernels/formats/format_arrays.h"

namespace {

double seconds_of(const convscope::SparseFormat& format, const convscope::FormatMatrix& matrix, int threads) {
    omp_set_num_threads(threads);
    const auto begin = std::chrono::steady_clock::now();
    const convscope::FormatArrays made = convscope::build_format(format, matrix, false);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int count, char** words) {
    using namespace convscope;
    FormatMatrix matrix{count > 2 ? std::atoll(words[1]) : 3'000, count > 2 ? std::atoll(words[2]) : 4'000, {}};
    std::mt19937 random(1);
    for (std::int64_t i = 0; i < matrix.rows * matrix.cols; ++i)
        matrix.values.push_back(random() % 2 == 0 ? 0.0F : static_cast<float>(1 + random() % 1000));
    const int all = omp_get_max_threads();
    fmt::print("{} x {}, half of it zeros\n{:<8} {:>10} {:>10} {:>6}\n", matrix.rows, matrix.cols, "format", "1 thread",
               fmt::format("{} threads", all), "ratio");
    for (const SparseFormat& format : all_sparse_formats()) {
        // Nearly every diagonal has a non-zero, and each is as long as the matrix is high.
        if (format.builder == FormatBuilder::dia) continue;
        const double one = seconds_of(format, matrix, 1), many = seconds_of(format, matrix, all);
        fmt::print("{:<8} {:>8.2f} s {:>8.2f} s {:>6.2f}\n", format.name, one, many, one / many);
    }
    return 0;
}
