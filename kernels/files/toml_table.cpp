#include "kernels/files/toml_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

#include "kernels/core/nearest_names.h"
#include "kernels/core/printable.h"

namespace convscope {
namespace {

/// The value as the file has it, cut where it is long.
std::string as_written(const toml::node& node) {
    if (node.is_array()) return "an array";
    if (node.is_table()) return "a table";
    std::ostringstream text;
    node.visit([&text](const auto& value) { text << value; });
    std::string line = printable(text.str(), 40);
    std::ranges::replace(line, '\n', ' ');
    return line;
}

template <class T>
std::string range(const char* kind, T least, T most) {
    const bool any = least == (std::is_integral_v<T> ? std::numeric_limits<T>::min() : -TomlTable::infinite);
    const bool open = most == (std::is_integral_v<T> ? std::numeric_limits<T>::max() : TomlTable::infinite);
    if (any) return kind;
    return open ? fmt::format("{} of at least {}", kind, least) : fmt::format("{} from {} to {}", kind, least, most);
}

std::optional<std::int64_t> whole(const toml::node& node, std::int64_t least, std::int64_t most) {
    const auto* number = node.as_integer();
    if (!number || number->get() < least || number->get() > most) return std::nullopt;
    return number->get();
}

/// Every element of an array, read by 'read'; nothing where one is none of its kind.
template <class Read>
auto each_of(const toml::node& node, Read read) {
    using List = std::vector<typename decltype(read(node))::value_type>;
    const toml::array* array = node.as_array();
    std::optional<List> list;
    if (!array) return list;
    list.emplace();
    for (const toml::node& each : *array) {
        const auto value = read(each);
        if (!value) return std::optional<List>();
        list->push_back(*value);
    }
    return list;
}

std::optional<double> real(const toml::node& node) {
    return node.is_number() ? node.value<double>() : std::nullopt;
}

constexpr std::size_t max_parts = 256;

/// Where the quoted text at 'at' ends, which may be of several lines; one that does not end is the parser's to tell of.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string_view mark = text.substr(at, 3) == std::string(3, quote) ? text.substr(at, 3) : text.substr(at, 1);
    for (at += mark.size(); at < text.size(); ++at) {
        if (text.substr(at).starts_with(mark)) {
            at += mark.size();
            // Up to two more of several lines' quotes are the text's own.
            for (int i = 0; mark.size() == 3 && i < 2 && at < text.size() && text[at] == quote; ++i) ++at;
            return at;
        }
        if (mark.size() == 1 && text[at] == '\n') return at;
        if (quote == '"' && text[at] == '\\') ++at;
    }
    return text.size();
}

/// toml++ limits the depth of brackets alone, and every part of a dotted key is a table in a table that it destroys by
/// recursion: what is too deep has to be rejected before it is parsed.
void reject_deep_keys(std::string_view text, std::string_view file) {
    std::vector<std::size_t> around;  // the parts of the keys that each open bracket stands in
    std::size_t parts = 0, parts_around = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const char c = text[at++];
        if (c == '"' || c == '\'') {
            at = end_of_quoted(text, begin);
        } else if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
        } else if (c == '.') {
            ++parts;
        } else if (c == '\n' || c == ',') {
            parts = 0;
        } else if (c == '[' || c == '{') {
            around.push_back(parts);
            parts_around += std::exchange(parts, 0);
        } else if ((c == ']' || c == '}') && !around.empty()) {
            parts = around.back();
            parts_around -= parts;
            around.pop_back();
        }
        if (parts_around + parts < max_parts) continue;
        const std::string_view before = text.substr(0, begin);
        const auto line = std::ranges::count(before, '\n') + 1;
        const std::size_t column = begin - (before.rfind('\n') + 1) + 1;  // npos + 1: the first line
        throw toml::parse_error(fmt::format("a key has more than {} parts", max_parts).c_str(),
                                {static_cast<toml::source_index>(line), static_cast<toml::source_index>(column)},
                                std::make_shared<const std::string>(file));
    }
}

}  // namespace

