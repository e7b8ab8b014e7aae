// Text of unknown origin, made fit for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace convscope {

/// Writes out every control character but tab and line feed, which a terminal would obey, and cuts the middle of a text
/// that is longer than 'max_bytes'.
std::string printable(std::string_view text, std::size_t max_bytes = 4096);

}  // namespace convscope
