// The folders of the program's run-time modules.
#pragma once

#include <filesystem>
#include <vector>

namespace convscope {

/// The program's own folder, then ../lib/convscope, then $CONVSCOPE_MODULES. Never the working directory.
std::vector<std::filesystem::path> module_folders();

}  // namespace convscope
