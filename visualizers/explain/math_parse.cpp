// Reads the part of TeX's notation that docs/lessons.md describes.
#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

#include "visualizers/explain/math.h"

namespace convscope {
namespace {

struct Command {
    std::string_view name;
    const char* sign;
    bool spaced;
};
constexpr std::array commands{
    Command{"cdot", "\u00b7", true}, Command{"times", "\u00d7", true},  Command{"le", "\u2264", true},
    Command{"ge", "\u2265", true},   Command{"ne", "\u2260", true},     Command{"approx", "\u2248", true},
    Command{"to", "\u2192", true},   Command{"ldots", "\u2026", false}, Command{"%", "%", false},
    Command{"$", "$", false},        Command{"_", "_", false}};

std::string accepted_commands() {
    std::string all = "\\frac, \\text, \\underset, \\lfloor, \\rfloor, \\lceil, \\rceil";
    for (const Command& each : commands) all += ", \\" + std::string(each.name);
    return all;
}

/// Throws nothing: what is wrong first is kept, and the rest is not read.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::optional<Math> read(std::string& problem) {
        if (text_.size() > max_math_letters) fail("it is longer than " + std::to_string(max_math_letters) + " letters");
        Math math = row(0);
        if (at_ < text_.size()) fail("a } or a bracket closes nothing");
        if (math.empty()) fail("there is nothing in it");
        problem = problem_;
        if (!problem.empty()) return std::nullopt;
        for (Math& part : math.parts) part.may_break = part.spaced;
        if (has_terms(math)) set_result_apart(math.parts);
        return math;
    }

private:
    Math fail(std::string why) {
        if (problem_.empty()) problem_ = std::move(why);
        at_ = text_.size();
        return {};
    }
    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }

    /// Among numbers under symbols, what stands behind the last = is their result: a number, with nothing above it.
    static void set_result_apart(std::vector<Math>& parts) {
        const auto last = std::find_if(parts.rbegin(), parts.rend(), [](const Math& part) {
            return has_terms(part) || (part.spaced && part.text == "=");
        });
        if (last == parts.rend() || has_terms(*last)) return;
        const auto result = std::prev(last.base());
        Math number = math_row({std::make_move_iterator(result), std::make_move_iterator(parts.end())});
        parts.erase(result, parts.end());
        parts.push_back(math_term(Math{}, std::move(number), -1));
    }

    bool at_end() const { return at_ >= text_.size(); }
    bool next_is(std::string_view what) const { return !at_end() && text_.substr(at_).starts_with(what); }

    /// Up to a closing brace, a closing bracket or the end, which are left.
    Math row(std::size_t depth) {
        if (depth > max_math_depth) return fail("it is nested too deeply");
        std::vector<Math> parts;
        for (skip_blanks(); !ends_row(); skip_blanks()) {
            Math next = atom(depth);
            next = scripts(std::move(next), depth);
            if (!next.empty()) parts.push_back(std::move(next));
        }
        return math_row(std::move(parts));
    }

    bool ends_row() const {
        return at_end() || std::ranges::any_of(std::array{"}", ")", "]", "\\rfloor", "\\rceil"},
                                               [&](auto end) { return next_is(end); });
    }

    Math group(std::size_t depth) {
        skip_blanks();
        if (!next_is("{")) return fail("a { is missing");
        ++at_;
        Math inside = row(depth + 1);
        if (!next_is("}")) return fail("a { has no }");
        ++at_;
        return inside;
    }

    Math fence(std::string_view open, std::string_view close, const char* left, const char* right, std::size_t depth) {
        at_ += open.size();
        Math inside = row(depth + 1);
        if (!next_is(close)) return fail("a bracket is not closed");
        at_ += close.size();
        return math_fence(std::move(inside), left, right);
    }

    Math atom(std::size_t depth) {
        const char c = text_[at_];
        if (c == '{') return group(depth);
        if (c == '(') return fence("(", ")", "(", ")", depth);
        if (c == '[') return fence("[", "]", "[", "]", depth);
        if (next_is("\\lfloor")) return fence("\\lfloor", "\\rfloor", "\u230a", "\u230b", depth);
        if (next_is("\\lceil")) return fence("\\lceil", "\\rceil", "\u2308", "\u2309", depth);
        if (c == '\\') return command(depth);
        if (c == '_' || c == '^') return fail(std::string("a ") + c + " stands behind nothing");
        if (is_digit(at_)) return number();
        ++at_;
        if (std::isalpha(static_cast<unsigned char>(c))) {
            std::string name(1, c);
            for (; next_is("'"); ++at_) name += "\u2032";
            Math letter = math_text(std::move(name));
            letter.slanted = true;
            return letter;
        }
        if (c == '-') return math_sign("\u2212");
        if (std::string_view("+=<>").find(c) != std::string_view::npos) return math_sign(std::string(1, c));
        if (std::string_view("/,.;:!|%").find(c) != std::string_view::npos) return math_text(std::string(1, c));
        if (static_cast<unsigned char>(c) >= 0x80) {  // a letter of several bytes, as it is
            std::string letter(1, c);
            while (!at_end() && (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80) letter += text_[at_++];
            return math_text(std::move(letter));
        }
        return fail(std::string("'") + c + "' is not part of the notation");
    }

    bool is_digit(std::size_t i) const {
        return i < text_.size() && std::isdigit(static_cast<unsigned char>(text_[i]));
    }

    Math number() {
        const std::size_t from = at_;
        while (is_digit(at_) || (next_is(".") && is_digit(at_ + 1))) ++at_;
        return math_text(std::string(text_.substr(from, at_ - from)));
    }

    Math command(std::size_t depth) {
        std::size_t end = at_ + 1;
        while (end < text_.size() && std::isalpha(static_cast<unsigned char>(text_[end]))) ++end;
        if (end == at_ + 1 && end < text_.size()) ++end;  // one sign: \%
        const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end;
        if (name == "frac" || name == "underset") {
            Math first = group(depth), second = group(depth);
            return name == "frac" ? math_fraction(std::move(first), std::move(second))
                                  : math_term(std::move(second), std::move(first), -1);
        }
        if (name == "text") return words();
        for (const Command& each : commands)
            if (each.name == name) return each.spaced ? math_sign(each.sign) : math_text(each.sign);
        return fail("\\" + std::string(name) + " is not known; accepted are " + accepted_commands());
    }

    /// As they stand, blanks and underscores included.
    Math words() {
        skip_blanks();
        const std::size_t end = text_.find('}', at_);
        if (!next_is("{") || end == std::string_view::npos) return fail("\\text has no { and }");
        const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return math_text(std::string(inside));
    }

    Math scripts(Math base, std::size_t depth) {
        Math below, above;
        for (skip_blanks(); next_is("_") || next_is("^"); skip_blanks()) {
            Math& script = text_[at_] == '_' ? below : above;
            if (!script.empty()) return fail("two scripts of one kind stand behind each other");
            ++at_;
            skip_blanks();
            if (ends_row()) return fail("a script is missing");
            script = words_of(atom(depth + 1));
        }
        if (below.empty() && above.empty()) return base;
        Math math;
        math.kind = Math::Kind::script;
        math.parts = {std::move(base), std::move(below), std::move(above)};
        return math;
    }

    /// Letters side by side in a script are a word: the stride's in p_{stride}.
    static Math words_of(Math math) {
        if (math.kind != Math::Kind::row || math.empty()) return math;
        std::string word;
        for (const Math& part : math.parts) {
            if (part.kind != Math::Kind::text || !part.slanted) return math;
            word += part.text;
        }
        Math text = math_text(word);
        text.slanted = math.parts.size() == 1;
        return text;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string problem_;
};

}  // namespace

std::optional<Math> parse_math(std::string_view text, std::string& problem) {
    return Reader(text).read(problem);
}

}  // namespace convscope
