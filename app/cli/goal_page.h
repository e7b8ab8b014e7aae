// The goals of figures: what fast methods have to reach, and what they did, run twice.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/figure_records.h"

namespace convscope::cli {

/// One figure measured twice, so that the page shows how far apart two runs are, and on an earlier device. The last two
/// may be empty.
struct GoalRuns {
    const PaperFigure* figure;
    const FigureRecords *first, *second, *earlier;
};

/// The folder of the earlier device's CSVs, in that of ours.
inline constexpr const char* earlier_folder = "h100";
/// That of the second run's.
inline constexpr const char* second_folder = "second-run";

/// The goals of one figure and what they come to; empty where it has none.
std::string goals_table(const PaperFigure&, const FigureRecords&, const FigureRecords& earlier);

/// "Every figure of the GPU with goals: ...", for the list of what can be reproduced.
const char* describe(GoalPage);

/// Of figures with the goals of one page alone. Writes FOLDER/PAGE.csv (of the first run), .md and .svg. Throws
/// Error(file).
void write_goal_page(GoalPage, const std::vector<GoalRuns>&, const std::string& command,
                     const std::filesystem::path& folder);

}  // namespace convscope::cli