toml::table parse_any_toml(std::string_view text, std::string_view file) {
    reject_deep_keys(text, file);
    return toml::parse(text, file);
}

toml::table parse_toml(const std::string& text, const std::string& file) {
    try {
        return parse_any_toml(text, file);
    } catch (const toml::parse_error& error) {
        reject_toml(file, error.source(), fmt::format("this is not valid TOML: {}", error.description()));
    }
}

void reject_toml(const std::string& file, const toml::source_region& at, const std::string& sentence) {
    const std::string place = at.begin.line ? fmt::format(":{}:{}", at.begin.line, at.begin.column) : "";
    throw Error(ErrorKind::file, fmt::format("{}{}: {}", file, place, sentence));
}

TomlTable::TomlTable(const toml::table& table, std::string what, TomlReport report,
                     std::optional<toml::source_region> where)
    : table_(&table), what_(std::move(what)), report_(std::move(report)), where_(where.value_or(table.source())) {}

const toml::node* TomlTable::node(const char* key) {
    known_.insert(key);
    return table_->get(key);
}

std::optional<std::string> TomlTable::text(const char* key) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    if (!node->is_string()) return wrong(*node, key, "a text in quotes");
    const std::string& value = node->as_string()->get();
    if (report_.plain_text && printable(value, value.size()) != value)
        return complain(key, fmt::format("'{}' has control characters in it", key)), std::nullopt;
    return value;
}

std::optional<bool> TomlTable::flag(const char* key) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    if (!node->is_boolean()) return wrong(*node, key, "true or false");
    return node->as_boolean()->get();
}

std::optional<std::int64_t> TomlTable::integer(const char* key, std::int64_t least, std::int64_t most) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    const auto value = whole(*node, least, most);
    if (!value) return wrong(*node, key, range("a whole number", least, most));
    return value;
}

std::optional<double> TomlTable::number(const char* key, double least, double most) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    const auto value = real(*node);
    if (!value || !(*value >= least && *value <= most)) return wrong(*node, key, range("a number", least, most));
    return value;
}

std::optional<TomlTable::Sizes> TomlTable::sizes(const char* key, std::size_t max_numbers, std::int64_t least,
                                                 std::int64_t most) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    if (const auto all = whole(*node, least, most)) return Sizes{*all};
    if (max_numbers == 4 && node->value_exact<std::string>() == "same") return Sizes{};
    const auto list = each_of(*node, [&](const toml::node& each) { return whole(each, least, most); });
    if (list && (list->size() == 2 || list->size() == 4) && list->size() <= max_numbers) return *list;
    std::string accepted = range("a whole number", least, most);
    if (max_numbers >= 2) accepted += ", or two: [height, width]";
    if (max_numbers == 4) accepted += ", or four: [top, bottom, left, right], or \"same\"";
    return wrong(*node, key, accepted);
}

std::optional<Dim3> TomlTable::dims(const char* key, std::int64_t least) {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    const auto list = each_of(*node, [&](const toml::node& each) { return whole(each, least, most); });
    if (!list || list->size() != 3)
        return wrong(*node, key, fmt::format("three whole numbers of at least {}: [x, y, z]", least));
    return Dim3{(*list)[0], (*list)[1], (*list)[2]};
}

std::optional<TomlTable::Strings> TomlTable::texts(const char* key) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    if (node->is_string()) return Strings{node->as_string()->get()};
    auto list = each_of(*node, [](const toml::node& each) { return each.value_exact<std::string>(); });
    if (!list) return wrong(*node, key, "a list of texts: [\"ecr1\", \"im2col\"]");
    return list;
}

std::optional<std::vector<double>> TomlTable::numbers(const char* key) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    auto list = each_of(*node, real);
    if (!list) return wrong(*node, key, "a list of numbers");
    return list;
}

