// Describes an element of a format's array in a sentence.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/core/ceil_div.h"
#include "kernels/core/format_units.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {
namespace {

bool blocked(const FormatArrays& of) {
    return std::ranges::any_of(of.format->levels,
                               [](const FormatLevel& level) { return level.of == FormatAxis::row_in_block; });
}

/// "row 3, column 1"; "row block 1"; "row 2, column 3" of a value in a block. Empty where nothing is known.
std::string where(const FormatArrays& of, const FormatPlace& place) {
    const bool whole = place.row_in >= 0 && place.col_in >= 0;
    const auto name = [&](const char* axis, std::int32_t at, std::int32_t in, std::int64_t size) {
        if (at < 0) return std::string();
        return blocked(of) && !whole ? fmt::format("{} block {}", axis, at)
                                     : fmt::format("{} {}", axis, at * size + std::max(in, 0));
    };
    const std::string row = name("row", place.row, place.row_in, of.format->block_h);
    const std::string col = name("column", place.col, place.col_in, of.format->block_w);
    return row + (row.empty() || col.empty() ? "" : ", ") + col;
}

const char* noun(const FormatArrays& of, std::size_t level) {
    const FormatAxis axis = of.format->levels.at(level).of;
    return axis == FormatAxis::row_block || axis == FormatAxis::col_block ? "block" : "entry";
}

std::string plural(const char* noun) {
    return noun == std::string("entry") ? "entries" : "blocks";
}

/// Rows are one axis of the level, columns the other; of blocks, "column block".
std::string axis_name(FormatAxis axis) {
    const bool row = axis == FormatAxis::row || axis == FormatAxis::row_block;
    const bool block = axis == FormatAxis::row_block || axis == FormatAxis::col_block;
    return std::string(row ? "row" : "column") + (block ? " block" : "");
}

std::string position(const FormatArrays& of, const FormatArray& array, std::int64_t element) {
    const char* entry = noun(of, array.level);
    const FormatPlace& place = array.places[static_cast<std::size_t>(element)];
    const std::int32_t at = array.integer(element);
    if (element + 1 == array.elements())
        return fmt::format("the end, {} {} in all", at, at == 1 ? entry : plural(entry));
    const std::string parent = where(of, place), end = element_name(array, element + 1);
    if (array.integer(element + 1) == at) return fmt::format("{} is empty, as {} is {}, too", parent, end, at);
    return fmt::format("{} begins at {} {} and ends before {} = {}", parent, entry, at, end,
                       array.integer(element + 1));
}

std::string index(const FormatArrays& of, const FormatArray& array, std::int64_t element) {
    const FormatPlace& place = array.places[static_cast<std::size_t>(element)];
    if (!place.used)
        return place.row >= 0 ? fmt::format("an unused slot of {}", where(of, {.row = place.row})) : "an unused slot";
    if (of.format->builder != FormatBuilder::levels)
        return fmt::format("entry {} is in column {}, of row {}", element, array.integer(element), place.row);
    const FormatLevel& level = of.format->levels[array.level];
    FormatPlace parent = place;
    const bool row = level.of == FormatAxis::row || level.of == FormatAxis::row_block;
    (row ? parent.row : parent.col) = -1;
    const std::string above = where(of, parent);
    return fmt::format("{} {} is in {} {}{}", noun(of, array.level), element, axis_name(level.of),
                       array.integer(element), above.empty() ? "" : ", of " + above);
}

std::string bits(const FormatArrays& of, const FormatArray& array, std::int64_t element) {
    const FormatAxis axis = of.format->levels[array.level].of;
    const std::int64_t words = array.shape.back(), first = element % words * 32;
    std::vector<std::int64_t> set;
    for (int bit = 0; bit < 32; ++bit)
        if (array.words[static_cast<std::size_t>(element)] >> bit & 1U) set.push_back(first + bit);
    const std::string parent = where(of, array.places[static_cast<std::size_t>(element)]);
    const std::string of_parent = parent.empty() ? "" : parent + ": ";
    const std::string name = axis == FormatAxis::cell ? "element" : axis_name(axis);
    if (set.empty()) return fmt::format("{}no non-zero in the 32 from {} {} on", of_parent, name, first);
    return fmt::format("{}bits of {}{} {}", of_parent, name, set.size() == 1 ? "" : "s", fmt::join(set, ", "));
}

std::string offsets(const FormatArrays& of, const FormatArray& array, std::int64_t element) {
    if (element + 1 == array.elements()) return fmt::format("{} bits are set in all", array.integer(element));
    const std::string parent = where(of, array.places[static_cast<std::size_t>(element)]);
    return fmt::format("{} bits are set before word {}{}", array.integer(element), element,
                       parent.empty() ? "" : ", the entries of " + parent + " begin there");
}

std::string value(const FormatArrays& of, const FormatArray& array, std::int64_t element) {
    const FormatPlace& place = array.places[static_cast<std::size_t>(element)];
    if (!place.used) return place.row >= 0 ? fmt::format("an unused slot of row {}", place.row) : "an unused slot";
    if (of.cells(array, element).empty()) return "fills a block beyond the matrix";
    const std::string at = where(of, place);
    if (array.number(element) != 0) return at;
    const auto& levels = of.format->levels;
    if (of.format->builder == FormatBuilder::two_four)
        return at + ", a zero that fills a group of four with fewer than two non-zeros";
    if (!levels.empty() && levels.back().kind == LevelKind::run_length)
        return fmt::format("{}, a zero that is stored where a run is longer than {}", at, levels.back().max_run);
    return at + ", a zero that is stored";
}

std::string metadata(const FormatArrays& of, const FormatArray& array, std::int64_t element) {
    const std::int64_t words = array.shape.back(), row = element / words, group = element % words * 4;
    const std::uint32_t word = array.words[static_cast<std::size_t>(element)];
    std::string text = fmt::format("row {}", row);
    // Groups beyond the last column are zeros in the word; no two places are both 0.
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t pair = word >> (4 * i) & 15U;
        if (pair == 0) continue;
        const std::int64_t col = 4 * (group + i);
        text += fmt::format("{} places {} and {} of columns {} to {}{}", i == 0 ? ":" : ",", pair & 3U, pair >> 2, col,
                            col + 3, col + 3 < of.cols ? "" : fmt::format(", {} of them in the matrix", of.cols - col));
    }
    return text;
}

