// Tables of the pages that the program writes.
#pragma once

#include <string>
#include <vector>

namespace convscope::cli {

/// A table with its head, each row one line, an empty line after it. Vertical bars in cells are escaped.
std::string markdown_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& body);

}  // namespace convscope::cli
