#include "kernels/records/csv_text.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "kernels/files/text_file.h"

namespace convscope {
namespace {

constexpr std::uint64_t each_byte(char c) {
    return 0x0101010101010101U * static_cast<unsigned char>(c);
}

/// The high bit of each byte that is zero; bytes above the first zero may be marked too.
constexpr std::uint64_t zero_bytes(std::uint64_t word) {
    return (word - each_byte('\1')) & ~word & each_byte('\x80');
}

/// The first comma or line end at or after 'at', or the end: eight bytes at a time, since cells are about as long.
std::size_t cell_end(std::string_view text, std::size_t at) {
    if constexpr (std::endian::native == std::endian::little) {
        for (; at + 8 <= text.size(); at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, text.data() + at, 8);
            const std::uint64_t hits = zero_bytes(word ^ each_byte(',')) | zero_bytes(word ^ each_byte('\n'));
            if (hits != 0) return at + static_cast<std::size_t>(std::countr_zero(hits)) / 8;
        }
    }
    while (at < text.size() && text[at] != ',' && text[at] != '\n') ++at;
    return at;
}

}  // namespace

/// Takes "..." from the present place; false when it does not end within reason.
bool CsvLines::take_quoted() {
    const std::size_t begin = at_ + 1;
    const std::size_t limit = std::min(text_.size(), begin + longest_cell);
    bool doubled = false;
    for (std::size_t i = begin; i < limit; ++i) {
        if (text_[i] != '"') continue;
        if (i + 1 < text_.size() && text_[i + 1] == '"') {
            doubled = true;
            ++i;
            continue;
        }
        // The next character must end the cell.
        const char after = i + 1 < text_.size() ? text_[i + 1] : '\n';
        if (after != ',' && after != '\n' && after != '\r') return false;
        std::string_view cell = text_.substr(begin, i - begin);
        line_ += static_cast<std::size_t>(std::ranges::count(cell, '\n'));
        if (doubled) {
            std::string& plain = unescaped_.emplace_back();
            for (std::size_t j = 0; j < cell.size(); ++j) {
                plain += cell[j];
                if (cell[j] == '"') ++j;
            }
            cell = plain;
        }
        cells_.push_back(cell);
        at_ = i + 1;
        return true;
    }
    return false;
}

void CsvLines::skip_line() {
    const std::size_t end = text_.find('\n', at_);
    complete_ = end != std::string_view::npos;
    at_ = complete_ ? end + 1 : text_.size();
    line_ += complete_ ? 1 : 0;
}

bool CsvLines::next() {
    const auto has_nothing = [this] {
        return complete_ && !cells_.empty() && std::ranges::all_of(cells_, &std::string_view::empty);
    };
    bool found = split_row();
    while (found && has_nothing()) found = split_row();
    return found;
}

bool CsvLines::split_row() {
    while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) line_ += text_[at_++] == '\n' ? 1 : 0;
    cells_.clear();
    unescaped_.clear();
    row_line_ = line_;
    complete_ = false;
    if (at_ >= text_.size()) return false;
    row_begin_ = at_;
    while (true) {
        if (at_ < text_.size() && text_[at_] == '"') {
            if (!take_quoted()) {
                at_ = row_begin_;
                line_ = row_line_;
                skip_line();
                cells_.clear();
                return true;
            }
        } else {
            const std::size_t end = cell_end(text_, at_);
            std::size_t last = end;
            if (end < text_.size() && text_[end] == '\n' && last > at_ && text_[last - 1] == '\r') --last;
            cells_.push_back(text_.substr(at_, last - at_));
            at_ = end;
        }
        if (at_ < text_.size() && text_[at_] == '\r') ++at_;  // after a quoted cell
        if (at_ >= text_.size()) return true;
        if (text_[at_++] == '\n') {
            complete_ = true;
            ++line_;
            return true;
        }
    }
}

std::string csv_quote(const std::string& cell) {
    if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
    std::string quoted = "\"";
    for (char c : cell) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) line += (&cell == &cells.front() ? "" : ",") + csv_quote(cell);
    return line;
}

void require_csv_text(const std::filesystem::path& path, std::string_view text) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        fail_on_file(path, "is UTF-16; save it as UTF-8 with commas");
    const std::size_t end = text.find_first_of("\r\n");
    if (end != text.npos && text[end] == '\r' && end + 1 < text.size() && text[end + 1] != '\n')
        fail_on_file(path, text.find('\0') != text.npos
                               ? "is not text: it holds bytes of value 0"
                               : "has lines that end in CR alone; save it with line ends of Unix or Windows");
}

std::vector<CsvLine> parse_csv(std::string_view text) {
    std::vector<CsvLine> all;
    for (CsvLines lines(text); lines.next();) all.push_back(lines.row());
    return all;
}

}  // namespace convscope
