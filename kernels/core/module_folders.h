// Where the program's run-time modules lie.
#pragma once

#include <filesystem>
#include <vector>

namespace convscope {

/// Beside the program, then in ../lib/convscope, then $CONVSCOPE_MODULES. Never the working directory.
std::vector<std::filesystem::path> module_folders();

}  // namespace convscope
