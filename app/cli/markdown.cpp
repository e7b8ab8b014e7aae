#include "app/cli/markdown.h"

#include <fmt/format.h>

#include <fstream>

namespace convscope::cli {
namespace {

/// A vertical bar would end the cell.
std::string escaped_cell(const std::string& text) {
    std::string safe;
    for (const char letter : text) {
        if (letter == '|') safe += '\\';
        safe += letter;
    }
    return safe;
}

std::string row(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += fmt::format(" {} |", escaped_cell(cell));
    return text + "\n";
}

}  // namespace

std::string markdown_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& body) {
    std::string text = row(head) + row(std::vector<std::string>(head.size(), "---"));
    for (const auto& cells : body) text += row(cells);
    return text + "\n";
}

std::string command_block(const std::string& command) {
    return "    " + command + "\n\n";
}

std::string command_in(const std::filesystem::path& page) {
    std::ifstream lines(page);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("    convscope ")) return line.substr(4);
    return {};
}

}  // namespace convscope::cli
