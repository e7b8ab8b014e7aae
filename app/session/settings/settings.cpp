#include "app/session/settings/settings.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "app/session/settings/settings_preferences.h"
#include "app/session/settings/settings_reader.h"
#include "kernels/core/error.h"
#include "kernels/core/text_file.h"
#include "kernels/core/user_folders.h"

namespace convscope::app {
namespace {

Settings read(SettingsReader& file) {
    Settings settings;
    Appearance& look = settings.appearance;
    file.flag("dark", look.dark);
    file.flag("left_open", look.left_open);
    file.flag("right_open", look.right_open);
    file.flag("live_open", look.live_open);
    file.real("scale", look.scale, 0.5, 4);
    file.real("left_width", look.left_width, 160, 800);
    file.real("right_width", look.right_width, 160, 800);
    file.real("lesson_width", look.lesson_width, 300, 560);
    file.real("live_share", look.live_share, 0.1, 0.7);
    file.whole("window_width", settings.window.width, 1, 16384);
    file.whole("window_height", settings.window.height, 1, 16384);
    file.flag("window_maximised", settings.window.maximised);
    file.whole("sweep_metric", settings.sweep_metric, 0, sweep_metric_count - 1);
    file.whole("sweep_pane", settings.sweep_pane, 0, sweep_pane_count - 1);
    file.real("sweep_timeout_s", settings.sweep_timeout_s, 0.001, 3600);
    file.text("csv_path", settings.csv_path);
    file.text("sweep_csv", settings.sweep_csv);
    file.text("png_path", settings.png_path);
    read_preferences(file, settings.preferences);
    return settings;
}

/// Kept beside, since the next time that settings are written the file is written again; under a name that no other
/// broken file has.
std::string keep_broken(const std::filesystem::path& file, const std::string& text) {
    std::error_code ignored;
    std::filesystem::path kept = file.string() + ".broken";
    for (int i = 2; std::filesystem::exists(kept, ignored) && read_text_file(kept) != text; ++i)
        kept = fmt::format("{}.broken{}", file.string(), i);
    std::filesystem::copy_file(file, kept, std::filesystem::copy_options::overwrite_existing, ignored);
    return kept.filename().string();
}

LoadedSettings load(const std::string& text, const std::filesystem::path& path) {
    toml::table table;
    try {
        table = toml::parse(text);
    } catch (const toml::parse_error& error) {
        return {
            {},
            fmt::format("{}:{}:{} is no valid TOML; the defaults are used, and the file is kept as {}", path.string(),
                        error.source().begin.line, error.source().begin.column, keep_broken(path, text))};
    }
    SettingsReader file(table, path.string());
    LoadedSettings loaded{read(file), {}};
    const std::vector<std::string>& wrong = file.wrong();
    if (wrong.empty()) return loaded;
    loaded.problem = fmt::format("{}. {}, and the file is kept as {}", fmt::join(wrong, "; "),
                                 wrong.size() == 1 ? "The default is used" : "The defaults are used for them",
                                 keep_broken(path, text));
    return loaded;
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
    const std::filesystem::path config = own_folder(UserFolder::config);
    return config.empty() ? config : config / "settings.toml";
}

LoadedSettings load_settings(const std::filesystem::path& file) {
    std::error_code ignored;
    if (file.empty() || !std::filesystem::exists(file, ignored)) return {};
    try {
        return load(read_text_file(file), file);
    } catch (const Error& error) {
        return {{}, fmt::format("{}; the defaults are used", error.what())};
    }
}

std::string save_settings(const std::filesystem::path& file, const Settings& settings) {
    if (file.empty()) return {};
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    std::ostringstream text;
    text << write(settings) << '\n';
    try {
        write_text_file(file, text.str());
    } catch (const Error& error) {
        return fmt::format("the settings could not be kept: {}", error.what());
    }
    return {};
}

}  // namespace convscope::app
