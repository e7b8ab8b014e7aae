// The formats that levels do not describe: SELL-C-sigma (Kreutzer et al. 2014), DIA and 2:4.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "kernels/core/ceil_div.h"
#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

std::uint32_t word_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

FormatPlace row_place(std::int64_t row) {
    return {.row = static_cast<std::int32_t>(row)};
}

FormatPlace cell_place(std::int64_t row, std::int64_t col) {
    return {.row = static_cast<std::int32_t>(row), .col = static_cast<std::int32_t>(col)};
}

FormatPlace unused(std::int64_t row = -1) {
    FormatPlace place = row_place(row);
    place.used = false;
    return place;
}

/// Takes the arrays in, without places where nobody asked for them.
void keep(FormatArrays& made, bool places, std::initializer_list<FormatArray*> arrays) {
    for (FormatArray* array : arrays) {
        if (!places) array->places.clear();
        made.arrays.push_back(std::move(*array));
    }
}

/// The entries of each row are [begins[row], begins[row + 1]); they lie row by row.
std::vector<std::int64_t> row_begins(const FormatArrays& made) {
    std::vector<std::int64_t> begins(static_cast<std::size_t>(made.rows) + 1);
    for (const FormatEntry& entry : made.entries) ++begins[static_cast<std::size_t>(entry.row) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    return begins;
}

constexpr std::uint32_t no_column = 0xffffffffU;

}  // namespace

void build_sell(FormatArrays& made, bool places) {
    const std::int64_t C = made.format->slice, sigma = made.format->sort;
    const std::vector<std::int64_t> begins = row_begins(made);
    const auto length = [&](std::int64_t row) {
        return begins[static_cast<std::size_t>(row) + 1] - begins[static_cast<std::size_t>(row)];
    };
    std::vector<std::int64_t> order(static_cast<std::size_t>(made.rows));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::int64_t first = 0; first < made.rows; first += sigma)
        std::stable_sort(order.begin() + first, order.begin() + std::min(first + sigma, made.rows),
                         [&](std::int64_t a, std::int64_t b) { return length(a) > length(b); });

    // The entries in the order of their rows' places: those of a slice lie next to each other.
    std::vector<FormatEntry> sorted;
    std::vector<std::int64_t> from{0};  // by place: where its row's entries begin in 'sorted'
    for (const std::int64_t row : order) {
        sorted.insert(sorted.end(), made.entries.begin() + begins[static_cast<std::size_t>(row)],
                      made.entries.begin() + begins[static_cast<std::size_t>(row) + 1]);
        from.push_back(static_cast<std::int64_t>(sorted.size()));
    }
    made.entries = std::move(sorted);

    const std::int64_t slices = ceil_div(made.rows, C);
    FormatArray permutation{"permutation", FormatRole::permutation, 0, FormatType::i32, {made.rows}, {}, {}};
    FormatArray starts{"slice_start", FormatRole::slice_start, 0, FormatType::i32, {slices + 1}, {}, {}};
    FormatArray columns{"col_idx", FormatRole::index, 0, FormatType::i32, {}, {}, {}};
    FormatArray values{made.format->values, FormatRole::values, 0, FormatType::f32, {}, {}, {}};
    for (std::size_t at = 0; at < order.size(); ++at) {
        permutation.words.push_back(static_cast<std::uint32_t>(order[at]));
        FormatPlace place = row_place(order[at]);
        place.first = from[at];
        place.last = from[at + 1];
        permutation.places.push_back(place);
    }
    std::size_t slots = 0;
    for (std::int64_t slice = 0; slice < slices; ++slice) {
        std::int64_t width = 0;
        for (std::int64_t at = slice * C; at < std::min((slice + 1) * C, made.rows); ++at)
            width = std::max(width, length(order[static_cast<std::size_t>(at)]));
        starts.words.push_back(static_cast<std::uint32_t>(slots));
        starts.places.push_back({.first = from[static_cast<std::size_t>(slice * C)],
                                 .last = from[static_cast<std::size_t>(std::min((slice + 1) * C, made.rows))]});
        slots += static_cast<std::size_t>(width * C);
    }
    starts.words.push_back(static_cast<std::uint32_t>(slots));
    starts.places.push_back(unused());
    columns.words.resize(slots);
    values.words.resize(slots);
    if (places) values.places.resize(slots);
