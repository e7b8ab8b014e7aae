#include "kernels/formats/format_bytes.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "kernels/core/ceil_div.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t index_bytes = 4, value_bytes = 4;

/// The bytes of a format of levels. It goes through the matrix in the order of the levels, as their entries are stored.
class LevelBytes {
public:
    LevelBytes(const SparseFormat& format, const NonZeros& matrix, const std::stop_token& stop)
        : format_(format), matrix_(matrix), stop_(stop), counts_(format.levels.size()) {
        bool of_entries = false;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            of_entries = of_entries || !format.levels[i].unique;
            counts_[i].of_entries = of_entries;
        }
    }

    std::optional<std::int64_t> bytes() {
        visit(0, 0, 0);
        // Positions of a level are the children of those above it.
        std::int64_t positions = 1, bytes = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            const FormatLevel& level = format_.levels[i];
            const Count& count = counts_[i];
            const std::int64_t size = axis_extent(format_, level.of, matrix_.rows(), matrix_.cols());
            const std::int64_t slots = std::max<std::int64_t>(count.fullest, 1);
            const std::int64_t begins = level.position.empty() ? 0 : index_bytes * (positions + 1);
            switch (level.kind) {
                case LevelKind::dense:
                    if (positions > most / size) return std::nullopt;
                    positions *= size;
                    break;
                case LevelKind::compressed:
                    positions = count.children;
                    bytes += begins + index_bytes * positions;
                    break;
                case LevelKind::singleton:
                    bytes += index_bytes * positions;
                    break;
                case LevelKind::padded:
                    if (positions > most / slots) return std::nullopt;
                    positions *= slots;
                    bytes += index_bytes * positions;
                    break;
                case LevelKind::bitmap: {
                    const std::int64_t words = positions * ceil_div(size, std::int64_t{32});
                    bytes += index_bytes * (words + words + 1);
                    positions = count.children;
                    break;
                }
                case LevelKind::run_length:
                    positions = count.children + count.cuts;
                    bytes += begins + positions;
                    break;
            }
        }
        return bytes + value_bytes * positions;
    }

private:
    struct Count {
        bool of_entries = false;    ///< below a level that is not unique: a child for each entry
        std::int64_t children = 0;  ///< with a non-zero
        std::int64_t fullest = 0;   ///< most children of one parent
        std::int64_t cuts = 0;      ///< zeros that are stored where a run is too long
    };

    /// Non-zeros below the block, row or element that begins there.
    std::int64_t visit(std::size_t at, std::int64_t row, std::int64_t col) {
        const FormatLevel& level = format_.levels[at];
        Count& count = counts_[at];
        const bool last = at + 1 == counts_.size(), cells = level.of == FormatAxis::cell;
        const std::int64_t down = level.of == FormatAxis::row || level.of == FormatAxis::row_in_block ? 1
                                  : level.of == FormatAxis::row_block                                 ? format_.block_h
                                                                                                      : 0;
        const std::int64_t across = down > 0 ? 0 : level.of == FormatAxis::col_block ? format_.block_w : 1;
        const std::int64_t size = axis_extent(format_, level.of, matrix_.rows(), matrix_.cols());
        std::int64_t found = 0, children = 0, next = 0;
        for (std::int64_t i = 0; i < size; ++i, row += down, col += across) {
            // Blocks reach past the last row and column.
            if (row >= matrix_.rows() || (col >= matrix_.cols() && !cells)) break;
            if (at == 0 && (!last || i % 1024 == 0) && stop_.stop_requested()) break;
            const std::int64_t below = last ? matrix_.at(row, col) : visit(at + 1, row, col);
            if (below == 0) continue;
            found += below;
            const std::int64_t each = count.of_entries ? below : 1;
            children += each;
            if (level.kind == LevelKind::run_length) count.cuts += each * ((i - next) / (level.max_run + 1));
            next = count.of_entries ? 0 : i + 1;
        }
        count.children += children;
        count.fullest = std::max(count.fullest, count.of_entries ? 1 : children);
        return found;
    }

    const SparseFormat& format_;
    const NonZeros& matrix_;
    const std::stop_token& stop_;
    std::vector<Count> counts_;
};

std::optional<std::int64_t> sell_bytes(const SparseFormat& format, const NonZeros& matrix,
                                       const std::stop_token& stop) {
    const std::int64_t rows = matrix.rows(), slices = ceil_div(rows, format.slice);
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows));
    for (std::int64_t row = 0; row < rows && !stop.stop_requested(); ++row)
        for (std::int64_t col = 0; col < matrix.cols(); ++col)
            lengths[static_cast<std::size_t>(row)] += matrix.at(row, col);
    for (std::int64_t first = 0; first < rows; first += format.sort)
        std::sort(lengths.begin() + first, lengths.begin() + std::min(first + format.sort, rows), std::greater<>());
    std::int64_t slots = 0;
    for (std::int64_t first = 0; first < rows; first += format.slice)
        slots += format.slice *
                 *std::max_element(lengths.begin() + first, lengths.begin() + std::min(first + format.slice, rows));
    if (slots > most) return std::nullopt;
    return index_bytes * (rows + slices + 1 + slots) + value_bytes * slots;
}

