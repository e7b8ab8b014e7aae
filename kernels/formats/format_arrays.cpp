#include "kernels/formats/format_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/parallel.h"

namespace convscope {

std::int64_t size_of(FormatType type) {
    constexpr std::int64_t bytes[] = {4, 4, 4, 2, 1};
    return bytes[static_cast<std::size_t>(type)];
}

const char* to_string(FormatType type) {
    constexpr const char* names[] = {"float32", "int32", "uint32", "uint16", "uint8"};
    return names[static_cast<std::size_t>(type)];
}

float FormatArray::number(std::int64_t element) const {
    return std::bit_cast<float>(words[static_cast<std::size_t>(element)]);
}

std::int32_t FormatArray::integer(std::int64_t element) const {
    return std::bit_cast<std::int32_t>(words[static_cast<std::size_t>(element)]);
}

std::string FormatArray::text(std::int64_t element) const {
    if (type == FormatType::f32) return fmt::format("{:.4g}", number(element));
    if (role == FormatRole::bits || role == FormatRole::metadata)
        return fmt::format("0x{:x}", words[static_cast<std::size_t>(element)]);
    return std::to_string(integer(element));
}

std::int64_t FormatArrays::bytes() const {
    std::int64_t sum = 0;
    for (const FormatArray& array : arrays) sum += array.bytes();
    return sum;
}

std::int64_t FormatArrays::stored_zeros() const {
    const FormatArray& values = array(FormatRole::values);
    std::int64_t zeros = 0;
    for (std::int64_t i = 0; i < values.elements(); ++i) zeros += values.number(i) == 0;
    return zeros;
}

const FormatArray& FormatArrays::array(FormatRole role, std::size_t level) const {
    for (const FormatArray& array : arrays)
        if (array.role == role && (array.level == level || role == FormatRole::values)) return array;
    throw std::logic_error("a format without this array");
}

std::vector<FormatCell> FormatArrays::cells(const FormatArray& array, std::int64_t element) const {
    const FormatPlace& place = array.places.at(static_cast<std::size_t>(element));
    if (!place.used) return {};
    const bool one = place.row >= 0 && place.col >= 0 && (format->block_h == 1 || place.row_in >= 0) &&
                     (format->block_w == 1 || place.col_in >= 0);
    if (one) {
        const FormatCell cell{place.row * format->block_h + std::max(place.row_in, 0),
                              place.col * format->block_w + std::max(place.col_in, 0)};
        // Blocks reach past the last row and column.
        if (cell.row < rows && cell.col < cols) return {cell};
        return {};
    }
    std::vector<FormatCell> found;
    for (std::int64_t i = place.first; i < place.last; ++i)
        found.push_back({entries[static_cast<std::size_t>(i)].row, entries[static_cast<std::size_t>(i)].col});
    return found;
}

std::int32_t axis_coordinate(const SparseFormat& format, FormatAxis axis, std::int64_t cols, const FormatEntry& entry) {
    const auto block_h = static_cast<std::int32_t>(format.block_h);
    const auto block_w = static_cast<std::int32_t>(format.block_w);
    switch (axis) {
        case FormatAxis::row:
            return entry.row;
        case FormatAxis::col:
            return entry.col;
        case FormatAxis::row_block:
            return entry.row / block_h;
        case FormatAxis::col_block:
            return entry.col / block_w;
        case FormatAxis::row_in_block:
            return entry.row % block_h;
        case FormatAxis::col_in_block:
            return entry.col % block_w;
        case FormatAxis::cell:
            return entry.row * static_cast<std::int32_t>(cols) + entry.col;
    }
    return 0;
}

namespace {

constexpr std::int64_t most_pieces = 64;

std::int64_t piece_begin(std::int64_t all, std::int64_t piece, std::int64_t pieces) {
    return all / pieces * piece + std::min(piece, all % pieces);
}

/// Moves entries to their group, a number from 0 on, without changing their order within one.
template <class GroupOf>
void put_in_groups(std::vector<FormatEntry>& entries, std::int64_t groups, GroupOf group_of) {
    const std::int64_t all = std::ssize(entries), pieces = std::clamp<std::int64_t>(all / groups, 1, most_pieces);
    // Of each piece and group how many there are, then where the next one goes.
    std::vector<std::int64_t> next(static_cast<std::size_t>(pieces * groups));
    const auto each_of = [&](std::int64_t piece, auto take) {
        for (std::int64_t i = piece_begin(all, piece, pieces); i < piece_begin(all, piece + 1, pieces); ++i) {
            const FormatEntry& entry = entries[static_cast<std::size_t>(i)];
            take(next[static_cast<std::size_t>(piece * groups + group_of(entry))], entry);
        }
    };
#pragma omp parallel for if (worth_threads(all))
    for (std::int64_t piece = 0; piece < pieces; ++piece)
        each_of(piece, [](std::int64_t& count, const FormatEntry&) { ++count; });
    std::int64_t before = 0;
    for (std::int64_t group = 0; group < groups; ++group)
        for (std::int64_t piece = 0; piece < pieces; ++piece)
            before += std::exchange(next[static_cast<std::size_t>(piece * groups + group)], before);
    std::vector<FormatEntry> moved(entries.size());
#pragma omp parallel for if (worth_threads(all))
    for (std::int64_t piece = 0; piece < pieces; ++piece)
        each_of(piece, [&](std::int64_t& place, const FormatEntry& entry) {
            moved[static_cast<std::size_t>(place++)] = entry;
        });
    entries.swap(moved);
}

}  // namespace

void sort_by_levels(const SparseFormat& format, std::int64_t cols, std::vector<FormatEntry>& entries) {
    const auto before = [&](const FormatEntry& a, const FormatEntry& b) {
        for (const FormatLevel& level : format.levels) {
            const std::int32_t left = axis_coordinate(format, level.of, cols, a);
            const std::int32_t right = axis_coordinate(format, level.of, cols, b);
            if (left != right) return left < right;
        }
        return false;
    };
    // No two entries are in one place, so there is one order, however it is found. Most formats go row by row, as the
    // entries come; of the others the levels are sorted one after the other, the innermost first.
    const std::int64_t all = std::ssize(entries);
    const auto begin = [&](std::int64_t piece) { return entries.begin() + piece_begin(all, piece, most_pieces); };
    bool sorted = true;
#pragma omp parallel for reduction(&& : sorted) if (worth_threads(all))
    for (std::int64_t piece = 0; piece < most_pieces; ++piece) {
        // With the first entry of the next piece.
        const auto end = begin(piece + 1);
        sorted = sorted && std::is_sorted(begin(piece), end == entries.end() ? end : end + 1, before);
    }
    if (sorted) return;
    for (auto level = format.levels.rbegin(); level != format.levels.rend(); ++level) {
        const auto at = [&](const FormatEntry& entry) { return axis_coordinate(format, level->of, cols, entry); };
        if (std::ranges::is_sorted(entries, {}, at)) continue;
        const std::int64_t groups = 1 + at(*std::ranges::max_element(entries, {}, at));
        if (groups > all) {
            std::ranges::sort(entries, before);
            return;
        }
        put_in_groups(entries, groups, at);
    }
}

SparseMatrix put_in_order(SparseMatrix matrix) {
    const auto place = [](const FormatEntry& entry) { return std::pair{entry.row, entry.col}; };
    std::ranges::stable_sort(matrix.entries, {}, place);
    std::vector<FormatEntry> sums;
    for (const FormatEntry& entry : matrix.entries)
        if (!sums.empty() && place(sums.back()) == place(entry))
            sums.back().value += entry.value;
        else
            sums.push_back(entry);
    std::erase_if(sums, [](const FormatEntry& entry) { return entry.value == 0; });
    matrix.entries = std::move(sums);
    return matrix;
}

SparseMatrix make_sparse(const FormatMatrix& matrix) {
    SparseMatrix made{matrix.rows, matrix.cols, {}};
    // Each piece is counted, then filled from where those before it end.
    const std::int64_t all = matrix.rows * matrix.cols;
    std::array<std::int64_t, most_pieces + 1> starts{};
    const auto begin = [&](std::int64_t piece) { return piece_begin(all, piece, most_pieces); };
#pragma omp parallel for if (worth_threads(all))
    for (std::int64_t i = 0; i < most_pieces; ++i)
        starts[static_cast<std::size_t>(i) + 1] =
            begin(i + 1) - begin(i) -
            std::count(matrix.values.begin() + begin(i), matrix.values.begin() + begin(i + 1), 0.0F);
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    made.entries.resize(static_cast<std::size_t>(starts.back()));
#pragma omp parallel for if (worth_threads(all))
    for (std::int64_t i = 0; i < most_pieces; ++i) {
        auto next = made.entries.begin() + starts[static_cast<std::size_t>(i)];
        for (std::int64_t at = begin(i); at < begin(i + 1); ++at)
            if (const float value = matrix.values[static_cast<std::size_t>(at)]; value != 0)
                *next++ = {static_cast<std::int32_t>(at / matrix.cols), static_cast<std::int32_t>(at % matrix.cols),
                           value};
    }
    return made;
}

FormatMatrix make_dense(const SparseMatrix& matrix) {
    FormatMatrix made{matrix.rows, matrix.cols, {}};
    made.values.resize(static_cast<std::size_t>(matrix.rows * matrix.cols));
    for (const FormatEntry& entry : matrix.entries)
        made.values[static_cast<std::size_t>(entry.row * matrix.cols + entry.col)] = entry.value;
    return made;
}

FormatArrays build_from_entries(const SparseFormat& format, SparseMatrix matrix, bool places) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (matrix.rows < 1 || matrix.cols < 1 || matrix.rows > most / matrix.cols)
        throw Error(ErrorKind::usage,
                    fmt::format("a matrix of {} \u00d7 {} has no format; it has from 1 to {} elements", matrix.rows,
                                matrix.cols, most));
    FormatArrays made;
    made.format = &format;
    made.rows = matrix.rows;
    made.cols = matrix.cols;
    made.entries = std::move(matrix.entries);
    constexpr void (*build[])(FormatArrays&, bool) = {build_levels, build_sell, build_dia, build_two_four};
    build[static_cast<std::size_t>(format.builder)](made, places);
    return made;
}

FormatArrays build_format(const SparseFormat& format, const FormatMatrix& matrix, bool places) {
    return build_from_entries(format, make_sparse(matrix), places);
}

void require_elements(const FormatArray& array, std::int64_t wanted) {
    if (array.elements() != wanted)
        throw BadFormat(fmt::format("'{}' has {} elements, not {}", array.name, array.elements(), wanted));
}

void add_entry(const FormatArrays& from, std::vector<FormatEntry>& entries, std::int64_t row, std::int64_t col,
               float value) {
    if (value == 0) return;
    if (row < 0 || row >= from.rows || col < 0 || col >= from.cols)
        throw BadFormat(fmt::format("a value is of row {}, column {}", row, col));
    entries.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(col), value});
}

SparseMatrix read_format(const FormatArrays& arrays) {
    constexpr std::vector<FormatEntry> (*read[])(const FormatArrays&) = {read_levels, read_sell, read_dia,
                                                                         read_two_four};
    return put_in_order({arrays.rows, arrays.cols, read[static_cast<std::size_t>(arrays.format->builder)](arrays)});
}

}  // namespace convscope
