// README.md of a folder of reproductions: what stands out, with numbers from its CSVs, and a list of its pages.
#pragma once

#include <filesystem>

namespace convscope::cli {

/// Fills presets/reproduce/overview.md in: {FIGURE|SERIES|TIMING|TAKE} with a number of a figure, {pays} with the table
/// of pays.md, {pages} with the pages of which the folder has the CSV. Throws Error(file).
void write_overview(const std::filesystem::path& folder);

}  // namespace convscope::cli
