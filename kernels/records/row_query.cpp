#include "kernels/records/row_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/method/former_names.h"
#include "kernels/records/cell.h"
#include "kernels/records/pad_cell.h"

namespace convscope {
namespace {

bool contains(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return lower_case(a) == lower_case(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end() || part.empty();
}

/// Keeps the rows whose text is wanted: the question is put to each distinct text once.
template <class Wanted>
void keep_texts(const TextColumn& column, RowSet& rows, Wanted&& wanted) {
    std::vector<bool> keep(column.pool().size());
    for (std::uint32_t code = 0; code < column.pool().size(); ++code) keep[code] = wanted(column.pool()[code]);
    column.codes().with([&](const auto& codes) {
        for (std::size_t row = 0; row < codes.size(); ++row)
            if (!keep[codes[row]]) rows.erase(row);
    });
}

bool has_text(const RowCondition& condition, std::string_view text) {
    return (condition.any_of.empty() || condition.any_of.contains(std::string(text))) &&
           contains(text, condition.contains);
}

void keep(const RecordTable& table, const RowCondition& condition, RowSet& rows) {
    if (table.is_text(condition.column)) {
        keep_texts(table.text(condition.column), rows,
                   [&](std::string_view text) { return has_text(condition, text); });
        return;
    }
    const bool by_text = !condition.any_of.empty() || !condition.contains.empty();
    table.numbers(condition.column).each([&](std::size_t row, double value) {
        if (!rows[row]) return;
        const bool out =
            (condition.low && !(value >= *condition.low)) || (condition.high && !(value <= *condition.high));
        if (out || (by_text && !has_text(condition, table.cell(row, condition.column)))) rows.erase(row);
    });
}

/// A number of that column: of a share, which records keep from 0 to 1 and readers see in percent, either.
double read_number(std::size_t column, const std::string& text, const std::string& word) {
    const std::string& name = table_columns()[column].name;
    const bool share = name.find("sparsity_") != std::string::npos, percent = text.ends_with('%');
    std::string digits = text.substr(0, text.size() - (percent ? 1 : 0));
    // As text: a hundredth of 33.3 is not 0.333 to the bit.
    if (share && percent && digits.find_first_of("eE") == std::string::npos) digits += "e-2";
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || stop != digits.data() + digits.size() ||
        (percent && !share && !name.ends_with("_pct")) || (percent && digits.size() == text.size() - 1 && share))
        throw Error(ErrorKind::usage, fmt::format("'{}' in '{}' is not a number", text, word));
    if (share && value > 1)
        throw Error(ErrorKind::usage,
                    fmt::format("'{}' in '{}' is not a share; accepted are 0 to 1 and 0% to 100%", text, word));
    return value;
}

/// The cell of a column of numbers that a user means: of padding also that of both sides, "0+1".
std::string read_cell(std::size_t column, const std::string& text, const std::string& word) {
    const std::string near(pad_extra_of(column) ? cell::near_side(text) : text);
    std::string number = cell::print(read_number(column, near, word));
    if (near.size() == text.size()) return number;
    const std::string far = cell::print(read_number(column, text.substr(near.size() + 1), word));
    return near == far ? number : fmt::format("{}+{}", number, far);
}

RowCondition parse_condition(const std::string& word, std::size_t at) {
    const std::string name = word.substr(0, at);
    // The table's head, and every axis, call it so.
    const std::optional<std::size_t> column = find_table_column(name == "zeros" ? "sparsity_target" : name);
    if (!column)
        throw Error(ErrorKind::usage, fmt::format("'{}' is not a column; the table's head has their names", name));
    const bool text = table_columns()[*column].kind == CellKind::text;
    const std::string value = word.substr(at + 1);
    RowCondition condition;
    condition.column = *column;
    if (word[at] != '=' && text)
        throw Error(ErrorKind::usage, fmt::format("'{}' holds text; write {}=VALUE", name, name));
    if (word[at] == '<') {
        condition.high = std::nextafter(read_number(*column, value, word), -INFINITY);
    } else if (word[at] == '>') {
        condition.low = std::nextafter(read_number(*column, value, word), INFINITY);
    } else if (const std::size_t colon = value.find(':'); !text && colon != std::string::npos) {
        condition.low = read_number(*column, value.substr(0, colon), word);
        condition.high = read_number(*column, value.substr(colon + 1), word);
    } else {
        std::istringstream parts(value);
        for (std::string part; std::getline(parts, part, ',');)
            condition.any_of.insert(!text                ? read_cell(*column, part, word)
                                    : name == "tunables" ? current_tunables(part)
                                                         : part);
        if (condition.any_of.empty()) condition.any_of.insert("");
    }
    return condition;
}

}  // namespace

RowSet rows_where(const RecordTable& table, const std::vector<RowCondition>& conditions) {
    RowSet rows(table.rows(), true);
    for (const RowCondition& condition : conditions) keep(table, condition, rows);
    return rows;
}

RowQuery parse_query(const std::string& line) {
    RowQuery query;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        const std::size_t at = word.find_first_of("=<>");
        if (at == std::string::npos || at == 0)
            query.words.push_back(word);
        else
            query.conditions.push_back(parse_condition(word, at));
    }
    return query;
}

