#include "app/session/settings/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <type_traits>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/files/toml_table.h"
#include "kernels/files/user_folders.h"

namespace convscope::app {
namespace {

/// Every setting once: its key, where it is kept, and its limits.
template <class File>
void each_setting(File file, Settings& settings) {
    Appearance& look = settings.appearance;
    Preferences& preferences = settings.preferences;
    file("dark", look.dark);
    file("left_open", look.left_open);
    file("right_open", look.right_open);
    file("live_open", look.live_open);
    file("scale", look.scale, 0.5, 4.0);
    file("left_width", look.left_width, 160.0, 800.0);
    file("right_width", look.right_width, 160.0, 800.0);
    file("lesson_width", look.lesson_width, 300.0, 560.0);
    file("live_share", look.live_share, 0.1, 0.7);
    file("step_source_width", look.step_source_width, 0.15, 0.85);
    file("step_source_height", look.step_source_height, 0.15, 0.85);
    file("kernel_source_width", look.kernel_source_width, 0.15, 0.85);
    file("kernel_source_height", look.kernel_source_height, 0.15, 0.85);
    file("window_width", settings.window.width, 1, 16384);
    file("window_height", settings.window.height, 1, 16384);
    file("window_maximised", settings.window.maximised);
    file("csv_path", settings.csv_path);
    file("png_path", settings.png_path);
    file("motion", preferences.motion, motion_count);
    file("map", preferences.map, color_map_count);
    file("notation", preferences.notation, notation_count);
    file("binary_bytes", preferences.binary_bytes);
    file("tour_seen", preferences.tour_seen);
    file("recent_commands", preferences.recent);
    file("solved_exercises", preferences.solved);
    file("kernel_folder", preferences.kernel_folder);
}

/// A value that cannot be keeps its default, and the others count.
struct Reader {
    TomlTable& table;
    void operator()(const char* key, std::set<std::string>& names) {
        std::vector<std::string> list(names.begin(), names.end());
        table.read(key, list);
        names = {list.begin(), list.end()};
    }
    template <class T, class... Limits>
    void operator()(const char* key, T& value, Limits... limits) {
        table.read(key, value, limits...);
    }
    template <class Enum>
    requires std::is_enum_v<Enum>
    void operator()(const char* key, Enum& value, int count) {
        std::vector<std::pair<std::string, Enum>> words;
        for (int i = 0; i < count; ++i) words.emplace_back(to_string(static_cast<Enum>(i)), static_cast<Enum>(i));
        table.read_named(key, value, words);
    }
};

struct Writer {
    toml::table& table;
    template <class T, class... Limits>
    void operator()(const char* key, const T& value, Limits...) {
        if constexpr (std::is_enum_v<T>)
            table.insert(key, to_string(value));
        else if constexpr (std::is_floating_point_v<T>)
            table.insert(key, static_cast<double>(value));
        else
            table.insert(key, value);
    }
    void operator()(const char* key, const std::vector<std::string>& list) { insert(key, list); }
    void operator()(const char* key, const std::set<std::string>& names) { insert(key, names); }
    void insert(const char* key, const auto& list) {
        toml::array texts;
        for (const std::string& text : list) texts.push_back(text);
        table.insert(key, std::move(texts));
    }
};

/// Copies settings that do not read to a file of their own, NAME.broken, or NAME.broken2 and so on where that
/// holds another text: the next write replaces the original.
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
        table = parse_any_toml(text);
    } catch (const toml::parse_error& error) {
        return {
            {},
            fmt::format("{}:{}:{} is not valid TOML; the defaults are used, and the file is kept as {}", path.string(),
                        error.source().begin.line, error.source().begin.column, keep_broken(path, text))};
    }
    std::vector<std::string> wrong;
    const auto keep = [&](const toml::source_region& at, const std::string& sentence) {
        wrong.push_back(fmt::format("{}:{}:{}: {}", path.string(), at.begin.line, at.begin.column, sentence));
    };
    TomlTable file(table, "settings", {.file = path.string(), .wrong = keep});
    LoadedSettings loaded;
    each_setting(Reader{file}, loaded.settings);
    std::vector<std::string> recent;
    std::swap(recent, loaded.settings.preferences.recent);
    for (std::size_t i = recent.size(); i-- > 0;) remember(loaded.settings.preferences, recent[i]);
    if (wrong.empty()) return loaded;
    loaded.problem = fmt::format("{}. {}, and the file is kept as {}", fmt::join(wrong, "; "),
                                 wrong.size() == 1 ? "The default is used" : "The defaults are used for them",
                                 keep_broken(path, text));
    return loaded;
}

toml::table write(Settings settings) {
    toml::table table;
    each_setting(Writer{table}, settings);
    return table;
}

}  // namespace

std::filesystem::path settings_file() {
    const std::filesystem::path config = user_folder(UserFolder::config);
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

std::string save_settings(const std::filesystem::path& file, const Settings& settings, const Settings& before) {
    if (file.empty()) return {};
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    toml::table table = write(settings);
    const LoadedSettings now = load_settings(file);
    if (std::filesystem::exists(file, problem) && now.problem.empty()) {
        const toml::table there = write(now.settings), known = write(before);
        for (auto&& [key, value] : there)
            if (std::as_const(table)[key] == known[key]) table.insert_or_assign(key, value);
    }
    std::ostringstream text;
    text << table << '\n';
    try {
        write_text_file(file, text.str());
    } catch (const Error& error) {
        return fmt::format("the settings could not be kept: {}", error.what());
    }
    return {};
}

}  // namespace convscope::app
