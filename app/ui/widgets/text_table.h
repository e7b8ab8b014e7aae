// A table of words, and how it is put on the clipboard: for a spreadsheet, a file or a page.
#pragma once

#include <string>
#include <vector>

namespace convscope::app {

struct TextTable {
    std::vector<std::string> header;  ///< with units
    std::vector<std::vector<std::string>> rows;
};

enum class TableFormat { tsv, csv, markdown };

/// Rows that are shorter than the header are filled up with empty cells. CSV as RFC 4180 has it, lines ended by \n.
std::string table_text(const TextTable&, TableFormat);

}  // namespace convscope::app
