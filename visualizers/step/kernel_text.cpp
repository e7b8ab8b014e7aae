#include "visualizers/step/kernel_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

namespace convscope {
namespace {

/// A word, a number, or a single sign.
struct Token {
    std::string_view text;
    std::size_t at = 0;
    bool word = false;
};

bool letter_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::vector<Token> tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[i]))) {
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        const bool word = letter_of_word(text[i]);
        while (word && end < text.size() && letter_of_word(text[end])) ++end;
        tokens.push_back({text.substr(i, end - i), i, word && !std::isdigit(static_cast<unsigned char>(text[i]))});
        i = end;
    }
    return tokens;
}

/// The place behind the bracket that closes the one at 'open'; the tokens' number where none does.
std::size_t behind_bracket(const std::vector<Token>& tokens, std::size_t open, std::string_view opens,
                           std::string_view closes) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        depth += (tokens[i].text == opens) - (tokens[i].text == closes);
        if (depth == 0) return i + 1;
    }
    return tokens.size();
}

template <std::size_t N>
bool among(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

/// Whether the word before a name makes this the name's declaration.
bool declares_next(const Token& before) {
    constexpr std::array<std::string_view, 7> none{"return", "else", "case", "goto", "throw", "do", "sizeof"};
    return (before.word && !among(none, before.text)) || before.text == ">" || before.text == "&" || before.text == "*";
}

bool ends_declared_name(std::string_view sign) {
    constexpr std::array<std::string_view, 6> signs{"=", ";", ",", ")", "[", "{"};
    return among(signs, sign);
}

}  // namespace

std::string without_comments(std::string_view text) {
    std::string plain(text);
    for (std::size_t i = 0; i + 1 < plain.size(); ++i) {
        if (plain[i] != '/' || (plain[i + 1] != '/' && plain[i + 1] != '*')) continue;
        const bool line = plain[i + 1] == '/';
        const std::size_t found = line ? plain.find('\n', i) : plain.find("*/", i + 2);
        const std::size_t end = found == std::string::npos ? plain.size() : line ? found : found + 2;
        for (; i < end; ++i)
            if (plain[i] != '\n') plain[i] = ' ';
        --i;
    }
    return plain;
}

KernelText::KernelText(std::string_view text, unsigned head) {
    if (head == 0) return;
    const std::string plain = without_comments(text);
    std::size_t begin = 0;
    for (unsigned line = 1; line < head; ++line) {
        begin = plain.find('\n', begin);
        if (begin == std::string::npos) return;
        ++begin;
    }
    const std::string_view from_head = std::string_view(plain).substr(begin);
    std::vector<Token> tokens = tokens_of(from_head);
    const auto parameters = std::ranges::find(tokens, "(", &Token::text);
    if (parameters == tokens.end()) return;
    const std::size_t body = static_cast<std::size_t>(std::ranges::find(tokens, "{", &Token::text) - tokens.begin());
    if (body == tokens.size()) return;
    const std::size_t end = behind_bracket(tokens, body, "{", "}");
    const std::size_t last = end == tokens.size() ? from_head.size() : tokens[end - 1].at;
    first_ = head;
    last_ = head + static_cast<unsigned>(std::ranges::count(from_head.substr(0, last), '\n'));
    tokens.resize(end);

    constexpr std::array<std::string_view, 2> whole{"int", "unsigned"};
    std::map<std::string, int, std::less<>> times;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].word || !ends_declared_name(tokens[i + 1].text) || !declares_next(tokens[i - 1])) continue;
        const std::string name(tokens[i].text);
        declared_.insert(name);
        if (tokens[i - 1].word) ++times[name];
        const bool fixed = i >= 2 && (tokens[i - 2].text == "const" || tokens[i - 2].text == "constexpr");
        if (!fixed || !among(whole, tokens[i - 1].text) || tokens[i + 1].text != "=") continue;
        std::size_t stop = i + 2;
        while (stop < tokens.size() && tokens[stop].text != ";") ++stop;
        if (stop == tokens.size() || stop == i + 2) continue;
        constexpr std::array<std::string_view, 9> signs{"+", "-", "*", "/", "%", "(", ")", ".", ","};
        const bool arithmetic = std::all_of(
            tokens.begin() + static_cast<std::ptrdiff_t>(i + 2), tokens.begin() + static_cast<std::ptrdiff_t>(stop),
            [&](const Token& each) { return letter_of_word(each.text.front()) || among(signs, each.text); });
        const std::size_t start = tokens[i + 2].at;
        if (arithmetic) constants_[name] = std::string(from_head.substr(start, tokens[stop].at - start));
    }
    std::erase_if(constants_, [&](const auto& each) { return times[each.first] != 1; });
}

const std::string* KernelText::constant(const std::string& name) const {
    const auto found = constants_.find(name);
    return found == constants_.end() ? nullptr : &found->second;
}

std::optional<GivenName> given_name(std::string_view line) {
    const std::string plain = without_comments(line);
    const std::vector<Token> tokens = tokens_of(plain);
    const auto count = [&](std::string_view text) { return std::ranges::count(tokens, text, &Token::text); };
    const auto equals = static_cast<std::size_t>(std::ranges::find(tokens, "=", &Token::text) - tokens.begin());
    if (count("=") != 1 || equals == 0 || equals + 3 >= tokens.size()) return std::nullopt;
    const Token& name = tokens[equals - 1];
    constexpr std::array<std::string_view, 4> behind{";", "{", "}", ")"};
    const bool whole_name =
        name.word && (equals == 1 || tokens[equals - 2].word || among(behind, tokens[equals - 2].text));
    if (!whole_name) return std::nullopt;  // a member, an element, or what a pointer leads to
    const bool product = tokens[equals + 1].text == "fmaf" && tokens[equals + 2].text == "(";
    if (product) {
        const std::size_t end = behind_bracket(tokens, equals + 2, "(", ")");
        if (count("fmaf") != 1 || end >= tokens.size() || tokens[end].text != ";") return std::nullopt;
        return GivenName{std::string(name.text), true};
    }
    if (!tokens[equals + 1].word || tokens[equals + 2].text != "[" || count("[") != 1) return std::nullopt;
    const std::size_t end = behind_bracket(tokens, equals + 2, "[", "]");
    if (end >= tokens.size() || tokens[end].text != ";") return std::nullopt;
    return GivenName{std::string(name.text), false, equals >= 2 && tokens[equals - 2].text == "int"};
}

}  // namespace convscope
