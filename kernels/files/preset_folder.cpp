#include "kernels/files/preset_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/core/printable.h"

namespace convscope {
namespace {

std::vector<std::filesystem::path> candidate_folders() {
    std::error_code none;
    const auto executable = std::filesystem::read_symlink("/proc/self/exe", none);
    std::vector<std::filesystem::path> folders;
    if (!none) folders.push_back(executable.parent_path().parent_path() / "share/convscope/presets");
    folders.emplace_back(CONVSCOPE_SOURCE_PRESETS);
    return folders;
}

}  // namespace

std::filesystem::path preset_folder() {
    if (const char* chosen = std::getenv("CONVSCOPE_PRESETS"); chosen && *chosen) {
        std::error_code none;  // of a name that is too long, for one
        if (std::filesystem::is_directory(chosen, none)) return chosen;
        throw Error(ErrorKind::file,
                    fmt::format("there is no folder {}; CONVSCOPE_PRESETS must name one", printable(chosen, 200)));
    }
    std::string tried;
    for (const auto& folder : candidate_folders()) {
        if (std::filesystem::is_directory(folder)) return folder;
        tried += (tried.empty() ? "" : " and ") + folder.string();
    }
    throw Error(ErrorKind::file, fmt::format("no presets in {}; set CONVSCOPE_PRESETS to their folder", tried));
}

}  // namespace convscope
