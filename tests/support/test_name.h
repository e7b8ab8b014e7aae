// A method's id as part of a test's name.
#pragma once

#include <algorithm>
#include <string>

namespace convscope::testing {

/// GoogleTest takes letters, digits and underscores: "tiled-single" becomes "tiled_single".
inline std::string test_name(std::string id) {
    std::ranges::replace(id, '-', '_');
    return id;
}

}  // namespace convscope::testing
