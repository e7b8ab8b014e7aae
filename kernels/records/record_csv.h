// Writes and reads a record as a row of CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/records/csv_text.h"
#include "kernels/records/record.h"

namespace convscope {

enum class CellKind { text, whole, real };

/// The header's names in order, exactly those of schema version 4.
const std::vector<std::string>& csv_columns();
CellKind csv_column_kind(std::size_t column);
std::string csv_cell(const Record&, std::size_t column);  ///< unquoted
std::vector<std::string> csv_cells(const Record&);        ///< unquoted, as many as there are columns
std::string csv_header();                                 ///< without the line end
std::string csv_row(const Record&);                       ///< RFC 4180, without the line end

/// Throws cell::BadCell for a shape that cannot be counted: a divisor of p, q or the groups' sizes below 1, or too many
/// elements. Other errors of the shape pass.
void require_countable(const ConvShape&);

/// Maps each cell of a file's rows to its place in csv_columns(); none for another program's column.
using ColumnMap = std::vector<std::optional<std::size_t>>;

/// The columns may come in any order, with others between them; optional ones may be missing. Throws cell::BadCell
/// saying why a header is not one of ours.
ColumnMap map_columns(const std::vector<std::string>& header);

/// The record of a line. A last line without a line end is a row when it is complete. Throws cell::BadCell saying what
/// is wrong.
Record record_of_line(const CsvLine&, const ColumnMap&);

/// The record of a row; throws cell::BadCell naming the column. The second form takes the schema's own order.
Record record_from_cells(const std::vector<std::string>& cells, const ColumnMap&);
Record record_from_cells(const std::vector<std::string>& cells);

}  // namespace convscope
