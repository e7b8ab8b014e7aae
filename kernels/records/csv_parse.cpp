#include "kernels/records/csv_parse.h"

#include "kernels/core/text_file.h"

namespace convscope {
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
        fail_on_file(path, "has lines that end in CR alone; save it with line ends of Unix or Windows");
}

std::vector<CsvLine> parse_csv(std::string_view text) {
    std::vector<CsvLine> all;
    for (CsvLines lines(text); lines.next();) all.push_back(lines.row());
    return all;
}

}  // namespace convscope
