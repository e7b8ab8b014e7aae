// Reads settings.toml value by value: one that cannot be is told and keeps its default, and the others count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/file/toml_section.h"
#include "kernels/core/error.h"

namespace convscope::app {

class SettingsReader {
public:
    /// 'table' outlives it.
    SettingsReader(const toml::table& table, const std::string& file)
        : reading_{file, {}}, top_(&table, "", reading_) {}
    SettingsReader(const SettingsReader&) = delete;
    SettingsReader& operator=(const SettingsReader&) = delete;

    void flag(const char* key, bool& value) {
        keep([&] { top_.flag(key, value); });
    }
    void text(const char* key, std::string& value) {
        keep([&] { top_.text(key, value); });
    }
    template <class T>
    void real(const char* key, T& value, double least, double most) {
        double number = static_cast<double>(value);
        keep([&] { top_.real(key, number, least, most); });
        value = static_cast<T>(number);
    }
    void whole(const char* key, int& value, int least, int most) {
        std::int64_t number = value;
        keep([&] { top_.whole(key, number, least, most); });
        value = static_cast<int>(number);
    }
    template <class Enum>
    void named(const char* key, Enum& value, int count) {
        std::vector<Named<Enum>> accepted;
        for (int i = 0; i < count; ++i) accepted.push_back({to_string(static_cast<Enum>(i)), static_cast<Enum>(i)});
        keep([&] { top_.named(key, value, accepted); });
    }
    std::vector<std::string> texts(const char* key) {
        std::optional<std::vector<std::string>> list;
        keep([&] { top_.texts(key, list); });
        return list.value_or(std::vector<std::string>{});
    }

    /// Sentences with file, line and column.
    const std::vector<std::string>& wrong() const { return wrong_; }

private:
    template <class Read>
    void keep(Read read) {
        try {
            read();
        } catch (const Error& error) {
            wrong_.emplace_back(error.what());
        }
    }

    TomlReading reading_;
    TomlSection top_;
    std::vector<std::string> wrong_;
};

}  // namespace convscope::app
