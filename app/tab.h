// The pages of the Layout view.
#pragma once

#include <array>

namespace convscope::app {

enum class Tab { ecr, pecr, lowering, output, solutions, balance };
inline constexpr int tab_count = 6;
const char* to_string(Tab);  ///< "ECR", as the tab bar prints it

/// The pages that can show the whole layer, the first of all: the solutions are of the whole batch anyway, the balance
/// is of one map.
inline constexpr std::array layer_tabs{Tab::ecr, Tab::pecr, Tab::lowering, Tab::output};

}  // namespace convscope::app
