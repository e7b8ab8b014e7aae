// Records as CSV: its columns, and a record's row written and read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/records/csv_text.h"
#include "kernels/records/record.h"

namespace convscope {

enum class CellKind { text, whole, real };

/// The header's names in order, exactly those of schema version 3.
const std::vector<std::string>& csv_columns();
CellKind csv_column_kind(std::size_t column);
std::string csv_cell(const Record&, std::size_t column);  ///< unquoted
std::vector<std::string> csv_cells(const Record&);        ///< unquoted, as many as there are columns
std::string csv_header();                                 ///< without the line end
std::string csv_row(const Record&);                       ///< RFC 4180, without the line end

/// Throws cell::BadCell for a shape that cannot be counted: what p, q and the groups' sizes are quotients by, and what
/// elements are products of, whatever else is wrong with it.
void require_countable(const ConvShape&);

/// Where a file's columns belong: for each of its cells the place in csv_columns(), or none for another program's.
using ColumnMap = std::vector<std::optional<std::size_t>>;

/// The columns may come in any order, with others between them; those that may be empty may be missing. Throws
/// cell::BadCell saying what keeps a header from being one of ours.
ColumnMap map_columns(const std::vector<std::string>& header);

/// The record of a line. A last line without a line end is a row when all of it is there. Throws cell::BadCell saying
/// what is wrong.
Record record_of_line(const CsvLine&, const ColumnMap&);

/// The record of a row; throws cell::BadCell naming the column. The second form takes the schema's own order.
Record record_from_cells(const std::vector<std::string>& cells, const ColumnMap&);
Record record_from_cells(const std::vector<std::string>& cells);

}  // namespace convscope