std::string sentence(const FormatArrays& of, const FormatArray& array, std::int64_t element) {
    const std::int32_t at = array.integer(element);
    switch (array.role) {
        case FormatRole::position:
            return position(of, array, element);
        case FormatRole::index:
            return index(of, array, element);
        case FormatRole::bits:
            return bits(of, array, element);
        case FormatRole::offsets:
            return offsets(of, array, element);
        case FormatRole::runs: {
            const FormatPlace& place = array.places[static_cast<std::size_t>(element)];
            return fmt::format("{} {} before {}", at, at == 1 ? "zero" : "zeros", where(of, place));
        }
        case FormatRole::values:
            return value(of, array, element);
        case FormatRole::permutation:
            return fmt::format("row {} stands in place {}", at, element);
        case FormatRole::slice_start:
            if (element + 1 == array.elements()) return fmt::format("the end, {} slots in all", at);
            return fmt::format("slice {}, places {} to {}, begins at slot {}", element, element * of.format->slice,
                               std::min((element + 1) * of.format->slice, of.rows) - 1, at);
        case FormatRole::diagonal:
            if (at == 0) return "the main diagonal, columns equal to rows";
            return fmt::format("the diagonal {} {} the main one", std::abs(at), at < 0 ? "below" : "above");
        case FormatRole::metadata:
            return metadata(of, array, element);
    }
    return {};
}

/// Where a format's stored zeros are. Below a level that keeps only what has a non-zero there are none of the levels
/// above.
std::vector<std::string> zeros_come_from(const SparseFormat& format) {
    switch (format.builder) {
        case FormatBuilder::levels:
            break;
        case FormatBuilder::sell:
            return {"in unused slots"};
        case FormatBuilder::dia:
            return {"in diagonals, which are stored whole and go on beyond the matrix"};
        case FormatBuilder::two_four:
            return {"in groups of four with fewer than two non-zeros"};
    }
    std::vector<std::string> from;
    bool whole = false;
    for (auto level = format.levels.rbegin(); level != format.levels.rend(); ++level) {
        if (level->kind == LevelKind::dense) {
            // A dense level above slots stores no zeros of its own.
            whole = whole || from.empty();
        } else if (level->kind == LevelKind::padded) {
            from.emplace_back("in unused slots");
        } else {
            if (level->kind == LevelKind::run_length)
                from.push_back(fmt::format("where a run is longer than {}", level->max_run));
            break;
        }
    }
    const bool blocks = format.block_h > 1 || format.block_w > 1;
    if (whole) from.insert(from.begin(), blocks ? "in blocks, which are stored whole" : "in what is stored whole");
    return from;
}

/// "5 columns count as 8, in groups of four"; and what else the arrays round up.
std::vector<std::string> rounded_up(const FormatArrays& of) {
    const SparseFormat& format = *of.format;
    std::vector<std::string> rounded;
    const auto round = [&](const char* what, std::int64_t size, std::int64_t step, const std::string& in) {
        if (size % step != 0)
            rounded.push_back(fmt::format("{} {} count as {}, in {}", size, what, ceil_div(size, step) * step, in));
    };
    if (format.builder == FormatBuilder::two_four) {
        round("columns", of.cols, 4, "groups of four");
        const std::int64_t bits = 4 * ceil_div(of.cols, std::int64_t{4});
        round("bits of metadata for each row", bits, 16, "words of 16");
    } else if (format.builder == FormatBuilder::sell) {
        round("rows", of.rows, format.slice, fmt::format("slices of {}", format.slice));
    }
    if (format.block_h > 1) round("rows", of.rows, format.block_h, fmt::format("blocks of {}", format.block_h));
    if (format.block_w > 1) round("columns", of.cols, format.block_w, fmt::format("blocks of {}", format.block_w));
    for (const FormatLevel& level : format.levels)
        if (level.kind == LevelKind::bitmap)
            round("bits", axis_extent(format, level.of, of.rows, of.cols), 32, "words of 32");
    return rounded;
}

}  // namespace

