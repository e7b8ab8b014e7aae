// Reading and writing the text of a CSV file (RFC 4180).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/records/record.h"

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

/// Walks a text one record at a time.
class CsvScanner {
public:
    explicit CsvScanner(std::string_view text) : text_(text), at_(text.starts_with("\xEF\xBB\xBF") ? 3 : 0) {}

    bool at_end() const { return at_ == text_.size(); }
    CsvLine next();
    /// Goes back to the second line of a record that has several, where a quote that was never closed has taken in
    /// what follows. False when it has one line only.
    bool retreat_into(const CsvLine&);

private:
    void quoted(std::string& cell);
    bool line_end();

    std::string_view text_;
    std::size_t at_, line_ = 1;
};

/// Throws Error(file), naming the file, for a text that is no CSV as we read them: UTF-16, or lines that end in CR
/// alone.
void require_csv_text(const std::filesystem::path&, std::string_view text);

/// Splits a text into records. LF and CRLF both end a line; empty lines and a byte order mark are passed over.
std::vector<CsvLine> parse_csv(std::string_view text);

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
