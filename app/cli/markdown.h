// What the pages that the program writes are made of.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convscope::cli {

/// A table with its head, each row one line, an empty line after it. Vertical bars in cells are escaped.
std::string markdown_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& body);

/// As code, with an empty line after it.
std::string command_block(const std::string& command);
/// The command of such a block in a page; empty where there is no page, or none in it.
std::string command_in(const std::filesystem::path& page);

}  // namespace convscope::cli
