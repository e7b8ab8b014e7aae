// Reading one table of a TOML file strictly: a value of the wrong kind, out of range or not among those accepted throws
// with its place; a key that nothing reads is reported.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/file/tokens.h"

namespace convscope::app {

/// Of the file that is read.
struct TomlReading {
    std::string file;
    std::vector<std::string> notes;  ///< what was unknown and ignored
};

class TomlSection {
public:
    /// 'table' null: there is none, and everything stays as it is. 'name' is as in the file: "[sweep]"; empty at the
    /// top.
    TomlSection(const toml::table* table, std::string name, TomlReading& reading)
        : table_(table), name_(std::move(name)), reading_(reading) {}

    /// Each leaves 'value' where the key is absent. Throw Error(file).
    void text(const char* key, std::string& value);
    void flag(const char* key, bool& value);
    void whole(const char* key, std::int64_t& value, std::int64_t least, std::int64_t most);
    void real(const char* key, double& value, double least, double most);
    void texts(const char* key, std::optional<std::vector<std::string>>& list);
    void numbers(const char* key, std::vector<float>& list);
    /// A number for both, or [first, second].
    void pair(const char* key, std::int64_t& first, std::int64_t& second, std::int64_t least, std::int64_t most);
    void dims(const char* key, std::optional<Dim3>& value, std::int64_t least);
    /// 'parse' throws Error for a word that it does not know.
    template <class Parse>
    void word(const char* key, Parse parse);
    template <class Enum>
    void named(const char* key, Enum& value, const std::vector<Named<Enum>>& accepted);

    TomlSection section(const char* key);
    /// The tables of an array of tables: [[pin]]. Unset where there is none.
    std::optional<std::vector<TomlSection>> sections(const char* key);

    bool has(const char* key) const { return table_ && table_->contains(key); }
    /// Reports the keys that were not read.
    void finish();
    /// Throws Error(file) that names the place of the key, or of the table where the key is absent.
    [[noreturn]] void reject(const char* key, const std::string& sentence) const;

private:
    const toml::node* find(const char* key);
    [[noreturn]] void reject(const toml::node&, const std::string& sentence) const;
    [[noreturn]] void reject_kind(const toml::node&, const char* key, const std::string& accepted) const;

    const toml::table* table_;
    std::string name_;
    TomlReading& reading_;
    std::set<std::string> known_;
};

template <class Parse>
void TomlSection::word(const char* key, Parse parse) {
    const toml::node* node = find(key);
    if (!node) return;
    const auto value = node->value_exact<std::string>();
    if (!value) reject_kind(*node, key, "a text in quotes");
    try {
        parse(*value);
    } catch (const std::exception& error) {
        reject(*node, error.what());
    }
}

template <class Enum>
void TomlSection::named(const char* key, Enum& value, const std::vector<Named<Enum>>& accepted) {
    const toml::node* node = find(key);
    if (!node) return;
    const auto word = node->value_exact<std::string>();
    std::string list;
    for (const Named<Enum>& each : accepted) {
        if (word && *word == each.name) {
            value = each.value;
            return;
        }
        list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", each.name);
    }
    reject_kind(*node, key, list);
}

}  // namespace convscope::app
