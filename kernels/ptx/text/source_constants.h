// The named constants of a .cu file, such as a tile's size, and their replacement by other values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace convscope::ptx {

/// Whether a C identifier may contain it: a letter, a digit or '_'.
bool is_word_letter(char);

/// Reads a whole number as C does: 16, 0x10, 020, 16u.
std::optional<std::int64_t> whole_number(const std::string&);

/// Replaces comments and quoted texts by blanks: positions and lines stay.
std::string without_comments(std::string source);

struct SourceConstant {
    std::string name;
    std::size_t begin = 0, end = 0;  ///< of its value in the source
};

/// Finds "#define TILE 16", "constexpr int TILE = 16;" and "const int TILE = 16;" (const only with a whole number), in
/// the order of the source, repetitions included. Skips anything in parentheses.
std::vector<SourceConstant> source_constants(const std::string& source);

/// The constants that are whole numbers with one value throughout: which part of an #if counts is not known here.
std::map<std::string, std::int64_t> whole_constants(const std::string& source);

struct DefinedSource {
    std::string text;                  ///< with these values in the place of its own, lines as they were
    std::vector<std::string> defines;  ///< those left: the source has no such constant
};
/// 'defines' are "NAME", which is 1, or "NAME=VALUE".
DefinedSource with_defines(const std::string& source, const std::vector<std::string>& defines);

/// Whether a define ("F(x)=x") may matter to the source: it has the name as a word, comments and texts aside, or
/// includes files of its own.
bool may_use(const std::string& source, const std::string& define);

}  // namespace convscope::ptx
