// Reads keys whose values are from a list of words. For .cpp files only, as toml_table.h.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/files/toml_table.h"

namespace convscope {

template <class T>
using Words = std::vector<std::pair<const char*, T>>;

/// Reads a word; the key is required.
template <class T>
T need_word(TomlTable& table, const char* key, const Words<T>& words) {
    table.require(key);
    return *table.named(key, words);
}

/// Reads a list of texts; the key is required.
inline std::vector<std::string> need_texts(TomlTable& table, const char* key) {
    const std::vector<std::string> texts = table.texts(key).value_or(std::vector<std::string>{});
    if (texts.empty()) table.reject(fmt::format("this {} needs '{}'", table.what(), key));
    return texts;
}

/// Rejects a name that is not one of the figure's methods.
inline void require_methods(const TomlTable& table, const char* key, const std::vector<std::string>& named,
                            const std::vector<std::string>& methods) {
    for (const std::string& method : named)
        if (std::ranges::find(methods, method) == methods.end())
            table.reject(key, fmt::format("'{}' has '{}', which is not one of the figure's methods", key, method));
}

}  // namespace convscope
