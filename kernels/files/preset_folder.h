#pragma once

#include <filesystem>

namespace convscope {

/// The folder that holds the presets of this installation: $CONVSCOPE_PRESETS, else ../share/convscope/presets
/// next to the executable, else the source tree. Throws Error(file) naming the folders tried.
std::filesystem::path preset_folder();

}  // namespace convscope