std::optional<TomlMatrix> TomlTable::matrix(const char* key) {
    constexpr const char* accepted = "an array of rows of numbers, all of the same length";
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    const toml::array* rows = node->as_array();
    if (!rows || rows->empty()) return wrong(*node, key, accepted);
    TomlMatrix matrix;
    matrix.rows = static_cast<std::int64_t>(rows->size());
    for (const toml::node& row : *rows) {
        const toml::array* cells = row.as_array();
        const auto cols = static_cast<std::int64_t>(cells ? cells->size() : 0);
        if (cols == 0 || (matrix.cols != 0 && cols != matrix.cols)) return wrong(row, key, accepted);
        matrix.cols = cols;
        for (const toml::node& cell : *cells) {
            const auto value = real(cell);
            if (!value) return wrong(cell, key, accepted);
            matrix.values.push_back(static_cast<float>(*value));
        }
    }
    return matrix;
}

std::optional<TomlTable> TomlTable::table(const char* key) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    if (!node->is_table()) return wrong(*node, key, fmt::format("a table headed by [{}]", key));
    return TomlTable(*node->as_table(), key, report_);
}

TomlTable TomlTable::section(const char* key) {
    static const toml::table none;
    if (std::optional<TomlTable> found = table(key)) return *found;
    return {none, key, report_};
}

std::optional<std::vector<TomlTable>> TomlTable::tables(const char* key) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    const toml::array* array = node->as_array();
    if (!array || !(array->empty() || array->is_array_of_tables()))
        return wrong(*node, key, fmt::format("tables, each headed by [[{}]]", key));
    std::vector<TomlTable> all;
    for (const toml::node& each : *array) all.push_back({*each.as_table(), key, report_});
    return all;
}

std::vector<TomlTable> TomlTable::need_tables(const char* key) {
    std::optional<std::vector<TomlTable>> all = tables(key);
    if (!all || all->empty()) reject(key, fmt::format("this {} has no '{}'", what_, key));
    return std::move(*all);
}

std::optional<std::string> TomlTable::one_of(const char* key, const Strings& accepted) {
    const toml::node* node = this->node(key);
    if (!node) return std::nullopt;
    const auto value = node->value_exact<std::string>();
    if (value && std::ranges::find(accepted, *value) != accepted.end()) return value;
    constexpr std::size_t few = 20;
    if (!value && accepted.size() > few) return wrong(*node, key, "a text in quotes");
    if (accepted.size() <= few) return wrong(*node, key, fmt::format("one of {}", fmt::join(accepted, ", ")));
    const Strings near = nearest_names(*value, accepted);
    complain(key, fmt::format("'{}' is {}, which there is not{}", key, as_written(*node),
                              near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, ", "))));
    return std::nullopt;
}

std::string TomlTable::need(const char* key) {
    require(key);
    return text(key).value_or("");
}

void TomlTable::require(const char* key) {
    if (!node(key)) report(where_, fmt::format("this {} has no '{}'", what_, key));
}

toml::source_region TomlTable::place_of(const char* key) const {
    const toml::node* node = table_->get(key);
    return node ? node->source() : where_;
}

void TomlTable::finish() const {
    const Strings all(known_.begin(), known_.end());
    for (const auto& [key, value] : *table_) {
        if (known_.contains(key.str())) continue;
        const Strings near = nearest_names(key.str(), all, 1);
        const std::string sentence =
            fmt::format("unknown key '{}' in this {}{}; accepted are {}", key.str(), what_,
                        near.empty() ? "" : fmt::format(" (did you mean {}?)", near.front()), fmt::join(all, ", "));
        if (report_.unknown)
            report_.unknown(key.source(), sentence);
        else
            report(key.source(), sentence);
    }
}

void TomlTable::complain(const char* key, const std::string& sentence) const {
    report(place_of(key), sentence);
}

void TomlTable::reject(const char* key, const std::string& sentence) const {
    reject_toml(report_.file, place_of(key), sentence);
}

std::nullopt_t TomlTable::wrong(const toml::node& node, const char* key, const std::string& accepted) const {
    report(node.source(), fmt::format("'{}' is {}; it must be {}", key, as_written(node), accepted));
    return std::nullopt;
}

void TomlTable::report(const toml::source_region& at, const std::string& sentence) const {
    if (!report_.wrong) reject_toml(report_.file, at, sentence);
    report_.wrong(at, sentence);
}

}  // namespace convscope
