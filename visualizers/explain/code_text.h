// Source text prepared for drawing: what is a comment or a keyword, and where long lines are broken. No ImGui here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace convscope {

enum class CodeKind : std::uint8_t { plain, keyword, comment };

/// Characters first .. first + count of a line.
struct CodeSpan {
    std::size_t first = 0, count = 0;
    CodeKind kind = CodeKind::plain;
    bool operator==(const CodeSpan&) const = default;
};

std::vector<std::string_view> lines_of(std::string_view text);

/// The whole line in spans, of C++ and CUDA with comments of the // kind. Keywords are the language's, the dialect's
/// (KERNEL, Global) and CUDA's built-in variables.
std::vector<CodeSpan> spans_of(std::string_view line);

/// One row on screen: a part of a line behind 'indent' blanks.
struct CodeRow {
    std::size_t line = 0;  ///< from 0
    std::size_t first = 0, count = 0;
    std::size_t indent = 0;
    bool operator==(const CodeRow&) const = default;
};

/// Breaks lines that are longer than 'columns' between words, the rest indented further; a word that is longer is
/// broken where the row ends. Indentation is halved where a row has fewer than 64 columns; a line that is
/// aligned with something in the line above is indented as its rest would be.
std::vector<CodeRow> wrap_code(const std::vector<std::string_view>& lines, std::size_t columns);

}  // namespace convscope
