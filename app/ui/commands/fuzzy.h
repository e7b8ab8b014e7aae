// How well a text answers what was typed, so that a few letters find a command.
#pragma once

#include <optional>
#include <string>

namespace convscope::app {

/// Every word of 'search' must be found in 'text', whatever the case and the order of the words: as it stands, or
/// letter by letter with gaps, where the first letter begins a word ("tdt" finds "Toggle light or dark theme"). The
/// higher the better: words as they stand, at the beginning of a word, early in a short text. Nothing when a word is
/// not found; 0 for an empty search.
std::optional<int> fuzzy_score(const std::string& text, const std::string& search);

}  // namespace convscope::app
