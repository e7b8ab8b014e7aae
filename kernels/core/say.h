// What a user is told beside the results.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "kernels/core/printable.h"

namespace convscope {

/// Prints on stderr what a terminal can show: names and cells of files are among the words. One that is full or closed
/// loses them, and the run goes on.
template <class... Arguments>
void say(fmt::format_string<Arguments...> words, Arguments&&... arguments) {
    std::fputs(printable(fmt::format(words, std::forward<Arguments>(arguments)...)).c_str(), stderr);
}

}  // namespace convscope
