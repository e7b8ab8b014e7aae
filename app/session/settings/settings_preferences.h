// The part of settings.toml that says how a user likes the app.
#pragma once

#include <toml++/toml.h>

#include "app/session/habits.h"
#include "app/session/settings/settings_reader.h"

namespace convscope::app {

/// What is missing or none of the values there are keeps what 'preferences' holds.
void read_preferences(SettingsReader&, Preferences& preferences);
void write_preferences(toml::table&, const Preferences&);

}  // namespace convscope::app
