// The points of a figure: which layers, changed how, under which launches.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/toml_table.h"
#include "kernels/reproduce/figure.h"

namespace convscope {

/// Reads 'layers' or 'network', what is changed of each ('single_map', 'pooling', 'n', 'stride'), what varies ('vary'),
/// the patterns of zeros ('patterns') and the launches ('launches') of a figure's table.
std::vector<PaperPoint> read_points(TomlTable&);

/// Throws Error(not_found) that names the nearest.
[[noreturn]] void reject_unknown_figure(const std::string& name, const std::vector<std::string>& names);

}  // namespace convscope
