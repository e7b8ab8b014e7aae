#include "app/compare/fixed_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "app/compare/compare_pages.h"
#include "kernels/records/row_query.h"

namespace convscope::app {
namespace {

struct FixableColumn {
    const char *column, *name;
    bool always;  ///< said also where no row differs
};
// In the order of the chips, which is that in which rows are chosen.
constexpr FixableColumn fixable[] = {{"timing_scope", "scope", true},
                                     {"sparsity_target", "zeros", true},
                                     {"n", "batch", true},
                                     {"cache_mode", "cache", true},
                                     {"device_name", "", true},
                                     {"source", "pattern", false},
                                     {"weight_sparsity_target", "weight zeros", false},
                                     {"weight_pattern", "weight pattern", false},
                                     {"seed", "seed", false}};

double number_of(const std::string& cell) {
    double value = 0;
    std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return value;
}

/// Numbers by their value, names by their letters.
void order(std::vector<std::string>& cells) {
    std::ranges::sort(cells, {}, [](const std::string& cell) { return std::pair(number_of(cell), cell); });
}

/// The cells of a column among rows: how many rows have each, and whether each layer has one alone.
struct Cells {
    std::map<std::string, std::size_t> rows;
    bool text = false, one_by_layer = true;
    std::vector<std::string> list() const {
        std::vector<std::string> cells;
        for (const auto& [cell, count] : rows) cells.push_back(cell);
        order(cells);
        return cells;
    }
    /// The most frequent; of several numbers the middle one, of names the last: 'uniform', 'hot', the newer GPU.
    std::string common() const {
        std::size_t most = 0;
        for (const auto& [cell, count] : rows) most = std::max(most, count);
        std::vector<std::string> cells;
        for (const auto& [cell, count] : rows)
            if (count == most) cells.push_back(cell);
        order(cells);
        return text ? cells.back() : cells[cells.size() / 2];
    }
};

Cells cells_of(const CompareData& data, const RowSet& rows, std::size_t column) {
    struct Found {
        std::size_t first, count;
    };
    Cells cells{{}, data.table.is_text(column)};
    std::unordered_map<std::uint64_t, Found> found;
    std::vector<std::optional<std::uint64_t>> of_layer(data.layer_names.size());
    rows.each([&](std::size_t row) {
        const std::uint64_t key = data.cell_key(row, column);
        ++found.try_emplace(key, Found{row, 0}).first->second.count;
        std::optional<std::uint64_t>& first = of_layer[data.layer[row]];
        cells.one_by_layer &= !first || *first == key;
        first = key;
    });
    for (const auto& [key, one] : found) cells.rows[data.table.cell(one.first, column)] += one.count;
    return cells;
}

std::string with_name(const FixableColumn& one, const std::string& value) {
    return *one.name ? fmt::format("{} {}", one.name, value) : value;
}

/// The cell that was chosen by a click and is among the rows; empty: none.
std::string chosen_cell(const CompareChoice& set, const std::string& column, const Cells& cells) {
    if (column == "timing_scope") return cells.rows.contains(set.scope) ? set.scope : "";
    const auto at = set.fixed.find(column);
    return at != set.fixed.end() && cells.rows.contains(at->second) ? at->second : "";
}

FixedColumn layer_chip(const ComparePageInput& in, const RowSet& rows) {
    const std::string name = short_names({in.set.layer})[0];
    return {"layer", name, "The layer that the plot is of", in.set.layer, layers_in(in, rows)};
}

}  // namespace

std::string fixed_value(const std::string& column, const std::string& cell) {
    if (column.ends_with("sparsity_target")) return fmt::format("{:.4g} %", 100 * number_of(cell));
    if (column == "device_name" && cell.starts_with("NVIDIA ")) return cell.substr(std::string("NVIDIA ").size());
    return cell;
}

void fix_at(CompareChoice& choice, const std::string& column, const std::string& cell) {
    if (column == "timing_scope")
        choice.scope = cell;
    else if (column == "layer")
        choice.layer = cell;
    else if (cell.empty())
        choice.fixed.erase(column);
    else
        choice.fixed[column] = cell;
}

FixedRows fix_columns(const ComparePageInput& in, const RowSet& rows, const std::set<std::string>& axes,
                      Otherwise otherwise) {
    FixedRows fixed{rows, {}};
    if (!axes.contains("layer")) {
        fixed.columns.push_back(layer_chip(in, rows));
        rows.each([&, layer = in.chosen_layer()](std::size_t row) {
            if (in.data.layer[row] != layer) fixed.rows.erase(row);
        });
    }
    for (const FixableColumn& one : fixable) {
        if (axes.contains(one.column)) continue;
        const std::size_t column = table_column(one.column);
        const Cells cells = cells_of(in.data, fixed.rows, column);
        if (cells.rows.empty()) continue;
        FixedColumn chip{one.column, "", "", "", cells.list()};
        const std::size_t many = cells.rows.size();
        // One layer has no zeros of other layers.
        const bool by_layer = axes.contains("layer") && cells.one_by_layer;
        if (many == 1)
            chip.value = cells.rows.begin()->first;
        else if (otherwise == Otherwise::fix && !by_layer)
            chip.value = cells.common();
        if (const std::string chosen = chosen_cell(in.set, chip.column, cells); !chosen.empty()) chip.value = chosen;
        if (!chip.value.empty() && many > 1)
            fixed.rows &= rows_where(in.data.table, {RowCondition{column, {chip.value}, {}, {}, {}}});
        if ((many == 1 && !one.always) || (many == 1 && chip.value.empty())) continue;
        if (!chip.value.empty()) {
            chip.words = with_name(one, fixed_value(chip.column, chip.value));
            chip.meaning = many == 1 ? "All rows of this plot have it" : "Rows with another value are left out";
        } else {
            const std::string range = fmt::format("{} to {}", fixed_value(chip.column, chip.values.front()),
                                                  fixed_value(chip.column, chip.values.back()));
            const char* const name = *one.name ? one.name : "device";
            chip.words = by_layer ? fmt::format("{} by layer", name) : fmt::format("{}: all {}", name, many);
            chip.meaning = by_layer ? fmt::format("Each layer has one value of its own: {}", range)
                                    : fmt::format("Rows with {} different values are shown: {}", many, range);
        }
        fixed.columns.push_back(std::move(chip));
    }
    return fixed;
}

std::vector<std::string> what_differs(const CompareData& data, const std::vector<std::size_t>& rows) {
    std::vector<std::string> words(rows.size());
    const auto name = [&](const FixableColumn& one) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (const std::string cell = data.table.cell(rows[i], table_column(one.column)); !cell.empty())
                words[i] += (words[i].empty() ? "" : ", ") + with_name(one, fixed_value(one.column, cell));
    };
    for (const FixableColumn& one : fixable) {
        const auto key = [&](std::size_t row) { return data.cell_key(row, table_column(one.column)); };
        if (std::ranges::adjacent_find(rows, std::ranges::not_equal_to(), key) != rows.end()) name(one);
    }
    // Each method has a launch of its own for each layer: it is said where it tells rows of one method apart.
    for (const FixableColumn& one : {FixableColumn{"block_size_x", "block x", false},
                                     {"block_size_y", "block y", false},
                                     {"block_size_z", "block z", false},
                                     {"tunables", "", false}}) {
        std::map<std::pair<std::string_view, std::uint32_t>, std::uint64_t> launches;
        const bool varies = std::ranges::any_of(rows, [&](std::size_t row) {
            const std::uint64_t key = data.cell_key(row, table_column(one.column));
            const auto method = data.text(row, compare_columns().method);
            return launches.try_emplace({method, data.layer[row]}, key).first->second != key;
        });
        if (varies) name(one);
    }
    return words;
}

std::string describe_fixed(const std::vector<FixedColumn>& columns) {
    std::string text;
    for (const FixedColumn& each : columns) text += (text.empty() ? "" : ", ") + each.words;
    return text;
}

}  // namespace convscope::app
