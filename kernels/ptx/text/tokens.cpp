#include "kernels/ptx/text/tokens.h"

#include <algorithm>

namespace convscope::ptx {
namespace {

bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '%' || c == '.';
}

/// The end of the token at 'at'.
std::size_t end_of_token(std::string_view text, std::size_t at) {
    if (text[at] == '"') {
        std::size_t end = at + 1;
        while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
        return std::min(end + 1, text.size());
    }
    std::size_t end = at;
    while (end < text.size()) {
        if (in_word(text[end]))
            ++end;
        else if (text.substr(end, 2) == "::")
            end += 2;
        else
            break;
    }
    return std::max(end, at + 1);
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    std::uint32_t line = 1;
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == '\n') ++line;
        if (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r' || text[at] == '\0') {
            ++at;
        } else if (text.substr(at, 2) == "//") {
            at = std::min(text.find('\n', at), text.size());
        } else if (text.substr(at, 2) == "/*") {
            const std::size_t end = std::min(text.find("*/", at), text.size());
            line += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
            at = std::min(end + 2, text.size());
        } else {
            const std::size_t end = end_of_token(text, at);
            tokens.push_back({text.substr(at, end - at), line});
            at = end;
        }
    }
    tokens.push_back({{}, line});
    return tokens;
}

}  // namespace convscope::ptx