#pragma omp parallel for schedule(dynamic, 64) if (worth_threads(values.elements()))
    for (std::int64_t slice = 0; slice < slices; ++slice) {
        const std::size_t first = starts.words[static_cast<std::size_t>(slice)],
                          last = starts.words[static_cast<std::size_t>(slice) + 1];
        for (std::size_t i = first; i < last; ++i) {
            const std::int64_t slot = static_cast<std::int64_t>(i - first) / C,
                               at = slice * C + static_cast<std::int64_t>(i - first) % C,
                               row = at < made.rows ? order[static_cast<std::size_t>(at)] : -1;
            const bool used = row >= 0 && slot < length(row);
            const FormatEntry entry =
                used ? made.entries[static_cast<std::size_t>(from[static_cast<std::size_t>(at)] + slot)]
                     : FormatEntry();
            columns.words[i] = used ? static_cast<std::uint32_t>(entry.col) : no_column;
            values.words[i] = word_of(entry.value);
            if (places) values.places[i] = used ? cell_place(row, entry.col) : unused(row);
        }
    }
    if (places) columns.places = values.places;
    columns.shape = values.shape = {values.elements()};
    keep(made, places, {&permutation, &starts, &columns, &values});
}

std::vector<FormatEntry> read_sell(const FormatArrays& from) {
    const std::int64_t C = from.format->slice;
    const FormatArray &permutation = from.array(FormatRole::permutation), &starts = from.array(FormatRole::slice_start),
                      &columns = from.array(FormatRole::index), &values = from.array(FormatRole::values);
    require_elements(permutation, from.rows);
    std::vector<bool> found(permutation.words.size());
    for (std::int64_t at = 0; at < from.rows; ++at) {
        const std::int64_t row = permutation.integer(at);
        if (row < 0 || row >= from.rows || found[static_cast<std::size_t>(row)])
            throw BadFormat(
                fmt::format("'{}' has {}, a row that is not there or stands in two places", permutation.name, row));
        found[static_cast<std::size_t>(row)] = true;
    }
    require_elements(columns, values.elements());
    require_elements(starts, ceil_div(from.rows, C) + 1);
    std::vector<FormatEntry> entries;
    for (std::int64_t slice = 0, at = 0; slice + 1 < starts.elements(); ++slice) {
        const std::int64_t first = starts.integer(slice), last = starts.integer(slice + 1);
        if (first != at || last < first || (last - first) % C != 0 || last > values.elements())
            throw BadFormat(fmt::format("'{}' goes from {} to {} in slices of {} rows", starts.name, first, last, C));
        for (; at < last; ++at) {
            if (columns.integer(at) == -1) continue;
            const std::int64_t place = slice * C + (at - first) % C;
            add_entry(from, entries, place < from.rows ? permutation.integer(place) : from.rows, columns.integer(at),
                      values.number(at));
        }
    }
    if (starts.integer(starts.elements() - 1) != values.elements())
        throw BadFormat(fmt::format("'{}' ends at {}, not at {}", starts.name, starts.integer(starts.elements() - 1),
                                    values.elements()));
    return entries;
}

void build_dia(FormatArrays& made, bool places) {
    std::map<std::int64_t, std::int64_t> diagonals;  // offset; where it is stored
    for (const FormatEntry& entry : made.entries) diagonals[entry.col - entry.row] = 0;
    const auto count = static_cast<std::int64_t>(diagonals.size());
    FormatArray offsets{"offsets", FormatRole::diagonal, 0, FormatType::i32, {count}, {}, {}};
    FormatArray values{made.format->values, FormatRole::values, 0, FormatType::f32, {count, made.rows}, {}, {}};
    for (auto& [offset, stored] : diagonals) {
        stored = offsets.elements();
        offsets.words.push_back(static_cast<std::uint32_t>(offset));
        offsets.places.push_back({});
    }
    // By diagonal: the entries of one lie next to each other.
    std::ranges::stable_sort(made.entries, {}, [](const FormatEntry& entry) { return entry.col - entry.row; });
    if (count > 0 && made.rows > (std::int64_t{1} << 31) / count)
        throw Error(ErrorKind::usage, fmt::format("{} of {} \u00d7 {} takes more elements than a 31-bit index counts",
                                                  made.format->title, made.rows, made.cols));
    values.words.resize(static_cast<std::size_t>(count * made.rows), word_of(0));
    for (std::size_t i = 0; i < made.entries.size(); ++i) {
        const FormatEntry& entry = made.entries[i];
        const std::int64_t stored = diagonals[entry.col - entry.row];
        values.words[static_cast<std::size_t>(stored * made.rows + entry.row)] = word_of(entry.value);
        FormatPlace& place = offsets.places[static_cast<std::size_t>(stored)];
        if (place.last == 0) place.first = static_cast<std::int64_t>(i);
        place.last = static_cast<std::int64_t>(i) + 1;
    }
    if (places)
        for (const auto& [offset, stored] : diagonals)
            for (std::int64_t row = 0; row < made.rows; ++row) {
                const bool inside = row + offset >= 0 && row + offset < made.cols;
                values.places.push_back(inside ? cell_place(row, row + offset) : unused(row));
            }
    keep(made, places, {&offsets, &values});
}