RowSet rows_where(const RecordTable& table, const RowQuery& query) {
    RowSet rows = rows_where(table, query.conditions);
    for (const std::string& word : query.words) {
        RowSet with_word(table.rows());
        for (std::size_t column = 0; column < table_columns().size(); ++column) {
            if (!table.is_text(column)) continue;
            RowSet here(table.rows(), true);
            keep_texts(table.text(column), here, [&](std::string_view text) { return contains(text, word); });
            with_word |= here;
        }
        rows &= with_word;
    }
    return rows;
}

std::vector<std::uint32_t> in_order(const RecordTable& table, const RowSet& rows, std::size_t column, bool descending) {
    std::vector<double> keys(table.rows());
    if (table.is_text(column)) {
        const TextColumn& text = table.text(column);
        std::vector<std::uint32_t> codes(text.pool().size());
        for (std::uint32_t i = 0; i < codes.size(); ++i) codes[i] = i;
        std::ranges::sort(codes, {}, [&](std::uint32_t code) { return text.pool()[code]; });
        std::vector<double> rank(codes.size());
        for (std::size_t i = 0; i < codes.size(); ++i)
            rank[codes[i]] = text.pool()[codes[i]].empty() ? empty_cell() : static_cast<double>(i);
        for (std::size_t row = 0; row < keys.size(); ++row) keys[row] = rank[text.code(row)];
    } else {
        table.numbers(column).each([&](std::size_t row, double value) { keys[row] = value; });
        // "1", "1+2", "2": a row more on the far side comes before a row more on both.
        constexpr double below_one = 0x1p-32;
        if (const auto extra = pad_extra_of(column))
            for (std::size_t row = 0; row < keys.size(); ++row)
                keys[row] += below_one * table.number(row, *extra).value_or(0);
    }
    std::vector<std::uint32_t> order = rows.list();
    // Empty cells and NaN stand behind all numbers, whichever way these run.
    const auto middle =
        std::stable_partition(order.begin(), order.end(), [&](std::uint32_t row) { return !std::isnan(keys[row]); });
    const auto key = [&](std::uint32_t row) { return descending ? -keys[row] : keys[row]; };
    std::stable_sort(order.begin(), middle, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    return order;
}

std::vector<std::string> distinct_cells(const RecordTable& table, const RowSet& rows, std::size_t column) {
    std::vector<std::string> cells;
    if (table.is_text(column)) {
        const TextColumn& text = table.text(column);
        std::vector<bool> seen(text.pool().size());
        rows.each([&](std::size_t row) {
            if (seen[text.code(row)]) return;
            seen[text.code(row)] = true;
            cells.emplace_back(text[row]);
        });
        return cells;
    }
    // The second number of a padding cell is in a separate column.
    const std::optional<std::size_t> extra = pad_extra_of(column);
    std::map<std::pair<double, double>, std::size_t> first;  // the first row with each value
    bool with_empty = false;
    const NumberColumn& numbers = table.numbers(column);
    rows.each([&](std::size_t row) {
        const double value = numbers[row];
        if (std::isnan(value))
            with_empty = true;
        else
            first.try_emplace({value, extra ? table.number(row, *extra).value_or(0) : 0}, row);
    });
    if (with_empty) cells.emplace_back();
    for (const auto& [value, row] : first) cells.push_back(table.cell(row, column));
    return cells;
}

}  // namespace convscope
