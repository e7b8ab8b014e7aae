// Messages to the user, apart from the results.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "kernels/core/printable.h"

namespace convscope {

/// Prints on stderr, with control characters made harmless: the text may contain names and cells of files. Where stderr
/// is full or closed the text is lost, and the run goes on.
template <class... Arguments>
void say(fmt::format_string<Arguments...> words, Arguments&&... arguments) {
    std::fputs(printable(fmt::format(words, std::forward<Arguments>(arguments)...)).c_str(), stderr);
}

}  // namespace convscope
