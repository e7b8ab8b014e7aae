#include "kernels/formats/format_bytes.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/formats/format_arrays.h"

namespace convscope {

std::optional<double> break_even_zeros(const SparseFormat& format, std::int64_t rows, std::int64_t cols) {
    const std::int64_t elements = rows * cols;
    std::vector<std::size_t> order(static_cast<std::size_t>(elements));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(1);
    // Fisher-Yates by hand: std::shuffle differs from library to library.
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
    const auto saves = [&](std::int64_t zeros) {
        FormatMatrix matrix{rows, cols, std::vector<float>(order.size(), 1.0F)};
        for (std::int64_t i = 0; i < zeros; ++i) matrix.values[order[static_cast<std::size_t>(i)]] = 0;
        return build_format(format, matrix, false).bytes() < 4 * elements;
    };
    if (!saves(elements)) return std::nullopt;
    std::int64_t low = -1, high = elements;  // saves at high, not at low
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (saves(middle) ? high : low) = middle;
    }
    return static_cast<double>(high) / static_cast<double>(elements);
}

}  // namespace convscope