std::vector<FormatEntry> read_dia(const FormatArrays& from) {
    const FormatArray &offsets = from.array(FormatRole::diagonal), &values = from.array(FormatRole::values);
    require_elements(values, offsets.elements() * from.rows);
    std::vector<FormatEntry> entries;
    for (std::int64_t at = 0; at < values.elements(); ++at) {
        const std::int64_t row = at % from.rows, col = row + offsets.integer(at / from.rows);
        // Where a diagonal has left the matrix, its slots are unused.
        if (col >= 0 && col < from.cols) add_entry(from, entries, row, col, values.number(at));
    }
    return entries;
}

/// A metadata word of 16 bits has the places in four groups of four columns: two bits for each of two values, the lower
/// place first, as sparse tensor cores read them.
void build_two_four(FormatArrays& made, bool places) {
    const std::int64_t groups = ceil_div(made.cols, std::int64_t{4}), words = ceil_div(groups, std::int64_t{4});
    FormatArray metadata{"metadata", FormatRole::metadata, 0, FormatType::u16, {made.rows, words}, {}, {}};
    FormatArray values{made.format->values, FormatRole::values, 0, FormatType::f32, {made.rows, 2 * groups}, {}, {}};
    metadata.words.resize(static_cast<std::size_t>(made.rows * words));
    values.words.resize(static_cast<std::size_t>(made.rows * 2 * groups));
    if (places) metadata.places.resize(metadata.words.size());
    if (places) values.places.resize(values.words.size());
    const std::vector<std::int64_t> begins = row_begins(made);
    std::int64_t lost = 0;
#pragma omp parallel for reduction(+ : lost) if (worth_threads(values.elements()))
    for (std::int64_t row = 0; row < made.rows; ++row) {
        auto next = static_cast<std::size_t>(begins[static_cast<std::size_t>(row)]);
        for (std::int64_t group = 0; group < groups; ++group) {
            std::array<float, 4> four{};
            const std::size_t first = next;
            for (; next < made.entries.size() && made.entries[next].row == row && made.entries[next].col / 4 == group;
                 ++next)
                four[static_cast<std::size_t>(made.entries[next].col % 4)] = made.entries[next].value;
            // The two that are largest; of equals, the one further left.
            std::array<std::uint32_t, 4> order{0, 1, 2, 3};
            std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t at) {
                return std::isnan(four[at]) ? INFINITY : std::abs(four[at]);
            });
            const auto [low, high] = std::minmax(order[0], order[1]);
            lost += std::max<std::int64_t>(static_cast<std::int64_t>(next - first) - 2, 0);
            std::uint32_t& word = metadata.words[static_cast<std::size_t>(row * words + group / 4)];
            word |= (low | high << 2) << (4 * (group % 4));
            for (const std::uint32_t at : {low, high}) {
                const auto value = static_cast<std::size_t>(2 * (row * groups + group) + (at == low ? 0 : 1));
                const std::int64_t col = 4 * group + at;
                values.words[value] = word_of(four[at]);
                if (places) values.places[value] = col < made.cols ? cell_place(row, col) : unused(row);
            }
        }
        // Each word's place: its 16 columns.
        for (std::int64_t word = 0; places && word < words; ++word) {
            FormatPlace place = row_place(row);
            const auto before = [&](std::int64_t col) {
                return std::ranges::lower_bound(made.entries, std::pair{row, col}, {},
                                                [](const FormatEntry& entry) {
                                                    return std::pair<std::int64_t, std::int64_t>{entry.row, entry.col};
                                                }) -
                       made.entries.begin();
            };
            place.first = before(16 * word);
            place.last = before(16 * (word + 1));
            metadata.places[static_cast<std::size_t>(row * words + word)] = place;
        }
    }
    made.lost = lost;
    keep(made, places, {&metadata, &values});
}

std::int64_t place_in_four(const FormatArrays& from, std::int64_t value) {
    const std::int64_t groups = ceil_div(from.cols, std::int64_t{4}), words = ceil_div(groups, std::int64_t{4});
    const std::int64_t row = value / (2 * groups), group = value % (2 * groups) / 2;
    const std::uint32_t word =
        from.array(FormatRole::metadata).words[static_cast<std::size_t>(row * words + group / 4)];
    return word >> (4 * (group % 4) + 2 * (value % 2)) & 3U;
}

std::vector<FormatEntry> read_two_four(const FormatArrays& from) {
    const FormatArray &metadata = from.array(FormatRole::metadata), &values = from.array(FormatRole::values);
    const std::int64_t groups = ceil_div(from.cols, std::int64_t{4}), words = ceil_div(groups, std::int64_t{4});
    require_elements(metadata, from.rows * words);
    require_elements(values, from.rows * 2 * groups);
    std::vector<FormatEntry> entries;
    for (std::int64_t at = 0; at < values.elements(); ++at) {
        const std::int64_t row = at / (2 * groups), group = at % (2 * groups) / 2;
        add_entry(from, entries, row, 4 * group + place_in_four(from, at), values.number(at));
    }
    return entries;
}

}  // namespace convscope
