#include "kernels/core/nearest_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/core/text.h"

namespace convscope {
namespace {

/// Letters to insert, delete or replace to make one name of the other.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view requested, const std::vector<std::string>& names,
                                       std::size_t most) {
    const std::string wanted = lower_case(requested.substr(0, 256));  // enough for any name; keeps a pasted file cheap
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const std::string& name : names) {
        const std::string candidate = lower_case(name);
        const auto [shorter, longer] = std::minmax({wanted.size(), candidate.size()});
        if (!wanted.empty() && candidate.find(wanted) != std::string::npos) {
            ranked.emplace_back(0, name);
        } else if (3 * (longer - shorter) <= longer) {  // so many letters differ at least
            const std::size_t changes = distance(wanted, candidate);
            if (3 * changes <= longer) ranked.emplace_back(changes, name);
        }
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) nearest.push_back(ranked[i].second);
    return nearest;
}

std::string describe_nearest(const std::vector<std::string>& nearest) {
    return fmt::format("the nearest {} {}", nearest.size() == 1 ? "is" : "are", fmt::join(nearest, ", "));
}

}  // namespace convscope
