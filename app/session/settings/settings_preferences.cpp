#include "app/session/settings/settings_preferences.h"

#include <string>

namespace convscope::app {
void read_preferences(SettingsReader& file, Preferences& preferences) {
    file.named("motion", preferences.motion, motion_count);
    file.named("map", preferences.map, color_map_count);
    file.flag("binary_bytes", preferences.binary_bytes);
    file.flag("tour_seen", preferences.tour_seen);
    const std::vector<std::string> recent = file.texts("recent_commands");
    for (std::size_t i = recent.size(); i-- > 0;) remember(preferences, recent[i]);
}

void write_preferences(toml::table& table, const Preferences& preferences) {
    table.insert_or_assign("motion", to_string(preferences.motion));
    table.insert_or_assign("map", to_string(preferences.map));
    table.insert_or_assign("binary_bytes", preferences.binary_bytes);
    table.insert_or_assign("tour_seen", preferences.tour_seen);
    toml::array recent;
    for (const std::string& id : preferences.recent) recent.push_back(id);
    table.insert_or_assign("recent_commands", std::move(recent));
}

}  // namespace convscope::app
