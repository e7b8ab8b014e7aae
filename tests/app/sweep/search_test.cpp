// Searches on spaces that were measured on an NVIDIA H100: a recording answers instead of a device.
#include "app/sweep/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/sweep/recorded_space.h"
#include "kernels/records/csv_file.h"

namespace convscope {
namespace {

constexpr int seeds = 100;

std::vector<std::filesystem::path> recorded_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(RECORDED_SPACES)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// How many of the seeds find a point within 2 % of the best.
int successes(const RecordedSpace& recorded, SearchStrategy strategy, std::size_t points) {
    const double best = *std::min_element(recorded.times_us.begin(), recorded.times_us.end());
    int found = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const SearchFound result = search(recorded.space, {strategy, points, static_cast<std::uint64_t>(seed)},
                                          [&](std::size_t i) -> std::optional<double> { return recorded.times_us[i]; });
        EXPECT_LE(result.measured.size(), points);
        if (result.best && recorded.times_us[*result.best] <= 1.02 * best) ++found;
    }
    return found;
}

TEST(Search, local_finds_a_fifth_of_the_points_enough) {
    int local = 0, random = 0, spaces = 0;
    for (const auto& file : recorded_files()) {
        const RecordedSpace recorded = recorded_space(read_csv(file).records);
        const std::size_t budget = recorded.space.size() / 5;
        const int here = successes(recorded, SearchStrategy::local, budget);
        const int by_chance = successes(recorded, SearchStrategy::random, budget);
        std::printf("%-24s %4zu points, %3zu measured: local %3d %%, random %3d %%\n", file.stem().c_str(),
                    recorded.space.size(), budget, here, by_chance);
        local += here;
        random += by_chance;
        ++spaces;
    }
    ASSERT_GT(spaces, 0);
    std::printf("all: local %.1f %%, random %.1f %%\n", 1.0 * local / spaces, 1.0 * random / spaces);
    EXPECT_GE(local, 90 * spaces);
}

}  // namespace
}  // namespace convscope
