// Reading and writing the text of a CSV file (RFC 4180).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/records/csv_lines.h"
#include "kernels/records/record.h"

namespace convscope {

/// The cell as it stands in the file: quoted when it holds a comma, a quote or a line break.
std::string csv_quote(const std::string& cell);

/// Cells as a line, without the line end.
std::string csv_line(const std::vector<std::string>& cells);

/// Throws Error(file), naming the file, for a text that is no CSV as we read them: UTF-16, or lines that end in CR
/// alone.
void require_csv_text(const std::filesystem::path&, std::string_view text);

/// All rows of a text.
std::vector<CsvLine> parse_csv(std::string_view text);

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
