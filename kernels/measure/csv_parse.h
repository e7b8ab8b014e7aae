// Reading and writing the text of a CSV file (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/measure/record.h"

namespace convscope {

/// The cell as it stands in the file: quoted when it holds a comma, a quote or a line break.
std::string csv_quote(const std::string& cell);

/// One record of a CSV text with where it stands.
struct CsvLine {
    std::size_t line = 0;    ///< of its first character, from 1
    std::size_t offset = 0;  ///< in bytes, of its first character
    std::vector<std::string> cells;
    bool complete = false;  ///< a line end follows: false for a torn last line
};

/// Splits a text into records. LF and CRLF both end a line; empty lines are passed over.
std::vector<CsvLine> parse_csv(std::string_view text);

/// The record of a row; throws cell::BadCell naming the column.
Record record_from_cells(const std::vector<std::string>& cells);

}  // namespace convscope
