// 'Did you mean': the names nearest to one that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convscope {

/// At most 'most' of 'names', the nearest first: names that contain the requested one, then names with the fewest
/// letters to change (Levenshtein), up to a third of the longer name's length. Case does not matter.
std::vector<std::string> nearest_names(std::string_view requested, const std::vector<std::string>& names,
                                       std::size_t most = 3);

/// "the nearest is a", "the nearest are a, b".
std::string describe_nearest(const std::vector<std::string>& nearest);

}  // namespace convscope
