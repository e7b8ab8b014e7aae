#include "visualizers/theme/font_files.h"

#include <cstdlib>
#include <system_error>

namespace convscope {

std::filesystem::path font_folder() {
    if (const char* chosen = std::getenv("CONVSCOPE_FONTS"); chosen && *chosen) return chosen;
    std::error_code none;
    const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", none);
    const std::filesystem::path installed = executable.parent_path().parent_path() / "share/convscope/fonts";
    return std::filesystem::is_directory(installed, none) ? installed : CONVSCOPE_SOURCE_FONTS;
}

}  // namespace convscope