std::optional<std::int64_t> dia_bytes(const NonZeros& matrix, const std::stop_token& stop) {
    std::vector<bool> diagonals(static_cast<std::size_t>(matrix.rows() + matrix.cols()));
    for (std::int64_t row = 0; row < matrix.rows() && !stop.stop_requested(); ++row)
        for (std::int64_t col = 0; col < matrix.cols(); ++col)
            if (matrix.at(row, col)) diagonals[static_cast<std::size_t>(matrix.rows() + col - row)] = true;
    const auto count = static_cast<std::int64_t>(std::ranges::count(diagonals, true));
    if (count > 0 && matrix.rows() > (most + 1) / count) return std::nullopt;
    return count * (index_bytes + value_bytes * matrix.rows());
}

/// Another number for each: the finalizer of MurmurHash3, a bijection that orders elements as if they were drawn.
std::int64_t in_order(std::uint32_t element) {
    std::uint32_t mixed = element ^ 0x9e3779b9U;
    mixed = (mixed ^ mixed >> 16) * 0x85ebca6bU;
    mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35U;
    return mixed ^ mixed >> 16;
}

}  // namespace

void NonZeros::put(std::int64_t row, std::int64_t col, bool non_zero) {
    const std::int64_t at = row * cols_ + col;
    std::uint64_t& word = words_[static_cast<std::size_t>(at / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    word = non_zero ? word | bit : word & ~bit;
}

std::int64_t NonZeros::count() const {
    std::int64_t sum = 0;
    for (const std::uint64_t word : words_) sum += std::popcount(word);
    return sum;
}

std::optional<std::int64_t> count_bytes(const SparseFormat& format, const NonZeros& matrix,
                                        const std::stop_token& stop) {
    std::optional<std::int64_t> bytes;
    switch (format.builder) {
        case FormatBuilder::levels:
            bytes = LevelBytes(format, matrix, stop).bytes();
            break;
        case FormatBuilder::sell:
            bytes = sell_bytes(format, matrix, stop);
            break;
        case FormatBuilder::dia:
            bytes = dia_bytes(matrix, stop);
            break;
        case FormatBuilder::two_four: {
            const std::int64_t groups = ceil_div(matrix.cols(), std::int64_t{4});
            bytes = matrix.rows() *
                    (size_of(FormatType::u16) * ceil_div(groups, std::int64_t{4}) + 2 * groups * value_bytes);
            break;
        }
    }
    return stop.stop_requested() ? std::nullopt : bytes;
}

std::int64_t count_lost(const SparseFormat& format, const NonZeros& matrix, const std::stop_token& stop) {
    if (format.builder != FormatBuilder::two_four) return 0;
    std::int64_t lost = 0;
    for (std::int64_t row = 0; row < matrix.rows() && !stop.stop_requested(); ++row)
        for (std::int64_t first = 0; first < matrix.cols(); first += 4) {
            std::int64_t found = 0;
            for (std::int64_t col = first; col < std::min(first + 4, matrix.cols()); ++col)
                found += matrix.at(row, col);
            lost += std::max<std::int64_t>(found - 2, 0);
        }
    return lost;
}

std::optional<double> break_even_zeros(const SparseFormat& format, std::int64_t rows, std::int64_t cols,
                                       const std::stop_token& stop) {
    const std::int64_t elements = rows * cols;
    constexpr std::int64_t end = std::int64_t{1} << 32;
    // The elements whose number in the order is at least 'limit' are left.
    const auto left = [&](std::int64_t limit) {
        NonZeros matrix(rows, cols);
        std::int64_t at = 0;
        for (std::int64_t row = 0; row < rows && !stop.stop_requested(); ++row)
            for (std::int64_t col = 0; col < cols; ++col, ++at)
                if (in_order(static_cast<std::uint32_t>(at)) >= limit) matrix.put(row, col, true);
        return matrix;
    };
    const auto saves = [&](std::int64_t limit) {
        const std::optional<std::int64_t> bytes = count_bytes(format, left(limit), stop);
        return bytes && *bytes < 4 * elements;
    };
    if (!saves(end)) return std::nullopt;
    const std::int64_t step = elements <= 1 << 16 ? 1 : end / 8192;
    std::int64_t low = -1, high = end;  // saves at high, not at low
    while (high - low > step) {
        const std::int64_t middle = low + (high - low) / 2;
        (saves(middle) ? high : low) = middle;
        if (stop.stop_requested()) return std::nullopt;
    }
    return 1 - static_cast<double>(left(high).count()) / static_cast<double>(elements);
}

}  // namespace convscope
