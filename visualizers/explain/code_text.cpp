#include "visualizers/explain/code_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace convscope {
namespace {

constexpr std::size_t level_columns = 2, hanging_columns = 4, tab_columns = 4;
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

/// Columns before a line's text; a tab goes on to the next fourth.
std::size_t indentation(std::string_view line) {
    std::size_t columns = 0;
    for (const char c : line) {
        if (c != ' ' && c != '\t') break;
        columns += c == ' ' ? 1 : tab_columns - columns % tab_columns;
    }
    return columns;
}

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
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

std::vector<CodeIndent> dedent(const std::vector<std::string_view>& lines) {
    std::size_t shared = std::string_view::npos;
    for (const std::string_view line : lines)
        if (!is_blank(line)) shared = std::min(shared, indentation(line));
    std::vector<CodeIndent> shown;
    std::vector<std::size_t> levels{shared};  // the indentations of what encloses a line, and its own
    for (const std::string_view line : lines) {
        if (is_blank(line)) {
            shown.push_back({line.size(), 0});
            continue;
        }
        const std::size_t first = line.find_first_not_of(" \t"), columns = indentation(line);
        if (line[first] == '#') {  // stands outside of the nesting
            shown.push_back({first, 0});
            continue;
        }
        std::size_t depth = levels.size();
        while (depth > 1 && levels[depth - 1] > columns) --depth;
        const bool aligned = columns > levels[depth - 1] + deepest_step;
        if (!aligned) levels.resize(depth);
        if (!aligned && columns > levels.back()) levels.push_back(columns);
        const std::size_t outer = aligned ? levels.size() : levels.size() - 1;
        shown.push_back({first, aligned ? (outer - 1) * level_columns + hanging_columns : outer * level_columns});
    }
    return shown;
}

std::string_view name_at(std::string_view line, std::size_t at) {
    if (at >= line.size() || !in_word(line[at]) || line.substr(0, at).find("//") != std::string_view::npos) return {};
    std::size_t begin = at, end = at;
    const auto in_name = [&](std::size_t i) {  // a point belongs to it between two words
        return in_word(line[i]) ||
               (line[i] == '.' && i > 0 && i + 1 < line.size() && in_word(line[i - 1]) && in_word(line[i + 1]));
    };
    while (begin > 0 && in_name(begin - 1)) --begin;
    while (end < line.size() && in_name(end)) ++end;
    if (std::isdigit(static_cast<unsigned char>(line[begin]))) return {};
    return line.substr(begin, end - begin);
}

}  // namespace convscope
