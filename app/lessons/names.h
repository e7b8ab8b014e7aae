// The names that expressions may use: one table for the parser, the facts, the complaints and the documentation.
#pragma once

#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

namespace convscope::lessons {

/// The kind of word that a function takes.
enum class WordKind {
    none,
    array,
    matrix,
    method,
    view,
    tab,
    device,
    scope,
    cache,
    page,
    preset,
    model,
    rows,
    quantity,
    format,
    format_array,
    matrix_of,
    weight_pattern
};

struct Name {
    const char* name;
    const char* group;    ///< heading of the documentation: "shape"
    const char* meaning;  ///< one phrase, with the unit
};

struct Function {
    const char* name;
    WordKind word;  ///< none: it takes numbers alone
    int numbers;    ///< arguments after the word
    const char* group;
    const char* meaning;
};

/// Whether a letter can be part of a name.
inline bool in_name(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

const std::vector<Name>& names();
inline constexpr std::size_t function_count = 34;
const std::array<Function, function_count>& functions();
/// Whether a name or a function is called so.
bool is_name(const std::string&);

/// The words of each kind, but for methods, which the registry knows, rows (recorded_values.h) and quantities, which
/// are a plan's own.
const std::vector<std::string>& words(WordKind);
/// "an array", for complaints.
const char* to_string(WordKind);

}  // namespace convscope::lessons
