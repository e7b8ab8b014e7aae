// What copies between host and device cost a network, as a section of its figure's page.
#pragma once

#include <string>

#include "app/cli/figure_records.h"

namespace convscope::cli {

/// For a figure with 'transfers'. Empty where nothing was measured in both scopes.
std::string transfers_table(const PaperFigure&, const FigureRecords&, Digits);

}  // namespace convscope::cli
