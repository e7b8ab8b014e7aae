// Finds the assignment in a line of CUDA C++, as far as its text says it: PTX has registers, and no variables by name.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace convscope::app {

struct Assignment {
    std::string name;      ///< "sum" of "sum += x[i];", "c" of "c[i] = 1;", "i" of "++i;"
    std::string type;      ///< "float"; empty where the text before it does not say it in the words of element_type
    bool address = false;  ///< a pointer is assigned, not what it points to
};

/// Finds the last assignment outside parentheses in line 'line' (from 1) of a text without comments: loop counters and
/// conditions do not count. Unset where there is none.
std::optional<Assignment> assignment_in(const std::string& text, unsigned line);

}  // namespace convscope::app
