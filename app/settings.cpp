#include "app/settings.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "app/settings_preferences.h"

namespace convscope::app {
namespace {

/// Values out of range fall back to the default: a hand-edited file cannot make the window unusable.
template <class T>
void read_number(const toml::table& table, const char* key, T& value, double least, double most) {
    if (auto number = table[key].value<double>(); number && *number >= least && *number <= most)
        value = static_cast<T>(*number);
}

void read_flag(const toml::table& table, const char* key, bool& value) {
    if (auto flag = table[key].value<bool>()) value = *flag;
}

Settings read(const toml::table& table) {
    Settings settings;
    Appearance& look = settings.appearance;
    read_flag(table, "dark", look.dark);
    read_flag(table, "left_open", look.left_open);
    read_flag(table, "right_open", look.right_open);
    read_flag(table, "live_open", look.live_open);
    read_number(table, "scale", look.scale, 0.5, 4);
    read_number(table, "left_width", look.left_width, 160, 800);
    read_number(table, "right_width", look.right_width, 160, 800);
    read_number(table, "lesson_width", look.lesson_width, 300, 560);
    read_number(table, "live_share", look.live_share, 0.1, 0.7);
    read_number(table, "window_width", settings.window.width, 200, 16384);
    read_number(table, "window_height", settings.window.height, 200, 16384);
    read_flag(table, "window_maximised", settings.window.maximised);
    read_number(table, "sweep_metric", settings.sweep_metric, 0, sweep_metric_count - 1);
    read_number(table, "sweep_pane", settings.sweep_pane, 0, sweep_pane_count - 1);
    read_number(table, "sweep_timeout_s", settings.sweep_timeout_s, 0.001, 3600);
    if (auto path = table["csv_path"].value<std::string>()) settings.csv_path = *path;
    if (auto path = table["sweep_csv"].value<std::string>()) settings.sweep_csv = *path;
    if (auto path = table["png_path"].value<std::string>()) settings.png_path = *path;
    read_preferences(table, settings.preferences);
    return settings;
}

toml::table write(const Settings& settings) {
    const Appearance& look = settings.appearance;
    toml::table table{
        {"dark", look.dark},
        {"left_open", look.left_open},
        {"right_open", look.right_open},
        {"live_open", look.live_open},
        {"scale", static_cast<double>(look.scale)},
        {"left_width", static_cast<double>(look.left_width)},
        {"right_width", static_cast<double>(look.right_width)},
        {"lesson_width", static_cast<double>(look.lesson_width)},
        {"live_share", static_cast<double>(look.live_share)},
        {"window_width", settings.window.width},
        {"window_height", settings.window.height},
        {"window_maximised", settings.window.maximised},
        {"sweep_metric", settings.sweep_metric},
        {"sweep_pane", settings.sweep_pane},
        {"sweep_timeout_s", settings.sweep_timeout_s},
        {"csv_path", settings.csv_path},
        {"sweep_csv", settings.sweep_csv},
        {"png_path", settings.png_path},
    };
    write_preferences(table, settings.preferences);
    return table;
}

}  // namespace

std::filesystem::path settings_file() {
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config)
        return std::filesystem::path(config) / "convscope" / "settings.toml";
    if (const char* home = std::getenv("HOME"); home && *home)
        return std::filesystem::path(home) / ".config" / "convscope" / "settings.toml";
    return {};
}

LoadedSettings load_settings(const std::filesystem::path& file) {
    std::error_code ignored;
    if (file.empty() || !std::filesystem::exists(file, ignored)) return {};
    try {
        return {read(toml::parse_file(file.string())), {}};
    } catch (const toml::parse_error& error) {
        const std::filesystem::path kept = file.string() + ".broken";
        std::filesystem::copy_file(file, kept, std::filesystem::copy_options::overwrite_existing, ignored);
        return {
            {},
            fmt::format("{}:{}:{} is no valid TOML; the defaults are used, and the file is kept as {}", file.string(),
                        error.source().begin.line, error.source().begin.column, kept.filename().string())};
    }
}

std::string save_settings(const std::filesystem::path& file, const Settings& settings) {
    if (file.empty()) return {};
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    const std::filesystem::path fresh = file.string() + ".new";
    std::ofstream out(fresh);
    out << write(settings) << '\n';
    out.close();
    if (out) std::filesystem::rename(fresh, file, problem);
    if (out && !problem) return {};
    return "the settings could not be written to " + file.string();
}

}  // namespace convscope::app
