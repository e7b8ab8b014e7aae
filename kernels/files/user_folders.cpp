#include "kernels/files/user_folders.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "kernels/core/error.h"

namespace convscope {
namespace {

std::filesystem::path from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

struct Place {
    const char *variable, *under_home;
};
constexpr Place places[] = {{"XDG_CONFIG_HOME", ".config"},
                            {"XDG_STATE_HOME", ".local/state"},
                            {"XDG_DATA_HOME", ".local/share"},
                            {"XDG_CACHE_HOME", ".cache"}};

}  // namespace

std::filesystem::path home_folder() {
    const std::filesystem::path home = from_environment("HOME");
    return home.empty() ? "/" : home;
}

std::filesystem::path shared_folder(UserFolder folder) {
    const auto& [variable, under_home] = places[static_cast<int>(folder)];
    if (std::filesystem::path set = from_environment(variable); set.is_absolute()) return set;
    const std::filesystem::path home = from_environment("HOME");
    return home.empty() ? home : home / under_home;
}

std::filesystem::path user_folder(UserFolder folder) {
    const std::filesystem::path shared = shared_folder(folder);
    return shared.empty() ? shared : shared / "convscope";
}

std::filesystem::path temporary_root() {
    std::error_code error;
    const std::filesystem::path root = std::filesystem::temp_directory_path(error);
    return error ? "/tmp" : root;
}

std::filesystem::path make_temporary_folder(const std::string& prefix, const std::filesystem::path& root) {
    std::string pattern = (root / (prefix + "XXXXXX")).string();
    if (!mkdtemp(pattern.data()))
        throw Error(ErrorKind::file,
                    fmt::format("no temporary folder can be made in {}: {}; $TMPDIR names another, in plain letters",
                                root.string(), std::strerror(errno)));
    return pattern;
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (std::error_code none; !std::filesystem::is_directory(folder, none))
        throw Error(ErrorKind::file, fmt::format("the folder '{}' cannot be made: {}", folder.string(),
                                                 problem ? problem.message() : "a file of that name is in the way"));
}

}  // namespace convscope
