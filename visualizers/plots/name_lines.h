// Names along an axis, broken into lines where they are too long to stand side by side.
#pragma once

#include <string>
#include <vector>

#include "visualizers/plots/canvas.h"

namespace convscope {

/// "googlenet-inception4a.1" as "googlenet-", "inception4a.1": in as few lines as are at most 'room' wide, three at
/// most; empty where it does not go.
std::vector<std::string> name_lines(Canvas&, const std::string& name, double size, double room);

/// The longest piece of the names that cannot be broken: below it, no room is enough for name_lines.
double widest_piece(Canvas&, const std::vector<std::string>& names, double size);

}  // namespace convscope
