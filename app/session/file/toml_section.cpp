#include "app/session/file/toml_section.h"

#include <cmath>
#include <sstream>

#include "kernels/core/error.h"

namespace convscope::app {
namespace {

std::string place(const std::string& file, const toml::source_region& source) {
    return fmt::format("{}:{}:{}", file, source.begin.line, source.begin.column);
}

/// The value as the file has it, cut where it is long.
std::string shown(const toml::node& node) {
    std::ostringstream text;
    node.visit([&text](const auto& value) { text << value; });
    std::string line = text.str();
    for (char& each : line)
        if (each == '\n') each = ' ';
    return line.size() > 40 ? line.substr(0, 40) + "..." : line;
}

}  // namespace

const toml::node* TomlSection::find(const char* key) {
    known_.insert(key);
    return table_ ? table_->get(key) : nullptr;
}

void TomlSection::reject(const toml::node& node, const std::string& sentence) const {
    throw Error(ErrorKind::file, fmt::format("{}: {}", place(reading_.file, node.source()), sentence));
}

void TomlSection::reject(const char* key, const std::string& sentence) const {
    const toml::node* node = table_ ? table_->get(key) : nullptr;
    if (node) reject(*node, sentence);
    if (table_) reject(static_cast<const toml::node&>(*table_), sentence);
    throw Error(ErrorKind::file, fmt::format("{}: {}", reading_.file, sentence));
}

void TomlSection::reject_kind(const toml::node& node, const char* key, const std::string& accepted) const {
    reject(node,
           fmt::format("{}{}{} is {}; accepted: {}", name_, name_.empty() ? "" : " ", key, shown(node), accepted));
}

void TomlSection::text(const char* key, std::string& value) {
    const toml::node* node = find(key);
    if (!node) return;
    const auto text = node->value_exact<std::string>();
    if (!text) reject_kind(*node, key, "a text in quotes");
    value = *text;
}

void TomlSection::flag(const char* key, bool& value) {
    const toml::node* node = find(key);
    if (!node) return;
    const auto flag = node->value_exact<bool>();
    if (!flag) reject_kind(*node, key, "true or false");
    value = *flag;
}

void TomlSection::whole(const char* key, std::int64_t& value, std::int64_t least, std::int64_t most) {
    const toml::node* node = find(key);
    if (!node) return;
    const auto number = node->value_exact<std::int64_t>();
    if (!number || *number < least || *number > most)
        reject_kind(*node, key, fmt::format("a whole number from {} to {}", least, most));
    value = *number;
}

void TomlSection::real(const char* key, double& value, double least, double most) {
    const toml::node* node = find(key);
    if (!node) return;
    const auto number = node->value<double>();
    if (!number || node->is_boolean() || !(*number >= least && *number <= most))
        reject_kind(*node, key, fmt::format("a number from {} to {}", least, most));
    value = *number;
}

void TomlSection::texts(const char* key, std::optional<std::vector<std::string>>& list) {
    const toml::node* node = find(key);
    if (!node) return;
    constexpr const char* accepted = "a list of texts: [\"ecr1\", \"im2col\"]";
    const toml::array* array = node->as_array();
    if (!array) reject_kind(*node, key, accepted);
    std::vector<std::string> read;
    for (const toml::node& each : *array) {
        const auto text = each.value_exact<std::string>();
        if (!text) reject_kind(each, key, accepted);
        read.push_back(*text);
    }
    list = std::move(read);
}

void TomlSection::numbers(const char* key, std::vector<float>& list) {
    const toml::node* node = find(key);
    if (!node) return;
    const toml::array* array = node->as_array();
    if (!array) reject_kind(*node, key, "a list of numbers");
    std::vector<float> read;
    for (const toml::node& each : *array) {
        const auto number = each.value<double>();
        if (!number || each.is_boolean()) reject_kind(each, key, "a list of numbers");
        read.push_back(static_cast<float>(*number));
    }
    list = std::move(read);
}

void TomlSection::pair(const char* key, std::int64_t& first, std::int64_t& second, std::int64_t least,
                       std::int64_t most) {
    const toml::node* node = find(key);
    if (!node) return;
    const std::string accepted =
        fmt::format("a whole number of at least {}, or two of them: [vertical, horizontal]", least);
    const auto number = [&](const toml::node& part) {
        const auto value = part.value_exact<std::int64_t>();
        if (!value || *value < least || *value > most) reject_kind(*node, key, accepted);
        return *value;
    };
    const toml::array* both = node->as_array();
    if (both && both->size() != 2) reject_kind(*node, key, accepted);
    first = number(both ? (*both)[0] : *node);
    second = both ? number((*both)[1]) : first;
}

void TomlSection::dims(const char* key, std::optional<Dim3>& value, std::int64_t least) {
    const toml::node* node = find(key);
    if (!node) return;
    const std::string accepted = fmt::format("three whole numbers of at least {}: [x, y, z]", least);
    const toml::array* array = node->as_array();
    if (!array || array->size() != 3) reject_kind(*node, key, accepted);
    Dim3 read;
    std::int64_t* parts[] = {&read.x, &read.y, &read.z};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto part = (*array)[i].value_exact<std::int64_t>();
        if (!part || *part < least || *part > std::int64_t{1} << 31) reject_kind(*node, key, accepted);
        *parts[i] = *part;
    }
    value = read;
}

TomlSection TomlSection::section(const char* key) {
    const toml::node* node = find(key);
    if (node && !node->is_table()) reject_kind(*node, key, fmt::format("a table: [{}]", key));
    return {node ? node->as_table() : nullptr, fmt::format("[{}]", key), reading_};
}

std::optional<std::vector<TomlSection>> TomlSection::sections(const char* key) {
    const toml::node* node = find(key);
    if (!node) return {};
    const std::string accepted = fmt::format("tables, each under a [[...{}]] of its own", key);
    const toml::array* array = node->as_array();
    if (!array) reject_kind(*node, key, accepted);
    std::vector<TomlSection> all;
    for (const toml::node& each : *array) {
        if (!each.is_table()) reject_kind(each, key, accepted);
        all.push_back({each.as_table(), fmt::format("[[{}]]", key), reading_});
    }
    return all;
}

void TomlSection::finish() {
    if (!table_) return;
    for (const auto& [key, node] : *table_)
        if (!known_.contains(std::string(key.str())))
            reading_.notes.push_back(fmt::format("{}: '{}' is no key{}{}; it is ignored",
                                                 place(reading_.file, node.source()), std::string(key.str()),
                                                 name_.empty() ? "" : " of ", name_));
}

}  // namespace convscope::app
