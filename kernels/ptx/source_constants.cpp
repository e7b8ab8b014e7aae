#include "kernels/ptx/source_constants.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace convscope::ptx {
namespace {

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Reads words of a text whose comments are blank.
class Words {
public:
    explicit Words(const std::string& text) : text_(text) {}

    std::size_t at() const { return at_; }
    bool at_end() const { return at_ >= text_.size(); }
    void skip_blanks(std::string_view blanks = " \t\r\n") {
        at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    }
    /// Empty where no word begins here.
    std::string word() {
        const std::size_t begin = at_;
        while (!at_end() && in_word(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    bool take(char wanted) {
        if (at_end() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    /// As far as one of these, blanks at the end aside.
    SourceConstant value(std::string name, std::string_view ends) {
        skip_blanks(" \t");
        const std::size_t begin = at_;
        at_ = std::min(text_.find_first_of(ends, at_), text_.size());
        std::size_t end = at_;
        while (end > begin && std::isspace(static_cast<unsigned char>(text_[end - 1]))) --end;
        return {std::move(name), begin, end};
    }
    char next() const { return at_end() ? '\0' : text_[at_]; }
    void step() { ++at_; }

private:
    const std::string& text_;
    std::size_t at_ = 0;
};

/// Behind "#": "define NAME VALUE", neither a macro with parameters nor one of several lines.
std::optional<SourceConstant> read_define(Words& words, const std::string& text) {
    words.skip_blanks(" \t");
    if (words.word() != "define") return std::nullopt;
    words.skip_blanks(" \t");
    std::string name = words.word();
    if (name.empty() || words.next() == '(') return std::nullopt;
    SourceConstant constant = words.value(std::move(name), "\n");
    const bool has_value = constant.end > constant.begin && text[constant.end - 1] != '\\';
    return has_value ? std::optional(constant) : std::nullopt;
}

/// Behind "const" or "constexpr": words, the last of them the name, then "= VALUE" as far as ';'.
std::optional<SourceConstant> read_constant(Words& words) {
    std::string name;
    for (;;) {
        words.skip_blanks();
        while (words.take(':')) words.skip_blanks();
        std::string word = words.word();
        if (word.empty()) break;
        name = std::move(word);
    }
    if (name.empty() || !words.take('=')) return std::nullopt;
    SourceConstant constant = words.value(std::move(name), ",;(){}=");
    const bool has_value = constant.end > constant.begin && (words.next() == ';' || words.next() == ',');
    return has_value ? std::optional(constant) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> whole_number(const std::string& text) {
    if (text.empty() || std::isspace(static_cast<unsigned char>(text[0]))) return std::nullopt;
    char* end = nullptr;
    errno = 0;
    const std::int64_t value = std::strtoll(text.c_str(), &end, 0);
    if (errno != 0 || end != text.c_str() + text.size()) return std::nullopt;
    return value;
}

std::string without_comments(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t end = i;
        if (text.compare(i, 2, "//") == 0)
            end = std::min(text.find('\n', i), text.size());
        else if (text.compare(i, 2, "/*") == 0)
            end = std::min(text.find("*/", i), text.size() - 2) + 2;
        else if (text[i] == '"')
            for (end = i + 1; end < text.size() && text[end - 1 + (end == i + 1)] != '"' && text[end] != '\n';) ++end;
        for (; i < end; ++i)
            if (text[i] != '\n') text[i] = ' ';
    }
    return text;
}

std::vector<SourceConstant> source_constants(const std::string& source) {
    const std::string text = without_comments(source);
    std::vector<SourceConstant> constants;
    Words words(text);
    while (!words.at_end()) {
        std::optional<SourceConstant> found;
        if (words.take('#')) {
            found = read_define(words, text);
        } else if (in_word(words.next())) {
            const std::string word = words.word();
            if (word == "constexpr" || word == "const") found = read_constant(words);
            if (found && word == "const" && !whole_number(text.substr(found->begin, found->end - found->begin)))
                found.reset();
        } else {
            words.step();
        }
        if (found) constants.push_back(std::move(*found));
    }
    return constants;
}

DefinedSource with_defines(const std::string& source, const std::vector<std::string>& defines) {
    DefinedSource made{source, {}};
    const std::vector<SourceConstant> constants = source_constants(source);
    std::vector<std::optional<std::string>> values(constants.size());
    for (const std::string& define : defines) {
        const std::size_t equals = define.find('=');
        bool known = false;
        for (std::size_t i = 0; i < constants.size(); ++i)
            if (constants[i].name == define.substr(0, equals)) {
                values[i] = equals == std::string::npos ? "1" : define.substr(equals + 1);
                known = true;
            }
        if (!known) made.defines.push_back(define);
    }
    // From the last on: places before it stay.
    for (std::size_t i = constants.size(); i-- > 0;)
        if (values[i]) made.text.replace(constants[i].begin, constants[i].end - constants[i].begin, *values[i]);
    return made;
}

bool mentions(const std::string& source, const std::string& name) {
    const std::string text = without_comments(source);
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
        if ((at == 0 || !in_word(text[at - 1])) &&
            (at + name.size() == text.size() || !in_word(text[at + name.size()])))
            return true;
    return false;
}

}  // namespace convscope::ptx
