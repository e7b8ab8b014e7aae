// The text of a CSV file (RFC 4180): its rows, its cells, and what is quoted.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace convscope {

/// A row that stays valid after the walk.
struct CsvLine {
    std::size_t line = 0;            ///< where it began, from 1
    std::size_t offset = 0;          ///< in bytes, of its first character
    std::vector<std::string> cells;  ///< none where a quote is not closed
    bool complete = false;           ///< a line end follows: false for a torn last line
};

/// Walks the rows of a text without copying its cells.
class CsvLines {
public:
    /// A byte order mark is passed over.
    explicit CsvLines(std::string_view text) : text_(text), at_(text.starts_with("\xEF\xBB\xBF") ? 3 : 0) {}

    /// Splits the next row that is not empty, nor of empty cells alone, into cells(); false at the end. LF and CRLF
    /// both end a line, and a quoted cell may hold them. A row whose quote never closes, or closes further on than the
    /// longest cell, ends with its first line and has no cells.
    bool next();
    const std::vector<std::string_view>& cells() const { return cells_; }  ///< until the next call
    std::size_t line() const { return row_line_; }                         ///< where the row began, from 0
    bool complete() const { return complete_; }                            ///< a line end followed
    std::size_t offset() const { return at_; }                             ///< of what comes after
    CsvLine row() const { return {row_line_ + 1, row_begin_, {cells_.begin(), cells_.end()}, complete_}; }
    std::size_t lines_seen() const { return line_; }

private:
    bool split_row();
    bool take_quoted();
    void skip_line();

    static constexpr std::size_t longest_cell = 1 << 16;
    std::string_view text_;
    std::size_t at_, line_ = 0, row_line_ = 0, row_begin_ = 0;
    bool complete_ = false;
    std::vector<std::string_view> cells_;
    std::deque<std::string> unescaped_;  ///< cells with "" in them
};

/// The cell as it stands in the file: quoted when it holds a comma, a quote or a line break.
std::string csv_quote(const std::string& cell);

/// Cells as a line, without the line end.
std::string csv_line(const std::vector<std::string>& cells);

/// Throws Error(file), naming the file, for a text that cannot be read as CSV: UTF-16, or lines that end in CR alone.
void require_csv_text(const std::filesystem::path&, std::string_view text);

/// All rows of a text.
std::vector<CsvLine> parse_csv(std::string_view text);

}  // namespace convscope
