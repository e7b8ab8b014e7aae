// What a reproduction leaves beside its CSV: charts, and a page with the paper's figures beside ours.
#pragma once

#include <filesystem>

#include "app/cli/figure_records.h"

namespace convscope::cli {

/// Writes FOLDER/NAME.md, which names the command, and NAME-SCOPE.svg for each scope, but no charts
/// where the page has all digits. Throws Error(file).
void write_figure_page(const PaperFigure&, const FigureRecords&, const std::string& command,
                       const std::filesystem::path& folder, Digits);

/// "Zeros: where they come from.", with an empty line after it; empty where the figure has no network.
std::string zeros_paragraph(const PaperFigure&);

}  // namespace convscope::cli
