// Small helpers on text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convscope {

/// "a,b,,c" at ',' gives four parts, one of them empty; an empty text gives one empty part.
inline std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, begin)) {
        parts.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

/// The text without blanks and line ends around it.
inline std::string trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

/// Converts ASCII letters only.
constexpr char lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string lower_case(std::string_view text) {
    std::string small(text);
    for (char& c : small) c = lower_case(c);
    return small;
}

inline std::string upper_case(std::string_view text) {
    std::string large(text);
    for (char& c : large) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return large;
}

/// The parts between commas that no bracket encloses, empty ones too. 'brackets' are pairs of one opening and its
/// closing one.
inline std::vector<std::string> split_list(std::string_view text, std::string_view brackets = "()") {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : text) {
        if (const std::size_t at = brackets.find(c); at != std::string_view::npos) depth += at % 2 == 0 ? 1 : -1;
        if (c == ',' && depth == 0)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/// The text with every 'what', which is not empty, replaced.
inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

/// The text as one word for a POSIX shell: in quotes, unless it is plain.
inline std::string shell_word(const std::string& text) {
    constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
    return "'" + replaced(text, "'", "'\\''") + "'";
}

inline bool digits_only(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace convscope
