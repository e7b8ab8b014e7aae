#include "kernels/ptx/text/source_constants.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <regex>
#include <string_view>

namespace convscope::ptx {
namespace {

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
        while (!at_end() && is_word_letter(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    bool take(char wanted) {
        if (at_end() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    /// As far as one of these that no brackets enclose, or the line's end where that is one; blanks at the end aside.
    SourceConstant value(std::string name, std::string_view ends) {
        skip_blanks(" \t");
        const std::size_t begin = at_;
        for (int depth = 0; !at_end() && !(ends.find(next()) != ends.npos && (depth <= 0 || next() == '\n')); step())
            depth += (next() == '(') - (next() == ')');
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

/// Behind "const" or "constexpr": words, the last of them a name, "= VALUE", and after a ',' the next name.
std::vector<SourceConstant> read_constants(Words& words) {
    std::vector<SourceConstant> constants;
    std::string name;
    for (;;) {
        words.skip_blanks();
        while (words.take(':')) words.skip_blanks();
        if (std::string word = words.word(); !word.empty()) {
            name = std::move(word);
            continue;
        }
        if (name.empty() || !words.take('=')) return constants;
        SourceConstant constant = words.value(std::move(name), ",;{}=");
        if (words.next() != ',' && words.next() != ';') return constants;
        if (constant.end > constant.begin) constants.push_back(std::move(constant));
        if (!words.take(',')) return constants;
        name.clear();
    }
}

std::optional<std::int64_t> value_of(const SourceConstant& constant, const std::string& source) {
    std::string_view value = std::string_view(source).substr(constant.begin, constant.end - constant.begin);
    while (value.size() > 2 && value.front() == '(' && value.back() == ')') value = value.substr(1, value.size() - 2);
    return whole_number(std::string(value));
}

/// '#include "FILE"'
bool includes_own_files(const std::string& source) {
    static const std::regex include(R"(#[ \t]*include[ \t]*")");
    return std::regex_search(source, include);
}

}  // namespace

bool is_word_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::optional<std::int64_t> whole_number(const std::string& text) {
    if (text.empty() || std::isspace(static_cast<unsigned char>(text[0]))) return std::nullopt;
    char* end = nullptr;
    errno = 0;
    const std::int64_t value = std::strtoll(text.c_str(), &end, 0);
    if (errno != 0 || end == text.c_str()) return std::nullopt;
    const std::string_view suffix(end);
    return suffix.size() <= 3 && suffix.find_first_not_of("uUlL") == std::string_view::npos ? std::optional(value)
                                                                                            : std::nullopt;
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
    int depth = 0;
    while (!words.at_end()) {
        if (words.take('#')) {
            if (auto found = read_define(words, text)) constants.push_back(std::move(*found));
        } else if (is_word_letter(words.next())) {
            const std::string word = words.word();
            if (depth > 0 || (word != "constexpr" && word != "const")) continue;
            for (SourceConstant& found : read_constants(words))
                if (word == "constexpr" || value_of(found, text)) constants.push_back(std::move(found));
        } else {
            depth += (words.next() == '(') - (words.next() == ')');
            words.step();
        }
    }
    return constants;
}

std::map<std::string, std::int64_t> whole_constants(const std::string& source) {
    std::map<std::string, std::optional<std::int64_t>> values;
    for (const SourceConstant& constant : source_constants(source)) {
        const auto value = value_of(constant, source);
        const auto [known, first] = values.emplace(constant.name, value);
        if (!first && known->second != value) known->second.reset();
    }
    std::map<std::string, std::int64_t> whole;
    for (const auto& [name, value] : values)
        if (value) whole.emplace(name, *value);
    return whole;
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

bool may_use(const std::string& source, const std::string& define) {
    if (includes_own_files(source)) return true;
    const std::string text = without_comments(source), name = define.substr(0, define.find_first_of("(="));
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
        if ((at == 0 || !is_word_letter(text[at - 1])) &&
            (at + name.size() == text.size() || !is_word_letter(text[at + name.size()])))
            return true;
    return false;
}

}  // namespace convscope::ptx
