// The pages. Each writer throws Error(file).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/reproduce/figure_records.h"

namespace convscope::reproduce {

/// The folder of an earlier device's CSVs, in that of ours, and that of the second run's.
inline constexpr const char *earlier_folder = "h100", *second_folder = "second-run";

/// Writes FOLDER/NAME.md, with the paper's numbers next to ours, and NAME-SCOPE.svg for each scope, but no charts where
/// the page has all digits.
void write_figure_page(const PaperFigure&, const FigureRecords&, const std::string& command,
                       const std::filesystem::path& folder, Digits);
/// "Zeros: where they come from."; empty where the figure has no network.
std::string zeros_paragraph(const PaperFigure&);
/// The goals of one figure and what they come to; empty where it has none.
std::string goals_table(const PaperFigure&, const FigureRecords&, const FigureRecords& earlier);

/// One figure measured twice, so that the page shows how far apart two runs are, and on an earlier device. The last two
/// may be empty.
struct GoalRuns {
    const PaperFigure* figure;
    const FigureRecords *first, *second, *earlier;
};
/// The goals of fast methods and their results, for figures with the goals of one page alone. Writes
/// FOLDER/PAGE.csv (of the first run), .md and .svg.
void write_goal_page(GoalPage, const std::vector<GoalRuns>&, const std::string& command,
                     const std::filesystem::path& folder);
/// "Every figure of the GPU with goals: ...", for the list of what can be reproduced.
const char* describe(GoalPage);

/// Writes FOLDER/pays.md, 'Does skipping zeros pay?': the answer per layer and per network, from the complete CSVs of
/// the figures with 'sparse'. Throws also where there is none.
void write_pays_page(const std::filesystem::path& folder);
/// Its tables of what each figure comes to; empty where no CSV is complete.
std::string pays_summary(const std::filesystem::path& folder);

/// Writes FOLDER/README.md, what stands out and every page: fills presets/reproduce/overview.md in,
/// {FIGURE|SERIES|TIMING|TAKE} with a number of a figure, {pays} with pays_summary, {pages} with the pages of which the
/// folder has the CSV, {devices} with where these were measured. Throws also where it has none.
void write_overview(const std::filesystem::path& folder);

}  // namespace convscope::reproduce
