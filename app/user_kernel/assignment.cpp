#include "app/user_kernel/assignment.h"

#include <algorithm>

#include "app/user_kernel/generated_array.h"
#include "kernels/core/text.h"
#include "kernels/ptx/text/source_constants.h"

namespace convscope::app {
namespace {

constexpr auto nowhere = std::string_view::npos;

std::string_view without_blanks_behind(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return text.substr(0, last == nowhere ? 0 : last + 1);
}

/// "c" of "... c", and what stands before it.
std::string take_word(std::string_view& text) {
    std::size_t begin = text.size();
    while (begin > 0 && ptx::is_word_letter(text[begin - 1])) --begin;
    const std::string word(text.substr(begin));
    text = without_blanks_behind(text.substr(0, begin));
    return word;
}

/// Drops the "[i][j]" at the end; whether there was one.
bool drop_indices(std::string_view& text) {
    bool dropped = false;
    while (text.ends_with(']')) {
        int depth = 0;
        std::size_t open = text.size();
        do {
            --open;
            depth += (text[open] == ']') - (text[open] == '[');
        } while (open > 0 && depth > 0);
        text = without_blanks_behind(text.substr(0, open));
        dropped = true;
    }
    return dropped;
}

/// Where what is assigned ends, in a line: before its last "=", "+=", "++" and the like that no parentheses enclose.
std::size_t end_of_assigned(std::string_view line) {
    std::size_t found = nowhere;
    int depth = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i], before = i > 0 ? line[i - 1] : ' ', next = i + 1 < line.size() ? line[i + 1] : ' ';
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (depth != 0) continue;
        if ((c == '+' || c == '-') && next == c) {
            const std::size_t behind = line.find_first_not_of("+- \t", i);
            const bool prefix = behind != nowhere && ptx::is_word_letter(line[behind]);
            found = prefix ? std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(behind), line.end(),
                                              ptx::is_word_letter) -
                                 line.begin()
                           : i;
            ++i;
            continue;
        }
        if (c != '=' || before == '=' || before == '!' || next == '=') continue;
        const bool shift = i > 1 && (before == '<' || before == '>') && line[i - 2] == before;
        if (!shift && (before == '<' || before == '>')) continue;
        const bool compound = std::string_view("+-*/%&|^").find(before) != nowhere;
        found = shift ? i - 2 : compound ? i - 1 : i;
    }
    return found;
}

struct Declared {
    std::string type;
    bool pointer = false;
};

/// "unsigned int" of "const unsigned int* __restrict__", as far as element_type knows it.
Declared declared_by(std::string_view before) {
    Declared found;
    std::string type;
    for (before = without_blanks_behind(before); !before.empty();) {
        if (before.ends_with('*')) {
            found.pointer = true;
            before = without_blanks_behind(before.substr(0, before.size() - 1));
            continue;
        }
        const std::string word = take_word(before);
        if (word.empty()) break;
        if (word.starts_with("__restrict") || word == "const") continue;
        const std::string longer = type.empty() ? word : word + " " + type;
        if (!element_type(longer)) break;
        type = longer;
    }
    found.type = type;
    return found;
}

/// Finds the declaration of a name that is nearest before 'end'.
Declared declaration_of(const std::string& name, std::string_view text) {
    for (std::size_t at = text.rfind(name); at != nowhere; at = at == 0 ? nowhere : text.rfind(name, at - 1)) {
        const std::size_t behind = at + name.size();
        if ((at > 0 && ptx::is_word_letter(text[at - 1])) ||
            (behind < text.size() && ptx::is_word_letter(text[behind])))
            continue;
        Declared found = declared_by(text.substr(0, at));
        if (found.type.empty() && without_blanks_behind(text.substr(0, at)).ends_with(',')) {
            // One of several: "float a = 0, b".
            const std::size_t from = text.find_last_of(";{}(", at) + 1;
            const std::string_view others = text.substr(from, at - from);
            const std::size_t end = others.find_first_of("=,[");
            std::string_view first = without_blanks_behind(others.substr(0, end));
            take_word(first);
            found = declared_by(first);
        }
        if (!found.type.empty()) return found;
    }
    return {};
}

}  // namespace

std::optional<Assignment> assignment_in(const std::string& text, unsigned line) {
    std::size_t begin = 0;
    for (unsigned i = 1; i < line && begin != std::string::npos; ++i)
        if ((begin = text.find('\n', begin)) != std::string::npos) ++begin;
    if (begin == std::string::npos) return std::nullopt;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view whole = std::string_view(text).substr(begin, end - begin);
    const std::size_t assigned = end_of_assigned(whole);
    if (assigned == nowhere) return std::nullopt;
    std::string_view left = without_blanks_behind(whole.substr(0, assigned));
    bool element = drop_indices(left);
    Assignment found;
    found.name = take_word(left);
    if (found.name.empty()) return std::nullopt;
    if (left.ends_with('.') || left.ends_with("->")) return found;
    const Declared declared = declaration_of(found.name, std::string_view(text).substr(0, end));
    if (left.ends_with('*')) {  // "*p = ..." begins a statement, "float* p = ..." does not
        left = without_blanks_behind(left.substr(0, left.size() - 1));
        element |= left.empty() || std::string_view(";{})").find(left.back()) != nowhere;
    }
    found.type = declared.type;
    found.address = declared.pointer && !element;
    return found;
}

}  // namespace convscope::app
