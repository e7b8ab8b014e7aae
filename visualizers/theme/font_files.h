// The typefaces that come with the program (assets/fonts).
#pragma once

#include <filesystem>

namespace convscope {

/// The folder of this installation's fonts: $CONVSCOPE_FONTS, else ../share/convscope/fonts next to the executable,
/// else the source tree. Does not check that they exist.
std::filesystem::path font_folder();

// Files in it.
inline constexpr const char* text_font = "Inter-Regular.otf";
inline constexpr const char* strong_font = "Inter-SemiBold.otf";
inline constexpr const char* monospace_font = "JetBrainsMono-Regular.ttf";

}  // namespace convscope
