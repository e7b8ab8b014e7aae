// Keys whose values are words of a list. For .cpp files only, as toml_table.h.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/toml_table.h"

namespace convscope {

template <class T>
using Words = std::vector<std::pair<const char*, T>>;

/// The value of a word from a list. What is not in it is rejected with the list.
template <class T>
T read_word(TomlTable& table, const char* key, const Words<T>& words, const char* standard = nullptr) {
    const std::string given = standard ? table.text(key, standard) : table.text(key);
    std::string accepted;
    for (const auto& [word, value] : words) {
        if (given == word) return value;
        accepted += std::string(accepted.empty() ? "" : ", ") + word;
    }
    table.reject_key(key, fmt::format("'{}' is '{}'; it must be one of {}", key, given, accepted));
}

/// Rejects what a key names that is not one of the figure's methods.
inline void require_methods(const TomlTable& table, const char* key, const std::vector<std::string>& named,
                            const std::vector<std::string>& methods) {
    for (const std::string& method : named)
        if (std::ranges::find(methods, method) == methods.end())
            table.reject_key(key, fmt::format("'{}' has '{}', which is not one of the figure's methods", key, method));
}

}  // namespace convscope
