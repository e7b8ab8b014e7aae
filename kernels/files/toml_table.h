// Reads TOML strictly: every key must be known, of the right type and in range, and every complaint states its place.
// For .cpp files only: toml++ is a heavy header.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/core/launch.h"

namespace convscope {

/// Receives complaints.
struct TomlReport {
    using Take = std::function<void(const toml::source_region&, const std::string& sentence)>;
    std::string file;
    Take wrong{};             ///< of a value that cannot be, or is missing; where empty, Error(file) is thrown
    Take unknown{};           ///< of a key that nothing has read; where empty, as 'wrong'
    bool plain_text = false;  ///< texts may have no control characters
};

/// Like toml::parse, for text from unknown authors. Throws toml::parse_error.
toml::table parse_any_toml(std::string_view text, std::string_view file = {});

/// Throws Error(file) with the place of a syntax error.
toml::table parse_toml(const std::string& text, const std::string& file);

/// Throws Error(file): "FILE:LINE:COLUMN: sentence".
[[noreturn]] void reject_toml(const std::string& file, const toml::source_region&, const std::string& sentence);

/// A matrix of numbers, row by row.
struct TomlMatrix {
    std::int64_t rows = 0, cols = 0;
    std::vector<float> values;
};

/// One table of a file, which outlives it.
class TomlTable {
public:
    using Sizes = std::vector<std::int64_t>;
    using Strings = std::vector<std::string>;
    static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
    static constexpr double infinite = std::numeric_limits<double>::infinity();

    /// 'what' names the table in complaints: "preset". 'where' is the place for complaints about missing keys; by
    /// default the table's.
    TomlTable(const toml::table&, std::string what, TomlReport, std::optional<toml::source_region> where = {});

    // Each returns nothing where the key is missing, or where it has complained.
    std::optional<std::string> text(const char* key);
    std::optional<bool> flag(const char* key);
    std::optional<std::int64_t> integer(const char* key, std::int64_t least = lowest, std::int64_t most = no_limit);
    std::optional<double> number(const char* key, double least = -infinite, double most = infinite);
    /// An integer for all directions; where it takes two numbers, also [height, width]; where it takes four, also
    /// [top, bottom, left, right], or "same", for which the list is empty.
    std::optional<Sizes> sizes(const char* key, std::size_t max_numbers, std::int64_t least = lowest,
                               std::int64_t most = no_limit);
    /// [x, y, z]
    std::optional<Dim3> dims(const char* key, std::int64_t least);
    /// A list of strings, or one alone.
    std::optional<Strings> texts(const char* key);
    std::optional<std::vector<double>> numbers(const char* key);
    std::optional<TomlMatrix> matrix(const char* key);
    std::optional<TomlTable> table(const char* key);
    /// Like table(); an empty one where it is missing.
    TomlTable section(const char* key);
    /// Tables headed by [[key]].
    std::optional<std::vector<TomlTable>> tables(const char* key);
    /// Requires at least one. Throws Error(file).
    std::vector<TomlTable> need_tables(const char* key);
    std::optional<std::string> one_of(const char* key, const Strings& accepted);
    /// The value of a name; 'list' has pairs of a name and its value.
    template <class List>
    auto named(const char* key, const List& list);
    /// 'parse' converts a text, and throws Error for one that it does not accept.
    template <class Parse>
    auto parsed(const char* key, Parse parse) -> std::optional<decltype(parse(std::string()))>;
    /// Reads by the type of 'value', which stays where the key is missing; 'limits' as for integer() and number().
    template <class T, class... Limits>
    void read(const char* key, T& value, Limits... limits);
    template <class T, class List>
    void read_named(const char* key, T& value, const List& list) {
        if (const auto word = named(key, list)) value = *word;
    }
    /// A required text.
    std::string need(const char* key);
    /// Complains where it is missing.
    void require(const char* key);
    /// The node of any kind; null where it is missing.
    const toml::node* node(const char* key);
    const toml::table& all() const { return *table_; }

    bool has(const char* key) const { return table_->contains(key); }
    /// The place of the key's value, else of the table.
    toml::source_region place_of(const char* key) const;
    const std::string& what() const { return what_; }

    /// Complains about the keys that nothing has read.
    void finish() const;
    void complain(const char* key, const std::string& sentence) const;
    /// Throw Error(file) at the key's value, or at the table.
    [[noreturn]] void reject(const char* key, const std::string& sentence) const;
    [[noreturn]] void reject(const std::string& sentence) const { reject("", sentence); }

private:
    std::nullopt_t wrong(const toml::node&, const char* key, const std::string& accepted) const;
    void report(const toml::source_region&, const std::string& sentence) const;

    const toml::table* table_;
    std::string what_;
    TomlReport report_;
    toml::source_region where_;
    std::set<std::string, std::less<>> known_;
};

template <class List>
auto TomlTable::named(const char* key, const List& list) {
    const auto value_of = [](const auto& each) {
        const auto& [name, value] = each;
        return value;
    };
    Strings names;
    for (const auto& [name, value] : list) names.emplace_back(name);
    std::optional<decltype(value_of(*list.begin()))> found;
    if (const auto word = one_of(key, names))
        for (const auto& each : list)
            if (const auto& [name, value] = each; *word == name) found = value;
    return found;
}

template <class Parse>
auto TomlTable::parsed(const char* key, Parse parse) -> std::optional<decltype(parse(std::string()))> {
    if (const std::optional<std::string> word = text(key)) {
        try {
            return parse(*word);
        } catch (const Error& error) {
            complain(key, error.what());
        }
    }
    return std::nullopt;
}

template <class T, class... Limits>
void TomlTable::read(const char* key, T& value, Limits... limits) {
    const auto take = [&value](const auto& found) {
        if (found) value = static_cast<T>(*found);
    };
    if constexpr (std::is_same_v<T, bool>)
        take(flag(key));
    else if constexpr (std::is_integral_v<T>)
        take(integer(key, limits...));
    else if constexpr (std::is_floating_point_v<T>)
        take(number(key, limits...));
    else if constexpr (std::is_constructible_v<T, Strings>)
        take(texts(key));
    else if constexpr (std::is_same_v<T, std::string>)
        take(text(key));
    else if (const auto found = numbers(key))
        value.assign(found->begin(), found->end());
}

}  // namespace convscope
