// Walks the rows of a large CSV text without copying its cells (RFC 4180).
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace convscope {

class CsvLines {
public:
    explicit CsvLines(std::string_view text) : text_(text) {}

    /// Splits the next row that is not empty into cells(); false at the end. A quoted cell may hold line breaks. A row
    /// whose quote never closes, or closes only further on than any cell is long, ends with its first line.
    bool next();
    const std::vector<std::string_view>& cells() const { return cells_; }  ///< until the next call
    std::size_t line() const { return row_line_; }                         ///< where the row began, from 0
    bool complete() const { return complete_; }                            ///< a line end followed
    std::size_t offset() const { return at_; }                             ///< of what comes after
    std::size_t lines_seen() const { return line_; }

private:
    bool take_quoted();
    void skip_line();

    static constexpr std::size_t longest_cell = 1 << 16;
    std::string_view text_;
    std::size_t at_ = 0, line_ = 0, row_line_ = 0;
    bool complete_ = false;
    std::vector<std::string_view> cells_;
    std::deque<std::string> unescaped_;  ///< cells with "" in them
};

}  // namespace convscope
