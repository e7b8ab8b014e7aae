// The pages of the Layout view.
#pragma once

#include "kernels/core/one_of.h"

namespace convscope::app {

struct TabInfo {
    const char* id;    ///< in session files and lessons: "lowering"
    const char* name;  ///< in the tab bar: "MEC & im2col"
};

/// In the tab bar's order. The first four can show the whole layer; the solutions are of the whole batch anyway, the
/// balance is of one map, the formats are of a matrix.
inline constexpr TabInfo tab_table[] = {{"ecr", "ECR"},        {"pecr", "PECR"},           {"lowering", "MEC & im2col"},
                                        {"output", "Output"},  {"solutions", "Solutions"}, {"balance", "Balance"},
                                        {"formats", "Formats"}};
using TabId = OneOf<tab_table>;
inline constexpr std::size_t layer_tabs = 4;

}  // namespace convscope::app
