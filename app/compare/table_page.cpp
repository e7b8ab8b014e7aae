// Rows in an order, and the columns whose cells differ.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/compare/compare_pages.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/records/row_query.h"

namespace convscope::app {
namespace {

/// Whether the values of a column differ among the rows.
bool varies(const RecordTable& table, const RowSet& rows, std::size_t column) {
    bool differs = false, first = true;
    if (table.is_text(column)) {
        std::uint32_t code = 0;
        rows.each([&](std::size_t row) {
            const std::uint32_t now = table.text(column).code(row);
            differs |= !first && now != code;
            code = now;
            first = false;
        });
        return differs;
    }
    std::uint64_t bits = 0;
    rows.each([&](std::size_t row) {
        const auto now = std::bit_cast<std::uint64_t>(table.numbers(column)[row]);
        differs |= !first && now != bits;
        bits = now;
        first = false;
    });
    return differs;
}

/// A number that stands in another column's cell: the 1 of "0+1".
bool is_added_to_a_cell(std::size_t column) {
    return std::ranges::any_of(shape_fields, [&](const ShapeField& field) {
        return field.added && table_columns()[column].name == field.name;
    });
}

/// A column that says that the weights of all rows are unchanged is left out.
bool says_nothing(const RecordTable& table, const RowSet& rows, std::size_t column) {
    static const std::size_t zeros = table_column("weight_sparsity_target"), pattern = table_column("weight_pattern");
    if (column != zeros && column != pattern) return false;
    bool pruned = false;
    rows.each([&](std::size_t row) { pruned |= table.numbers(zeros)[row] != 0; });
    return !pruned;
}

}  // namespace

void table_page(const ComparePageInput& in, CompareResult& result) {
    const RecordTable& table = in.data.table;
    const std::optional<std::size_t> sort = find_table_column(in.set.sort);
    const std::size_t shown = in.shown.count(), all = table.rows();
    result.findings.push_back(
        {"", format_count(static_cast<std::int64_t>(shown)),
         shown == all ? " rows"
                      : fmt::format(" of {} rows meet the filter", format_count(static_cast<std::int64_t>(all)))});
    result.order = sort ? in_order(table, in.shown, *sort, in.set.descending) : in.shown.list();
    // The columns that a reader needs first.
    std::vector<std::size_t> order;
    for (const char* name :
         {"method", "status", "timing_scope", "sparsity_target", "time_median_us", "noise_pct", "speedup_vs_vendor",
          "vendor_method", "gflops", "workspace_bytes", "library_workspace_bytes", "max_rel_err"})
        order.push_back(table_column(name));
    for (std::size_t i = 0; i < table_columns().size(); ++i)
        if (std::ranges::find(order, i) == order.end()) order.push_back(i);
    for (const std::size_t column : order) {
        if (is_added_to_a_cell(column)) continue;
        const std::optional<std::size_t> added = pad_extra_of(column);
        if (varies(table, in.shown, column) || (added && varies(table, in.shown, *added))) {
            result.columns.push_back(column);
        } else if (!result.order.empty() && !says_nothing(table, in.shown, column)) {
            const std::string &name = table_columns()[column].name, unit = axis_unit(name);
            std::string cell = table.cell(result.order[0], column);
            if (const double factor = axis_factor(name); factor != 1 && !cell.empty())
                cell = fmt::format("{:.6g}", factor * std::stod(cell));
            if (!cell.empty())
                result.same += fmt::format("{}{} {}{}{}", result.same.empty() ? "" : ",  ", axis_name(name), cell,
                                           unit.empty() ? "" : " ", unit);
        }
    }
}

}  // namespace convscope::app
