// Many records at once, column by column: a million rows fit in a fraction of the file's size. Filters, plots and
// tables work on it; a single row becomes a Record again where one is needed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/records/record_csv.h"
#include "kernels/records/table_column.h"

namespace convscope {

struct TableColumnInfo {
    std::string name;  ///< as in the CSV's header
    CellKind kind;
};

/// The table's columns: those of the CSV in its order (docs/records.md), then the second numbers of cells that hold two
/// ("pad_extra_h" of "0+1" in pad_h; empty where there is none), then "file", the row's source.
const std::vector<TableColumnInfo>& table_columns();
/// Throws std::out_of_range for a name that is not a column: a mistake in the program, not in a file.
std::size_t table_column(std::string_view name);
std::optional<std::size_t> find_table_column(std::string_view name);

/// The column that holds the second number of pad_h or pad_w; nothing for another column.
std::optional<std::size_t> pad_extra_of(std::size_t column);

/// Rows are numbered from 0 and only ever appended. Not safe to read from one thread while another appends.
class RecordTable {
public:
    RecordTable();

    std::size_t rows() const { return rows_; }
    bool empty() const { return rows_ == 0; }

    /// Columns by number. Asking a column of text for numbers, or the other way round, throws std::bad_variant_access.
    const TextColumn& text(std::size_t column) const { return std::get<TextColumn>(columns_[column]); }
    const NumberColumn& numbers(std::size_t column) const { return std::get<NumberColumn>(columns_[column]); }
    bool is_text(std::size_t column) const { return std::holds_alternative<TextColumn>(columns_[column]); }

    /// A number, or nothing where the cell is empty.
    std::optional<double> number(std::size_t row, std::size_t column) const;
    /// The cell as the CSV has it, unquoted.
    std::string cell(std::size_t row, std::size_t column) const;
    /// The row as a record. Throws Error(file) where the cells are not a record together (a stride of 0).
    Record record(std::size_t row) const;
    /// The cells of a row as a line of CSV, without the line end and without the column "file".
    std::string csv_row(std::size_t row) const;

    void append(const Record&, std::string_view file);
    void append(const RecordTable&);
    // The same in parts, for appending columns on several threads: each column, then the count.
    void append_column(const RecordTable&, std::size_t column);
    void count_rows(const RecordTable& other) { rows_ += other.rows_; }

    std::size_t bytes() const;  ///< of memory, about

private:
    friend class TableBuilder;
    std::size_t rows_ = 0;
    std::vector<std::variant<TextColumn, NumberColumn>> columns_;
};

}  // namespace convscope
