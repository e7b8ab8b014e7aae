#include "app/session/desktop_state.h"

#include <algorithm>
#include <ctime>

namespace convscope::app {
namespace {

constexpr std::size_t max_notices = 200, max_recent = 12;

std::string time_of_day() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    char text[16];
    return std::string(text, std::strftime(text, sizeof text, "%H:%M:%S", &local));
}

}  // namespace

const char* to_string(Motion motion) {
    switch (motion) {
        case Motion::as_desktop:
            return "as the desktop";
        case Motion::full:
            return "full";
        case Motion::reduced:
            return "reduced";
    }
    return "as the desktop";
}

void note_down(DesktopState& desktop_state, const std::string& text, bool problem) {
    desktop_state.past.push_back({text, time_of_day(), problem});
    if (desktop_state.past.size() <= max_notices) return;
    desktop_state.past.erase(desktop_state.past.begin());
    if (desktop_state.read > 0) --desktop_state.read;
}

void remember(Preferences& preferences, const std::string& id) {
    std::vector<std::string>& recent = preferences.recent;
    std::erase(recent, id);
    recent.insert(recent.begin(), id);
    if (recent.size() > max_recent) recent.resize(max_recent);
}

}  // namespace convscope::app
