// Source text prepared for drawing: what is a comment or a keyword, how far a line is indented, which name is where. No
// ImGui here.
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

/// How a line is shown: its text from 'first' on, behind 'indent' blank columns.
struct CodeIndent {
    std::size_t first = 0, indent = 0;
    bool operator==(const CodeIndent&) const = default;
};

/// Indents the lines so that nested code stays near the left edge: the indentation that all lines share goes, each
/// further level takes two columns, and a line that is aligned with something in the line above hangs in by four.
std::vector<CodeIndent> dedent(const std::vector<std::string_view>& lines);

/// The name that holds the character 'at', with what it is a member of and its own members: "threadIdx.x", "F_data".
/// Empty in a comment, a number, a blank or behind the line's end.
std::string_view name_at(std::string_view line, std::size_t at);

}  // namespace convscope
