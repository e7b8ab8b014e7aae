#include "kernels/core/user_folders.h"

#include <cstdlib>

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

std::filesystem::path own_folder(UserFolder folder) {
    const std::filesystem::path shared = shared_folder(folder);
    return shared.empty() ? shared : shared / "convscope";
}

}  // namespace convscope
