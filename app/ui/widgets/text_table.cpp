#include "app/ui/widgets/text_table.h"

#include <fmt/format.h>

#include "kernels/core/text.h"

namespace convscope::app {
namespace {

std::string cell(const std::string& text, TableFormat format) {
    switch (format) {
        case TableFormat::tsv:
            return replaced(replaced(text, "\t", " "), "\n", " ");
        case TableFormat::csv:
            if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
            return fmt::format("\"{}\"", replaced(text, "\"", "\"\""));
        case TableFormat::markdown:
            return replaced(replaced(text, "|", "\\|"), "\n", " ");
    }
    return text;
}

std::string line(const std::vector<std::string>& cells, std::size_t columns, TableFormat format) {
    const bool markdown = format == TableFormat::markdown;
    const std::string between = markdown ? " | " : format == TableFormat::csv ? "," : "\t";
    std::string text = markdown ? "| " : "";
    for (std::size_t i = 0; i < columns; ++i) {
        if (i > 0) text += between;
        if (i < cells.size()) text += cell(cells[i], format);
    }
    return text + (markdown ? " |\n" : "\n");
}

}  // namespace

std::string table_text(const TextTable& table, TableFormat format) {
    const std::size_t columns = table.header.size();
    std::string text = line(table.header, columns, format);
    if (format == TableFormat::markdown) text += line(std::vector<std::string>(columns, "---"), columns, format);
    for (const std::vector<std::string>& row : table.rows) text += line(row, columns, format);
    return text;
}

}  // namespace convscope::app
