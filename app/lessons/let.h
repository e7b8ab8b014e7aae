// Short names of a lesson's own: each entry of the table [let] in its front matter stands for an expression.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace convscope::lessons {

using Lets = std::map<std::string, std::string>;

/// The expression with each of the names replaced by what it stands for, in brackets; names in there too. Words in
/// quotes stay. A name that leads back to itself stays as well, where no other name is. Unset when what comes of it is
/// longer than an expression may be.
std::optional<std::string> with_lets(const std::string& expression, const Lets&);

constexpr std::size_t max_expression = 10000;  ///< characters

}  // namespace convscope::lessons
