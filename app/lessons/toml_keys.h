// Reads a table of a lesson file, and complains about all that is wrong with it at once: every key must be known and of
// the right type. For .cpp files only: toml++ is a heavy header.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/lessons/problem.h"
#include "kernels/core/nearest_names.h"

namespace convscope::lessons {

class TomlKeys {
public:
    /// 'what' names the table in complaints: "show block". 'line' is said where a key is missing.
    TomlKeys(const toml::table& table, std::string what, int line, Problems& problems)
        : table_(table), what_(std::move(what)), line_(line), problems_(problems) {}

    std::optional<std::string> text(const char* key) { return read<std::string>(key, "a string"); }
    std::optional<std::int64_t> integer(const char* key) { return read<std::int64_t>(key, "a whole number"); }
    std::optional<bool> flag(const char* key) { return read<bool>(key, "true or false"); }
    std::optional<double> number(const char* key) {
        const toml::node* node = find(key);
        if (!node) return std::nullopt;
        if (!node->is_number()) return complain(key, "it must be a number"), std::nullopt;
        return node->value<double>();
    }
    /// A list of 'least' to 'most' whole numbers; where 'alone', one without brackets too.
    std::optional<std::vector<std::int64_t>> integers(const char* key, std::size_t least, std::size_t most,
                                                      bool alone) {
        const toml::node* node = find(key);
        if (!node) return std::nullopt;
        if (alone && node->is_integer()) return std::vector{*node->value<std::int64_t>()};
        std::vector<std::int64_t> list;
        const toml::array* array = node->as_array();
        if (array)
            for (const toml::node& each : *array)
                if (each.is_integer()) list.push_back(*each.value<std::int64_t>());
        if (!array || list.size() != array->size() || list.size() < least || list.size() > most)
            return complain(key,
                            fmt::format("it must be {}{} whole numbers in brackets", alone ? "one number, or " : "",
                                        least == most ? std::to_string(least) : fmt::format("{} to {}", least, most))),
                   std::nullopt;
        return list;
    }
    std::optional<std::vector<std::string>> texts(const char* key) {
        const toml::node* node = find(key);
        if (!node) return std::nullopt;
        const toml::array* array = node->as_array();
        std::vector<std::string> list;
        if (array)
            for (const toml::node& each : *array)
                if (each.is_string()) list.push_back(*each.value<std::string>());
        if (!array || list.size() != array->size())
            return complain(key, "it must be a list of strings, [\"a\", \"b\"]"), std::nullopt;
        return list;
    }
    const toml::table* table(const char* key) {
        const toml::node* node = find(key);
        if (node && !node->is_table()) complain(key, "it must be a table, { ... }");
        return node ? node->as_table() : nullptr;
    }
    const toml::node* node(const char* key) { return find(key); }

    bool has(const char* key) const { return table_.contains(key); }
    int line_of(const char* key) const {
        const toml::node* node = table_.get(key);
        return node ? static_cast<int>(node->source().begin.line) : line_;
    }
    Place place_of(const char* key) const {
        const toml::node* node = table_.get(key);
        return node ? place_of(node->source()) : Place{line_};
    }
    static Place place_of(const toml::source_region& source) {
        return {static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
    }
    void complain(const char* key, const std::string& sentence) {
        problems_.push_back({place_of(key), fmt::format("'{}' of this {}: {}", key, what_, sentence)});
    }
    void require(const char* key) {
        if (!table_.contains(key)) problems_.push_back({line_, fmt::format("this {} has no '{}'", what_, key)});
    }
    /// Complains about the keys that nothing has read.
    void finish() {
        for (const auto& [key, value] : table_) {
            const std::string name(key.str());
            if (known_.contains(name)) continue;
            const std::vector<std::string> all(known_.begin(), known_.end()), near = nearest_names(name, all, 1);
            problems_.push_back({place_of(key.source()),
                                 fmt::format("unknown key '{}' in this {}{}; accepted are {}", name, what_,
                                             near.empty() ? "" : fmt::format(" (did you mean {}?)", near.front()),
                                             fmt::join(all, ", "))});
        }
    }

private:
    const toml::node* find(const char* key) {
        known_.insert(key);
        return table_.get(key);
    }
    template <class T>
    std::optional<T> read(const char* key, const char* accepted) {
        const toml::node* node = find(key);
        if (!node) return std::nullopt;
        if (!node->is<T>()) return complain(key, fmt::format("it must be {}", accepted)), std::nullopt;
        return *node->value<T>();
    }

    const toml::table& table_;
    std::string what_;
    int line_;
    Problems& problems_;
    std::set<std::string> known_;
};

}  // namespace convscope::lessons