std::string element_name(const FormatArray& array, std::int64_t element) {
    std::vector<std::int64_t> index(array.shape.size());
    for (std::size_t i = index.size(); i-- > 0; element /= array.shape[i]) index[i] = element % array.shape[i];
    return fmt::format("{}[{}]", array.name, fmt::join(index, ", "));
}

std::vector<std::string> kept_sentences(const std::vector<KeptValue>& values, float value) {
    std::string kept, not_kept;
    for (const KeptValue& each : values) {
        std::string& list = each.element ? kept : not_kept;
        list += (list.empty() ? "" : ", ") + each.in->format->title;
        if (each.element) list += ' ' + element_name(each.in->arrays.back(), *each.element);
    }
    std::vector<std::string> sentences;
    if (!kept.empty()) sentences.push_back((value == 0 ? "stored in " : "kept in ") + kept);
    if (!not_kept.empty()) sentences.push_back((value == 0 ? "not stored in " : "lost in ") + not_kept);
    return sentences;
}

std::string format_sentence(const FormatArrays& of, const FormatArray& array, std::int64_t element) {
    return fmt::format("{} = {}: {}", element_name(array, element), array.text(element), sentence(of, array, element));
}

std::string place_sentence(const FormatArrays& of, std::int64_t value) {
    const FormatArray &metadata = of.array(FormatRole::metadata), &values = of.array(FormatRole::values);
    const std::int64_t slots = values.shape.back(), row = value / slots, group = value % slots / 2;
    const std::int64_t place = place_in_four(of, value), bit = 4 * (group % 4) + 2 * (value % 2);
    const std::string bits =
        fmt::format("{}, bits {} and {} = {}: {} is", element_name(metadata, row * metadata.shape.back() + group / 4),
                    bit, bit + 1, place, element_name(values, value));
    if (4 * group + place >= of.cols) return bits + " an unused slot, beyond the last column";
    const std::string zero =
        values.number(value) == 0 ? ", a zero that fills the group: fewer than two of it are not zero" : "";
    return fmt::format("{} of column {}, place {} of columns {} to {}{}", bits, 4 * group + place, place, 4 * group,
                       std::min(4 * group + 3, of.cols - 1), zero);
}

std::string stored_zeros_sentence(const FormatArrays& of, const std::string& here) {
    const std::int64_t zeros = of.stored_zeros();
    if (zeros == 0) return {};
    const FormatArray& values = of.array(FormatRole::values);
    return fmt::format("Zeros stored{}: {} of {} values, {} of {} bytes, {}.", here, zeros, values.elements(),
                       zeros * size_of(values.type), of.bytes(), fmt::join(zeros_come_from(*of.format), " and "));
}

std::string loss_sentence(const SparseFormat& format, std::int64_t lost, std::int64_t non_zeros,
                          const std::string& here) {
    if (lost == 0) return {};
    return fmt::format(
        "{} loses {} of {} non-zeros{}: in each row, of each four neighbouring columns, the two of largest magnitude "
        "stay.",
        format.title, lost, non_zeros, here);
}

std::string loss_sentence(const FormatArrays& of, const std::string& here) {
    return loss_sentence(*of.format, of.lost, std::ssize(of.entries), here);
}

std::string bytes_sentence(const FormatArrays& of) {
    std::vector<std::string> arrays, rounded = rounded_up(of);
    for (const FormatArray& array : of.arrays)
        arrays.push_back(fmt::format("{} {}", array.name, format_count(array.bytes())));
    return fmt::format("{} = {} B{}{}", fmt::join(arrays, " + "), format_count(of.bytes()), rounded.empty() ? "" : "; ",
                       fmt::join(rounded, ", "));
}

std::string format_meaning(const FormatArrays& of, const FormatArray& array) {
    const auto axis = [&] { return axis_name(of.format->levels.at(array.level).of); };
    switch (array.role) {
        case FormatRole::position:
            return fmt::format("where the {} below each position of the level above begin, and the end of all",
                               plural(noun(of, array.level)));
        case FormatRole::index:
            return of.format->builder == FormatBuilder::levels
                       ? fmt::format("the {} of each {}; -1 in an unused slot", axis(), noun(of, array.level))
                       : "the column of each entry; -1 in an unused slot";
        case FormatRole::bits:
            return "a bit for each element, 32 to a word, the lowest bit first";
        case FormatRole::offsets:
            return "bits that are set before each word, and in all";
        case FormatRole::runs:
            return "zeros between each entry and the one before it";
        case FormatRole::values:
            return "the values, zeros where a slot is unused or a block is stored whole";
        case FormatRole::permutation:
            return "the row that stands in each place after sorting";
        case FormatRole::slice_start:
            return "the slot at which each slice begins, and the end of all";
        case FormatRole::diagonal:
            return "column minus row of each diagonal";
        case FormatRole::metadata:
            return "two bits for the place of each value in its four columns, 16 bits to a word, the lowest first";
    }
    return {};
}

}  // namespace convscope
