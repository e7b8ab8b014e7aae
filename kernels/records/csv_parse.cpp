#include "kernels/records/csv_parse.h"

#include "kernels/core/text_file.h"

namespace convscope {
CsvLine CsvScanner::next() {
    CsvLine record;
    record.line = line_;
    record.offset = at_;
    record.cells.emplace_back();
    while (!at_end()) {
        const char c = text_[at_];
        if (c == '"' && record.cells.back().empty()) {
            quoted(record.cells.back());
        } else if (line_end()) {
            record.complete = true;
            return record;
        } else {
            if (c == ',') {
                record.cells.emplace_back();
            } else {
                record.cells.back() += c;
            }
            ++at_;
        }
    }
    return record;
}

bool CsvScanner::retreat_into(const CsvLine& record) {
    const std::size_t end = text_.find('\n', record.offset);
    if (end == std::string_view::npos || end + 1 >= at_) return false;
    at_ = end + 1;
    line_ = record.line + 1;
    return true;
}

/// Takes "..." with "" for a quote; line breaks inside belong to the cell.
void CsvScanner::quoted(std::string& cell) {
    for (++at_; !at_end(); ++at_) {
        const char c = text_[at_];
        if (c == '"') {
            const bool doubled = at_ + 1 < text_.size() && text_[at_ + 1] == '"';
            if (!doubled) {
                ++at_;
                return;
            }
            ++at_;
        }
        if (c == '\n') ++line_;
        cell += c;
    }
}

bool CsvScanner::line_end() {
    const std::string_view rest = text_.substr(at_);
    const std::size_t length = rest.starts_with("\r\n") ? 2 : rest.starts_with('\n') ? 1 : 0;
    at_ += length;
    line_ += length > 0 ? 1 : 0;
    return length > 0;
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

void require_csv_text(const std::filesystem::path& path, std::string_view text) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        fail_on_file(path, "is UTF-16; save it as UTF-8 with commas");
    const std::size_t end = text.find_first_of("\r\n");
    if (end != text.npos && text[end] == '\r' && end + 1 < text.size() && text[end + 1] != '\n')
        fail_on_file(path, "has lines that end in CR alone; save it with line ends of Unix or Windows");
}

std::vector<CsvLine> parse_csv(std::string_view text) {
    std::vector<CsvLine> records;
    CsvScanner scanner(text);
    while (!scanner.at_end()) {
        CsvLine record = scanner.next();
        const bool empty = record.cells.size() == 1 && record.cells[0].empty();
        if (!empty) records.push_back(std::move(record));
    }
    return records;
}

}  // namespace convscope
