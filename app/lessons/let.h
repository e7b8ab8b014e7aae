// Short names of a lesson's own: each entry of the table [let] in its front matter stands for an expression.
#pragma once

#include <map>
#include <string>

namespace convscope::lessons {

using Lets = std::map<std::string, std::string>;

/// The expression with each of the names replaced by what it stands for, in brackets; names in there too. Words in
/// quotes stay. A name that leads back to itself stays as well, where no other name is.
std::string with_lets(const std::string& expression, const Lets&);

}  // namespace convscope::lessons
