// What a user is told beside the results.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace convscope {

/// Prints on stderr. One that is full or closed loses the words, and the run goes on.
template <class... Arguments>
void say(fmt::format_string<Arguments...> words, Arguments&&... arguments) {
    std::fputs(fmt::format(words, std::forward<Arguments>(arguments)...).c_str(), stderr);
}

}  // namespace convscope
