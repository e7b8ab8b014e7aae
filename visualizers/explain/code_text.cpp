#include "visualizers/explain/code_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace convscope {
namespace {

constexpr std::size_t narrow_columns = 64, hanging_indent = 4, min_columns = 16;
constexpr std::size_t deepest_step = 4;  // a line further in is aligned with something in the line above

constexpr std::array keywords{
    "auto",      "bool",          "break",          "case",         "const",       "constexpr", "continue", "do",
    "double",    "else",          "false",          "float",        "for",         "if",        "int",      "long",
    "namespace", "return",        "short",          "static",       "static_cast", "struct",    "switch",   "template",
    "true",      "typename",      "unsigned",       "using",        "void",        "while",     "KERNEL",   "DEVICE",
    "Global",    "Shared",        "DYNAMIC_SHARED", "SHARED_ARRAY", "UNROLL",      "threadIdx", "blockIdx", "blockDim",
    "gridDim",   "__syncthreads", "__syncwarp"};

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool is_keyword(std::string_view word) {
    return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

/// Where to break what begins at 'first' so that at most 'room' characters stand before it.
std::size_t break_at(std::string_view line, std::size_t first, std::size_t room) {
    for (std::size_t at = first + room; at > first; --at)
        if (line[at] == ' ') return at;
    return first + room;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::vector<CodeSpan> spans_of(std::string_view line) {
    std::vector<CodeSpan> spans;
    auto add = [&spans](std::size_t first, std::size_t count, CodeKind kind) {
        if (!spans.empty() && spans.back().kind == kind)
            spans.back().count += count;
        else
            spans.push_back({first, count, kind});
    };
    for (std::size_t at = 0; at < line.size();) {
        if (line.substr(at).starts_with("//")) {
            add(at, line.size() - at, CodeKind::comment);
            break;
        }
        std::size_t end = at + 1;
        if (in_word(line[at]))
            while (end < line.size() && in_word(line[end])) ++end;
        add(at, end - at, is_keyword(line.substr(at, end - at)) ? CodeKind::keyword : CodeKind::plain);
        at = end;
    }
    return spans;
}

std::vector<CodeRow> wrap_code(const std::vector<std::string_view>& lines, std::size_t columns) {
    columns = std::max(columns, min_columns);
    std::vector<CodeRow> rows;
    std::size_t outer = 0;  ///< indentation of the latest line that does not continue another
    for (std::size_t number = 0; number < lines.size(); ++number) {
        const std::string_view line = lines[number];
        std::size_t first = std::min(line.find_first_not_of(' '), line.size());
        const bool aligned = first > outer + deepest_step;
        if (!aligned && first < line.size()) outer = first;
        auto narrowed = [&](std::size_t blanks) { return columns < narrow_columns ? blanks / 2 : blanks; };
        std::size_t indent = std::min(narrowed(outer) + (aligned ? hanging_indent : 0), columns / 2);
        const std::size_t next_indent = std::min(narrowed(outer) + hanging_indent, columns / 2);
        do {
            const std::size_t room = columns - indent;
            const std::size_t end = line.size() - first <= room ? line.size() : break_at(line, first, room);
            rows.push_back({number, first, end - first, indent});
            first = std::min(line.find_first_not_of(' ', end), line.size());
            indent = next_indent;
        } while (first < line.size());
    }
    return rows;
}

}  // namespace convscope
