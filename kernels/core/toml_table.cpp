#include "kernels/core/toml_table.h"

#include <fmt/format.h>

#include "kernels/core/error.h"
#include "kernels/core/printable.h"
#include "kernels/core/text_file.h"

namespace convscope {
namespace {

/// toml++'s type in a user's words.
const char* type_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
            return "an integer";
        case toml::node_type::floating_point:
            return "a float";
        case toml::node_type::boolean:
            return "a boolean";
        case toml::node_type::array:
            return "an array";
        case toml::node_type::table:
            return "a table";
        default:
            return "a date or time";
    }
}

}  // namespace

void reject_toml(const std::filesystem::path& path, const toml::source_region& where, const std::string& sentence) {
    throw Error(ErrorKind::file,
                fmt::format("{}:{}:{}: {}", path.string(), where.begin.line, where.begin.column, sentence));
}

toml::table parse_toml(const std::filesystem::path& path) {
    const std::string text = read_text_file(path);
    try {
        return toml::parse(text, path.string());
    } catch (const toml::parse_error& error) {
        reject_toml(path, error.source(), std::string(error.description()));
    }
}

TomlTable::TomlTable(const toml::table& table, std::filesystem::path file, std::string what)
    : table_(table), file_(std::move(file)), what_(std::move(what)) {}

const toml::node* TomlTable::find(const char* key) {
    known_.insert(key);
    return table_.get(key);
}

const toml::node& TomlTable::require(const char* key) {
    if (const toml::node* node = find(key)) return *node;
    reject(fmt::format("this {} has no '{}'", what_, key));
}

std::string TomlTable::text(const char* key, std::optional<std::string> standard) {
    if (standard && !has(key)) return find(key), *standard;
    const toml::node& node = require(key);
    if (!node.is_string()) reject_type(key, node, "a string");
    const std::string& value = node.as_string()->get();
    if (printable(value, value.size()) != value) reject_key(key, fmt::format("'{}' has control characters in it", key));
    return value;
}

std::int64_t TomlTable::integer(const char* key, std::optional<std::int64_t> standard) {
    if (standard && !has(key)) return find(key), *standard;
    const toml::node& node = require(key);
    if (!node.is_integer()) reject_type(key, node, "an integer");
    return node.as_integer()->get();
}

double TomlTable::number(const char* key, double standard) {
    const toml::node* node = find(key);
    if (!node) return standard;
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value) reject_type(key, *node, "a number");
    return *value;
}

bool TomlTable::flag(const char* key, bool standard) {
    const toml::node* node = find(key);
    if (!node) return standard;
    if (!node->is_boolean()) reject_type(key, *node, "true or false");
    return node->as_boolean()->get();
}

std::pair<std::int64_t, std::int64_t> TomlTable::pair(const char* key, std::int64_t standard) {
    const toml::node* node = find(key);
    if (!node) return {standard, standard};
    if (const auto* both = node->as_integer()) return {both->get(), both->get()};
    const toml::array* array = node->as_array();
    if (!array || array->size() != 2 || !array->is_homogeneous(toml::node_type::integer))
        reject_type(key, *node, "an integer, or [height, width]");
    return {array->get(0)->as_integer()->get(), array->get(1)->as_integer()->get()};
}

TomlMatrix TomlTable::matrix(const char* key) {
    constexpr const char* accepted = "an array of rows of numbers, all of the same length";
    const toml::node& node = require(key);
    const toml::array* rows = node.as_array();
    if (!rows || rows->empty()) reject_type(key, node, accepted);
    TomlMatrix matrix;
    matrix.rows = static_cast<std::int64_t>(rows->size());
    for (const toml::node& row : *rows) {
        const toml::array* cells = row.as_array();
        if (!cells || cells->empty()) reject_type(key, row, accepted);
        const auto cols = static_cast<std::int64_t>(cells->size());
        if (matrix.cols != 0 && cols != matrix.cols) reject_type(key, row, accepted);
        matrix.cols = cols;
        for (const toml::node& cell : *cells) {
            const std::optional<double> value = cell.is_number() ? cell.value<double>() : std::nullopt;
            if (!value) reject_type(key, cell, accepted);
            matrix.values.push_back(static_cast<float>(*value));
        }
    }
    return matrix;
}

const toml::table* TomlTable::table(const char* key) {
    const toml::node* node = find(key);
    if (node && !node->is_table()) reject_type(key, *node, fmt::format("a table headed by [{}]", key).c_str());
    return node ? node->as_table() : nullptr;
}

std::vector<std::string> TomlTable::texts(const char* key) {
    const toml::node* node = find(key);
    if (!node) return {};
    if (const auto one = node->value<std::string>()) return {*one};
    const toml::array* array = node->as_array();
    if (!array || !array->is_homogeneous(toml::node_type::string))
        reject_type(key, *node, "a string or a list of them");
    std::vector<std::string> list;
    for (const toml::node& each : *array) list.push_back(*each.value<std::string>());
    return list;
}

std::vector<double> TomlTable::numbers(const char* key) {
    const toml::node* node = find(key);
    if (!node) return {};
    const toml::array* array = node->as_array();
    if (!array) reject_type(key, *node, "a list of numbers");
    std::vector<double> list;
    for (const toml::node& each : *array) {
        if (!each.is_number()) reject_type(key, *node, "a list of numbers");
        list.push_back(*each.value<double>());
    }
    return list;
}

const toml::array& TomlTable::tables(const char* key) {
    const toml::node& node = require(key);
    const toml::array* array = node.as_array();
    if (!array || array->empty() || !array->is_array_of_tables())
        reject_type(key, node, "one or more tables, each headed by [[preset]]");
    return *array;
}

void TomlTable::finish() const {
    std::string accepted;
    for (const std::string& key : known_) accepted += (accepted.empty() ? "" : ", ") + key;
    for (const auto& [key, value] : table_)
        if (!known_.contains(key.str()))
            reject_toml(file_, key.source(),
                        fmt::format("unknown key '{}' in this {}; accepted are {}", key.str(), what_, accepted));
}

void TomlTable::reject(const std::string& sentence) const {
    reject_toml(file_, table_.source(), sentence);
}

void TomlTable::reject_key(const char* key, const std::string& sentence) const {
    const toml::node* node = table_.get(key);
    reject_toml(file_, node ? node->source() : table_.source(), sentence);
}

void TomlTable::reject_type(const char* key, const toml::node& node, const char* accepted) const {
    reject_toml(file_, node.source(), fmt::format("'{}' is {}; it must be {}", key, type_name(node), accepted));
}

}  // namespace convscope
