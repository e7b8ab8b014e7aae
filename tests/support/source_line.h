// Where something stands in the source, for tests of what names source lines.
#pragma once

#include <string>

namespace convscope::testing {

/// The line, from 1, of the first line of 'file' (its path from the repository's root) that holds 'text'; throws
/// std::runtime_error when none does.
unsigned line_of(const std::string& file, const std::string& text);

}  // namespace convscope::testing
