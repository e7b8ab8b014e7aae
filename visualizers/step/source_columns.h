// Letters and columns of source text, which the pane for code is drawn and pointed at by.
#pragma once

#include <cstddef>
#include <string_view>

namespace convscope {

constexpr float lit_line = 0.20F;          ///< how much of the accent is behind the current line
constexpr std::size_t count_columns = 6;   ///< of a count that is printed, the blank before it included
constexpr std::size_t wrapped_indent = 4;  ///< more of a wrapped line's further rows

/// Columns that a letter takes: four of a tab, none of a letter's further bytes in UTF-8.
inline std::size_t columns_of(char letter) {
    if (letter == '\t') return 4;
    return letter == '\r' || (static_cast<unsigned char>(letter) & 0xC0U) == 0x80U ? 0 : 1;
}
inline std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    for (const char letter : text) columns += columns_of(letter);
    return columns;
}
/// The character that stands at a column; the text's size where it ends before.
inline std::size_t character_at(std::string_view text, std::size_t column) {
    std::size_t columns = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        columns += columns_of(text[i]);
        if (columns > column) return i;
    }
    return text.size();
}

}  // namespace convscope
