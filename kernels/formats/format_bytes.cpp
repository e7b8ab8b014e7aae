#include "kernels/formats/format_bytes.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "kernels/core/ceil_div.h"

namespace convscope {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t index_bytes = 4, value_bytes = 4;

/// The bytes of a format of levels. It goes through the matrix in the order of the levels, as their entries are stored.
class LevelBytes {
public:
    LevelBytes(const SparseFormat& format, std::int64_t rows, std::int64_t cols)
        : format_(format), rows_(rows), cols_(cols), counts_(format.levels.size()) {
        bool of_entries = false;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            of_entries = of_entries || !format.levels[i].unique;
            counts_[i].of_entries = of_entries;
        }
    }

    /// Incomplete where it is stopped.
    void count(const NonZeros& matrix, const std::stop_token& stop) { visit(matrix, stop, 0, 0, 0); }
    /// The entries in the order of the levels.
    void count(std::span<const FormatEntry> entries) { visit(0, entries); }

    std::optional<std::int64_t> bytes() const {
        // Positions of a level are the children of those above it.
        std::int64_t positions = 1, bytes = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            const FormatLevel& level = format_.levels[i];
            const Count& count = counts_[i];
            const std::int64_t size = axis_extent(format_, level.of, rows_, cols_);
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
    struct Parent {
        std::int64_t children = 0, next = 0;  ///< and where a run of zeros begins
    };
    struct Count {
        bool of_entries = false;    ///< below a level that is not unique: a child for each entry
        std::int64_t children = 0;  ///< with a non-zero
        std::int64_t fullest = 0;   ///< most children of one parent
        std::int64_t cuts = 0;      ///< zeros that are stored where a run is too long

        /// The child at coordinate i, with non-zeros 'below' it.
        void add(const FormatLevel& level, std::int64_t i, std::int64_t below, Parent& parent) {
            const std::int64_t each = of_entries ? below : 1;
            parent.children += each;
            if (level.kind == LevelKind::run_length) cuts += each * ((i - parent.next) / (level.max_run + 1));
            parent.next = of_entries ? 0 : i + 1;
        }
        void add(const Parent& whole) {
            children += whole.children;
            fullest = std::max(fullest, of_entries ? 1 : whole.children);
        }
    };

    /// Non-zeros below the block, row or element that begins there.
    std::int64_t visit(const NonZeros& matrix, const std::stop_token& stop, std::size_t at, std::int64_t row,
                       std::int64_t col) {
        const FormatLevel& level = format_.levels[at];
        Count& count = counts_[at];
        const bool last = at + 1 == counts_.size(), cells = level.of == FormatAxis::cell;
        const std::int64_t down = level.of == FormatAxis::row || level.of == FormatAxis::row_in_block ? 1
                                  : level.of == FormatAxis::row_block                                 ? format_.block_h
                                                                                                      : 0;
        const std::int64_t across = down > 0 ? 0 : level.of == FormatAxis::col_block ? format_.block_w : 1;
        const std::int64_t size = axis_extent(format_, level.of, rows_, cols_);
        std::int64_t found = 0;
        Parent parent;
        for (std::int64_t i = 0; i < size; ++i, row += down, col += across) {
            // Blocks reach past the last row and column.
            if (row >= rows_ || (col >= cols_ && !cells)) break;
            if (at == 0 && (!last || i % 1024 == 0) && stop.stop_requested()) break;
            const std::int64_t below = last ? matrix.at(row, col) : visit(matrix, stop, at + 1, row, col);
            if (below == 0) continue;
            found += below;
            count.add(level, i, below, parent);
        }
        count.add(parent);
        return found;
    }

    void visit(std::size_t at, std::span<const FormatEntry> entries) {
        const FormatLevel& level = format_.levels[at];
        Count& count = counts_[at];
        Parent parent;
        const auto place = [&](const FormatEntry& entry) { return axis_coordinate(format_, level.of, cols_, entry); };
        while (!entries.empty()) {
            const std::int64_t i = place(entries.front());
            std::size_t below = 1;
            while (below < entries.size() && place(entries[below]) == i) ++below;
            if (at + 1 < counts_.size()) visit(at + 1, entries.first(below));
            count.add(level, i, static_cast<std::int64_t>(below), parent);
            entries = entries.subspan(below);
        }
        count.add(parent);
    }

    const SparseFormat& format_;
    const std::int64_t rows_, cols_;
    std::vector<Count> counts_;
};

/// 'lengths': the non-zeros of each row.
std::optional<std::int64_t> sell_bytes(const SparseFormat& format, std::vector<std::int64_t> lengths) {
    const std::int64_t rows = std::ssize(lengths), slices = ceil_div(rows, format.slice);
    for (std::int64_t first = 0; first < rows; first += format.sort)
        std::sort(lengths.begin() + first, lengths.begin() + std::min(first + format.sort, rows), std::greater<>());
    std::int64_t slots = 0;
    for (std::int64_t first = 0; first < rows; first += format.slice)
        slots += format.slice *
                 *std::max_element(lengths.begin() + first, lengths.begin() + std::min(first + format.slice, rows));
    if (slots > most) return std::nullopt;
    return index_bytes * (rows + slices + 1 + slots) + value_bytes * slots;
}

/// 'diagonals': whether each of the matrix has a non-zero.
std::optional<std::int64_t> dia_bytes(std::int64_t rows, const std::vector<bool>& diagonals) {
    const auto count = static_cast<std::int64_t>(std::ranges::count(diagonals, true));
    if (count > 0 && rows > (most + 1) / count) return std::nullopt;
    return count * (index_bytes + value_bytes * rows);
}

/// 'count_levels' counts for a format of levels, 'each_non_zero' calls what it is given with the place of each.
template <class CountLevels, class EachNonZero>
std::optional<std::int64_t> bytes_of(const SparseFormat& format, std::int64_t rows, std::int64_t cols,
                                     CountLevels count_levels, EachNonZero each_non_zero) {
    switch (format.builder) {
        case FormatBuilder::levels: {
            LevelBytes counted(format, rows, cols);
            count_levels(counted);
            return counted.bytes();
        }
        case FormatBuilder::sell: {
            std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows));
            each_non_zero([&](std::int64_t row, std::int64_t) { ++lengths[static_cast<std::size_t>(row)]; });
            return sell_bytes(format, std::move(lengths));
        }
        case FormatBuilder::dia: {
            std::vector<bool> diagonals(static_cast<std::size_t>(rows + cols));
            each_non_zero([&](std::int64_t row, std::int64_t col) {
                diagonals[static_cast<std::size_t>(rows + col - row)] = true;
            });
            return dia_bytes(rows, diagonals);
        }
        case FormatBuilder::two_four: {
            const std::int64_t groups = ceil_div(cols, std::int64_t{4});
            return rows * (size_of(FormatType::u16) * ceil_div(groups, std::int64_t{4}) + 2 * groups * value_bytes);
        }
    }
    return std::nullopt;
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
    const auto each_non_zero = [&](auto take) {
        for (std::int64_t row = 0; row < matrix.rows() && !stop.stop_requested(); ++row)
            for (std::int64_t col = 0; col < matrix.cols(); ++col)
                if (matrix.at(row, col)) take(row, col);
    };
    const std::optional<std::int64_t> bytes = bytes_of(
        format, matrix.rows(), matrix.cols(), [&](LevelBytes& levels) { levels.count(matrix, stop); }, each_non_zero);
    return stop.stop_requested() ? std::nullopt : bytes;
}

std::optional<std::int64_t> count_bytes(const SparseFormat& format, SparseMatrix matrix) {
    const auto count_levels = [&](LevelBytes& levels) {
        sort_by_levels(format, matrix.cols, matrix.entries);
        levels.count(matrix.entries);
    };
    return bytes_of(format, matrix.rows, matrix.cols, count_levels, [&](auto take) {
        for (const FormatEntry& entry : matrix.entries) take(entry.row, entry.col);
    });
}

std::int64_t count_lost(const SparseFormat& format, const SparseMatrix& matrix) {
    if (format.builder != FormatBuilder::two_four) return 0;
    const auto same_four = [](const FormatEntry& a, const FormatEntry& b) {
        return a.row == b.row && a.col / 4 == b.col / 4;
    };
    std::int64_t lost = 0;
    for (std::size_t first = 0, last = 0; first < matrix.entries.size(); first = last) {
        while (last < matrix.entries.size() && same_four(matrix.entries[first], matrix.entries[last])) ++last;
        lost += std::max<std::int64_t>(static_cast<std::int64_t>(last - first) - 2, 0);
    }
    return lost;
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
