#include "app/lessons/read_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/lessons/toml_keys.h"

namespace convscope::lessons {
namespace {

/// Text of a block, if the key is there.
Text prose(TomlKeys& keys, const char* key, const TextReader& reader) {
    const auto text = keys.text(key);
    return text ? reader.read_value(*text, keys.place_of(key)) : Text{};
}

void read_options(TomlKeys& keys, Ask& ask, const TextReader& reader) {
    const toml::node* node = keys.node("options");
    if (!node) return;
    constexpr const char* accepted = "it must be a list of [\"label\", \"condition\"], two at least";
    const toml::array* rows = node->as_array();
    if (!rows || rows->size() < 2 || rows->size() > 8) return keys.complain("options", accepted);
    for (const toml::node& row : *rows) {
        const toml::array* cells = row.as_array();
        if (!cells || cells->size() != 2 || !(*cells)[0].is_string() || !(*cells)[1].is_string())
            return keys.complain("options", accepted);
        const std::string label = *(*cells)[0].value<std::string>();
        if (auto condition =
                reader.expression(*(*cells)[1].value<std::string>(), TomlKeys::place_of((*cells)[1].source())))
            ask.options.push_back({label, *condition});
    }
}

void read_needs(TomlKeys& keys, Lesson& lesson, const TextReader& reader) {
    const toml::node* node = keys.node("needs");
    if (!node) return;
    constexpr const char* accepted =
        "it must be a list of [\"condition\", \"why a layer without it does not suit, and which would\"]";
    const toml::array* rows = node->as_array();
    if (!rows) return keys.complain("needs", accepted);
    for (const toml::node& row : *rows) {
        const toml::array* cells = row.as_array();
        if (!cells || cells->size() != 2 || !(*cells)[0].is_string() || !(*cells)[1].is_string())
            return keys.complain("needs", accepted);
        if (auto holds = reader.expression(*(*cells)[0].value<std::string>(), TomlKeys::place_of((*cells)[0].source())))
            lesson.needs.push_back({*holds, *(*cells)[1].value<std::string>()});
    }
}

}  // namespace

void read_front(const toml::table& table, int line, const TextReader& reader, Lesson& lesson) {
    TomlKeys keys(table, "front matter", line, *reader.problems);
    for (const char* key : {"title", "summary", "minutes"}) keys.require(key);
    lesson.title = keys.text("title").value_or("");
    lesson.summary = keys.text("summary").value_or("");
    lesson.paper = keys.text("paper").value_or("");
    lesson.minutes = static_cast<int>(std::clamp<std::int64_t>(keys.integer("minutes").value_or(0), 0, 600));
    lesson.own_layer = keys.flag("own_layer").value_or(true);
    lesson.own_layer_why = keys.text("own_layer_why").value_or("");
    if (keys.has("minutes") && lesson.minutes < 1) keys.complain("minutes", "at least 1");
    if (!lesson.own_layer && lesson.own_layer_why.empty()) keys.require("own_layer_why");
    read_needs(keys, lesson, reader);
    keys.table("let");  // read_lets
    keys.finish();
}

Lets read_lets(const toml::table& front, const TextReader& reader) {
    Lets lets;
    const toml::table* table = front["let"].as_table();
    if (!table) return lets;
    const auto place = [](const toml::key& key) { return TomlKeys::place_of(key.source()); };
    for (const auto& [key, value] : *table) {
        const std::string name(key.str());
        const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
        const bool good = letter(name.front()) &&
                          std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
        if (!good)
            reader.problems->push_back(
                {place(key), fmt::format("'{}' in [let]: a name has small letters, digits and _", name)});
        else if (is_name(name))
            reader.problems->push_back(
                {place(key), fmt::format("'{}' in [let]: expressions have this name already", name)});
        else if (!value.is_string())
            reader.problems->push_back(
                {place(key), fmt::format("'{}' in [let]: it must be an expression in quotes", name)});
        else
            lets.emplace(name, *value.value<std::string>());
    }
    TextReader with = reader;
    with.lets = &lets;
    for (const auto& [key, value] : *table)
        if (lets.contains(std::string(key.str()))) with.expression(std::string(key.str()), place(key));
    return lets;
}

std::optional<Ask> read_ask(const toml::table& table, int line, const TextReader& reader) {
    Problems& problems = *reader.problems;
    const std::size_t before = problems.size();
    TomlKeys keys(table, "ask block", line, problems);
    Ask ask;
    ask.line = line;
    keys.require("question");
    ask.key = keys.text("question").value_or("");
    ask.question = prose(keys, "question", reader);
    if (const auto answer = keys.text("answer")) ask.answer = reader.expression(*answer, keys.place_of("answer"));
    read_options(keys, ask, reader);
    if (keys.has("answer") == keys.has("options"))
        problems.push_back({line, "this ask block needs either 'answer', an expression, or 'options', a list"});
    ask.tolerance = keys.number("tolerance").value_or(0);
    if (ask.tolerance < 0 || ask.tolerance > 1) keys.complain("tolerance", "a share of the answer is from 0 to 1");
    ask.unit = keys.text("unit").value_or("");
    ask.hint = prose(keys, "hint", reader);
    ask.right = prose(keys, "right", reader);
    ask.wrong = prose(keys, "wrong", reader);
    ask.predict = keys.flag("predict").value_or(false);
    ask.final = keys.flag("final").value_or(false);
    keys.finish();
    for (std::size_t i = before; i < problems.size(); ++i)
        if (!problems[i].warning) return std::nullopt;
    return ask;
}

std::optional<Task> read_task(const toml::table& table, int line, const TextReader& reader) {
    Problems& problems = *reader.problems;
    const std::size_t before = problems.size();
    TomlKeys keys(table, "do block", line, problems);
    Task task;
    task.line = line;
    keys.require("task");
    keys.require("until");
    task.key = keys.text("task").value_or("");
    task.task = prose(keys, "task", reader);
    if (const auto until = keys.text("until"))
        if (auto condition = reader.expression(*until, keys.place_of("until"))) task.until = *condition;
    task.hint = prose(keys, "hint", reader);
    if (const toml::table* solve = keys.table("solve"))
        task.solve = read_show(*solve, keys.line_of("solve"), *reader.registry, problems);
    keys.finish();
    for (std::size_t i = before; i < problems.size(); ++i)
        if (!problems[i].warning) return std::nullopt;
    return task;
}

}  // namespace convscope::lessons
