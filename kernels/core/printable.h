// Text of unknown origin, made fit for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace convscope {

/// The text with every control character but tab and line feed written out (a terminal would obey it), and what goes
/// beyond 'max_bytes' left out of its middle.
std::string printable(std::string_view text, std::size_t max_bytes = 4096);

}  // namespace convscope
