#include "app/settings_preferences.h"

#include <string>

namespace convscope::app {
namespace {

template <class Choice>
void read_choice(const toml::table& table, const char* key, Choice& choice, int count) {
    const auto word = table[key].value<std::string>();
    for (int i = 0; word && i < count; ++i)
        if (*word == to_string(static_cast<Choice>(i))) choice = static_cast<Choice>(i);
}

}  // namespace

void read_preferences(const toml::table& table, Preferences& preferences) {
    read_choice(table, "motion", preferences.motion, motion_count);
    read_choice(table, "map", preferences.map, color_map_count);
    preferences.binary_bytes = table["binary_bytes"].value_or(preferences.binary_bytes);
    preferences.tour_seen = table["tour_seen"].value_or(preferences.tour_seen);
    if (const toml::array* recent = table["recent_commands"].as_array())
        for (std::size_t i = recent->size(); i-- > 0;)
            if (const auto id = (*recent)[i].value<std::string>()) remember(preferences, *id);
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
