// What a reproduction leaves beside its CSV: charts, and a page with the paper's figures beside ours.
#pragma once

#include <filesystem>

#include "app/cli/figure_records.h"

namespace convscope::cli {

/// Writes FOLDER/NAME.md, which names the command, and NAME-SCOPE.svg and .png for each scope. Throws Error(file).
void write_figure_page(const PaperFigure&, const FigureRecords&, const std::string& command,
                       const std::filesystem::path& folder);

}  // namespace convscope::cli
