// Looks for the fastest point of a space, measuring few of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/sweep/search_space.h"

namespace convscope {

enum class SearchStrategy {
    all,     ///< every point
    random,  ///< points drawn without replacement
    local,   ///< from well spread starting points to the best neighbours of the best
};
const char* to_string(SearchStrategy);
/// Throws Error(usage) that lists the names.
SearchStrategy parse_search_strategy(const std::string&);

/// Returns the time of a point: from a device, or from a recording. Empty where it failed.
using TimeOf = std::function<std::optional<double>(std::size_t point)>;

struct SearchPlan {
    SearchStrategy strategy = SearchStrategy::local;
    std::size_t points = 0;  ///< at most so many are measured; 0: all of them, for 'local' a fifth, or 8
    std::uint64_t seed = 1;
};

/// How many points a plan measures at most in a space of this size: for 'local' a fifth, rounded down, but at least 8.
std::size_t search_budget(const SearchPlan&, std::size_t space);

struct SearchFound {
    std::vector<std::size_t> measured;            ///< in the order in which they were
    std::vector<std::optional<double>> times_us;  ///< of each of those
    std::optional<std::size_t> best;              ///< a point of the space; empty when none passed
};

/// Ends early when 'stop' says so.
SearchFound search(const SearchSpace&, const SearchPlan&, const TimeOf&, const std::function<bool()>& stop = {});

}  // namespace convscope
