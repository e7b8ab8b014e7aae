#include "app/desktop/reduced_motion.h"
#include "kernels/files/user_folders.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

namespace convscope::app {
namespace {

std::string value_of(const std::filesystem::path& file, const std::string& key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(key + "=")) return line.substr(key.size() + 1);
    return {};
}

bool gnome_asks_for_less_motion() {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
        popen("gsettings get org.gnome.desktop.interface enable-animations 2>/dev/null", "r"), pclose);
    char answer[16] = "";
    return pipe && std::fgets(answer, sizeof answer, pipe.get()) && std::string(answer).starts_with("false");
}

}  // namespace

bool files_ask_for_less_motion(const std::filesystem::path& config) {
    const std::string factor = value_of(config / "kdeglobals", "AnimationDurationFactor");
    if (!factor.empty() && std::strtod(factor.c_str(), nullptr) == 0) return true;
    for (const char* version : {"gtk-4.0", "gtk-3.0"}) {
        const std::string enabled = value_of(config / version / "settings.ini", "gtk-enable-animations");
        if (enabled == "0" || enabled == "false") return true;
    }
    return false;
}

DesktopMotion::DesktopMotion()
    : asking_([this] {
          less_motion_ = files_ask_for_less_motion(shared_folder(UserFolder::config)) || gnome_asks_for_less_motion();
      }) {}

}  // namespace convscope::app
