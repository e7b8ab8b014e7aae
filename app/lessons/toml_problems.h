// Tables of a lesson file, whose complaints are its author's problems, all of them at once. For .cpp files only: toml++
// is a heavy header.
#pragma once

#include <fmt/format.h>

#include <string>

#include "app/lessons/problem.h"
#include "kernels/files/toml_table.h"

namespace convscope::lessons {

inline Place place_of(const toml::source_region& source) {
    return {static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

/// 'line' is said where a key is missing; the table and the problems outlive what is returned.
inline TomlTable lesson_table(const toml::table& table, const char* what, int line, Problems& problems) {
    toml::source_region where;
    where.begin = {static_cast<toml::source_index>(line), 1};
    const auto complain = [&problems](const toml::source_region& at, const std::string& sentence) {
        problems.push_back({place_of(at), sentence});
    };
    return {table, what, {.file = {}, .wrong = complain}, where};
}

inline void complain(const TomlTable& table, const char* key, const std::string& sentence) {
    table.complain(key, fmt::format("'{}' of this {}: {}", key, table.what(), sentence));
}

}  // namespace convscope::lessons
