// Mathematics as a tree: rows of symbols, fractions, subscripts, brackets, and terms that have a number under their
// symbol. Read from a small part of TeX's notation (docs/lessons.md). No ImGui.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convscope {

struct Math {
    enum class Kind {
        row,       ///< parts one after the other
        text,      ///< letters, digits or a sign
        fraction,  ///< parts: above, below
        script,    ///< parts: what carries them, subscript, superscript; either script may be an empty row
        fence,     ///< parts: what stands between the brackets 'text' and 'close', as tall as it is
        term       ///< parts: a symbol and what stands under it
    };
    Kind kind = Kind::row;
    std::string text, close;  ///< UTF-8
    std::vector<Math> parts;
    int term = -1;           ///< meaning of a term, as its maker counts them
    bool slanted = false;    ///< a text that is a variable
    bool spaced = false;     ///< a text that is a sign between two operands
    bool may_break = false;  ///< in the outermost row: a line may begin with it

    bool empty() const { return kind == Kind::row && parts.empty(); }
    bool operator==(const Math&) const = default;
};

Math math_row(std::vector<Math>);
/// Upright, as it is: "81", "stride".
Math math_text(std::string);
/// A sign between two operands: "+", "\u00b7", "=".
Math math_sign(std::string);
/// A variable, with its subscript where there is one: "k", "w".
Math math_symbol(const std::string& name, const std::string& subscript = {});
/// The symbol as it is written in plain text: "k_w", "stride_h", "n".
Math math_of_name(const std::string&);
Math math_fraction(Math above, Math below);
Math math_power(Math base, std::string power);
/// Between brackets, "(" and ")" unless others are given.
Math math_fence(Math inside, std::string open = "(", std::string close = ")");
Math math_term(Math symbol, Math number, int term);

inline constexpr std::size_t max_math_letters = 600, max_math_depth = 24;
/// Parses the text between the dollars. Unset where it is not valid; 'problem' then says why in a phrase: "a { has no
/// }". Letters from U+E000 on are numbers; they stand for numbers that are known later.
std::optional<Math> parse_math(std::string_view, std::string& problem);

/// On one line, as it would be typed: "((i_w - k_w)/c_s + 1)". Of terms the symbols, or with 'numbers' what is under
/// them.
std::string plain_text(const Math&, bool numbers = false);

/// Allowed line breaks in a one-line formula: the original ones, at all sums too, or at products as well.
enum class MathBreaks { as_before, at_sums, at_products };
/// The formula without anything taller than a line: fractions with a slash.
Math in_one_line(const Math&, MathBreaks = MathBreaks::as_before);

/// Whether any of it is a term, so that it takes two lines: one of symbols and one of numbers.
bool has_terms(const Math&);

}  // namespace convscope
