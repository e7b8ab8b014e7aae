// The [[figure.goal]] tables of a figure's file. For .cpp files only, as toml_table.h.
#pragma once

#include "kernels/files/toml_table.h"
#include "kernels/reproduce/figure.h"

namespace convscope {

/// The key 'take' of a claim or a goal.
FigureSummary read_summary(TomlTable&);

/// A goal of this figure, whose methods are known already. Throws Error(file) with file, line and column.
FigureGoal read_goal(TomlTable&, const PaperFigure&);

}  // namespace convscope
