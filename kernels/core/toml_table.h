// Reads a TOML table strictly: every key must be known, of the right type and in range, and every complaint names
// the file, the line and the column. For .cpp files only: toml++ is a heavy header.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace convscope {

/// Throws Error(file): "FILE:LINE:COLUMN: sentence".
[[noreturn]] void reject_toml(const std::filesystem::path&, const toml::source_region&, const std::string& sentence);

/// Parses a file of at most 1 MiB. Throws Error(file).
toml::table parse_toml(const std::filesystem::path&);

/// A matrix of numbers, row by row.
struct TomlMatrix {
    std::int64_t rows = 0, cols = 0;
    std::vector<float> values;
};

class TomlTable {
public:
    /// 'what' names the table in complaints: "preset", "preset file".
    TomlTable(const toml::table& table, std::filesystem::path file, std::string what);

    bool has(const char* key) const { return table_.contains(key); }

    // Each reads a key, or returns the default; without a default the key must be there.
    std::string text(const char* key, std::optional<std::string> standard = {});
    std::int64_t integer(const char* key, std::optional<std::int64_t> standard = {});
    double number(const char* key, double standard);
    bool flag(const char* key, bool standard);
    /// An integer for both, or [height, width].
    std::pair<std::int64_t, std::int64_t> pair(const char* key, std::int64_t standard);
    TomlMatrix matrix(const char* key);
    /// A list of strings, or one alone; empty where the key is missing.
    std::vector<std::string> texts(const char* key);
    /// A list of numbers; empty where the key is missing.
    std::vector<double> numbers(const char* key);
    /// A table headed by [key], or null where there is none.
    const toml::table* table(const char* key);
    /// An array of tables with at least one.
    const toml::array& tables(const char* key);

    /// Rejects the keys that nothing has read.
    void finish() const;

    [[noreturn]] void reject(const std::string& sentence) const;                       ///< at the table
    [[noreturn]] void reject_key(const char* key, const std::string& sentence) const;  ///< at the key's value

private:
    const toml::node* find(const char* key);
    const toml::node& require(const char* key);
    [[noreturn]] void reject_type(const char* key, const toml::node&, const char* accepted) const;

    const toml::table& table_;
    std::filesystem::path file_;
    std::string what_;
    std::set<std::string, std::less<>> known_;
};

}  // namespace convscope
