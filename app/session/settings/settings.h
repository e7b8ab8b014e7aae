// The settings that are kept between runs: $XDG_CONFIG_HOME/convscope/settings.toml.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/session/session.h"

namespace convscope::app {

struct WindowState {
    int width = 1600, height = 1000;
    bool maximised = false;
    bool operator==(const WindowState&) const = default;
};

struct Settings {
    Appearance appearance;
    Preferences preferences;
    WindowState window;
    std::string csv_path, png_path;  ///< last used; empty: the defaults
    bool operator==(const Settings&) const = default;
};

/// $XDG_CONFIG_HOME/convscope/settings.toml, or ~/.config/... ; empty when neither variable is set.
std::filesystem::path settings_file();

struct LoadedSettings {
    Settings settings;
    std::string problem;  ///< the invalid part of the file, with its place; the file is kept as settings.toml.broken
};
/// Defaults where there is no file; never throws.
LoadedSettings load_settings(const std::filesystem::path& file);
/// Writes what differs from 'before', and leaves what another window has written meanwhile. Returns a sentence when
/// that failed, else an empty string. The file is replaced whole or not at all.
std::string save_settings(const std::filesystem::path& file, const Settings&, const Settings& before);

}  // namespace convscope::app
