#include "kernels/records/record_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "kernels/core/error.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/records/cell.h"
#include "kernels/records/pad_cell.h"
#include "kernels/records/record_csv.h"
#include "kernels/records/table_builder.h"

namespace convscope {
namespace {

std::vector<TableColumnInfo> make_columns() {
    std::vector<TableColumnInfo> list;
    for (std::size_t i = 0; i < csv_columns().size(); ++i) list.push_back({csv_columns()[i], csv_column_kind(i)});
    for (const ShapeField& field : shape_fields)
        if (field.added) list.push_back({field.name, CellKind::whole});
    list.push_back({"file", CellKind::text});
    return list;
}

}  // namespace

const std::vector<TableColumnInfo>& table_columns() {
    static const std::vector<TableColumnInfo> list = make_columns();
    return list;
}

std::optional<std::size_t> find_table_column(std::string_view name) {
    static const std::unordered_map<std::string_view, std::size_t> numbers = [] {
        std::unordered_map<std::string_view, std::size_t> map;
        for (std::size_t i = 0; i < table_columns().size(); ++i) map[table_columns()[i].name] = i;
        return map;
    }();
    const auto found = numbers.find(name);
    if (found == numbers.end()) return std::nullopt;
    return found->second;
}

std::size_t table_column(std::string_view name) {
    if (const std::optional<std::size_t> found = find_table_column(name)) return *found;
    throw std::out_of_range("no column '" + std::string(name) + "'");
}

std::optional<std::size_t> pad_extra_of(std::size_t column) {
    static const std::size_t h = table_column("pad_h"), w = table_column("pad_w"), more_h = table_column("pad_extra_h"),
                             more_w = table_column("pad_extra_w");
    if (column == h) return more_h;
    if (column == w) return more_w;
    return std::nullopt;
}

RecordTable::RecordTable() {
    columns_.reserve(table_columns().size());
    for (const TableColumnInfo& column : table_columns())
        column.kind == CellKind::text ? columns_.emplace_back(TextColumn{}) : columns_.emplace_back(NumberColumn{});
}

std::optional<double> RecordTable::number(std::size_t row, std::size_t column) const {
    const double value = numbers(column)[row];
    if (is_empty_cell(value)) return std::nullopt;
    return value;
}

std::string RecordTable::cell(std::size_t row, std::size_t column) const {
    if (is_text(column)) return std::string(text(column)[row]);
    const std::optional<double> value = number(row, column);
    if (!value) return {};
    if (const auto extra = pad_extra_of(column))
        return cell::print_pad(static_cast<std::int64_t>(*value),
                               static_cast<std::int64_t>(number(row, *extra).value_or(0)));
    return table_columns()[column].kind == CellKind::whole ? cell::print(static_cast<std::int64_t>(*value))
                                                           : cell::print(*value);
}

Record RecordTable::record(std::size_t row) const {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < csv_columns().size(); ++i) cells.push_back(cell(row, i));
    try {
        return record_from_cells(cells);
    } catch (const cell::BadCell& error) {
        throw Error(ErrorKind::file, fmt::format("row {} is not a record: {}", row + 1, error.what()));
    }
}

std::string RecordTable::csv_row(std::size_t row) const {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < csv_columns().size(); ++i) cells.push_back(cell(row, i));
    return csv_line(cells);
}

void RecordTable::append(const Record& record, std::string_view file) {
    const std::vector<std::string> cells = csv_cells(record);
    TableBuilder(*this, file).add({cells.begin(), cells.end()});
}

void RecordTable::append(const RecordTable& other) {
    for (std::size_t i = 0; i < columns_.size(); ++i) append_column(other, i);
    count_rows(other);
}

void RecordTable::append_column(const RecordTable& other, std::size_t column) {
    std::visit(
        [&](auto& ours) { ours.append(std::get<std::remove_reference_t<decltype(ours)>>(other.columns_[column])); },
        columns_[column]);
}

std::size_t RecordTable::bytes() const {
    std::size_t sum = 0;
    for (const auto& each : columns_) sum += std::visit([](const auto& column) { return column.bytes(); }, each);
    return sum;
}

}  // namespace convscope
