// Reads the points of a figure: its layers, their changes, and the launches.
#pragma once

#include <string>
#include <vector>

#include "kernels/files/toml_table.h"
#include "kernels/reproduce/figure.h"

namespace convscope {

/// Reads 'layers' or 'network', the changes to each ('single_map', 'pooling', 'n', 'stride'), the varied sizes
/// ('vary'), the patterns of zeros ('patterns') and the launches ('launches') of a figure's table.
std::vector<PaperPoint> read_points(TomlTable&);

/// Throws Error(not_found) that names the nearest figure.
[[noreturn]] void reject_unknown_figure(const std::string& name, const std::vector<std::string>& names);

}  // namespace convscope
