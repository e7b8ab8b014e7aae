#include "app/lessons/read_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/lessons/toml_problems.h"

namespace convscope::lessons {
namespace {

/// Text of a block, if the key is there.
Text prose(TomlTable& keys, const char* key, const TextReader& reader) {
    const auto text = keys.text(key);
    return text ? reader.read_value(*text, place_of(keys.place_of(key))) : Text{};
}

/// A list of pairs of texts, 'least' of them or more.
template <class Take>
void read_pairs(TomlTable& keys, const char* key, std::size_t least, const char* accepted, Take take) {
    const toml::node* node = keys.node(key);
    if (!node) return;
    const toml::array* rows = node->as_array();
    const auto is_pair = [](const toml::node& row) {
        const toml::array* cells = row.as_array();
        return cells && cells->size() == 2 && (*cells)[0].is_string() && (*cells)[1].is_string();
    };
    if (!rows || rows->size() < least || rows->size() > 8 || !std::all_of(rows->begin(), rows->end(), is_pair))
        return complain(keys, key, fmt::format("it must be a list of {}", accepted));
    for (const toml::node& row : *rows) take((*row.as_array())[0], (*row.as_array())[1]);
}

std::string text_of(const toml::node& node) {
    return node.as_string()->get();
}

}  // namespace

void read_front(const toml::table& table, int line, const TextReader& reader, Lesson& lesson) {
    TomlTable keys = lesson_table(table, "front matter", line, *reader.problems);
    for (const char* key : {"title", "summary", "minutes", "moral"}) keys.require(key);
    keys.read("title", lesson.title);
    keys.read("summary", lesson.summary);
    keys.read("moral", lesson.moral);
    keys.read("paper", lesson.paper);
    keys.read("part", lesson.part);
    keys.read("minutes", lesson.minutes, 1, 600);
    keys.read("own_layer", lesson.own_layer);
    keys.read("own_layer_why", lesson.own_layer_why);
    if (!lesson.own_layer && lesson.own_layer_why.empty()) keys.require("own_layer_why");
    read_pairs(keys, "needs", 0,
               "[\"condition\", \"why a layer without it does not suit, and which would\"], eight at most",
               [&](const toml::node& condition, const toml::node& why) {
                   if (auto holds = reader.expression(text_of(condition), place_of(condition.source())))
                       lesson.needs.push_back({*holds, text_of(why)});
               });
    keys.table("let");  // read_lets
    keys.finish();
}

Lets read_lets(const toml::table& front, const TextReader& reader) {
    Lets lets;
    const toml::table* table = front["let"].as_table();
    if (!table) return lets;
    const auto place = [](const toml::key& key) { return place_of(key.source()); };
    for (const auto& [key, value] : *table) {
        const std::string name(key.str());
        const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
        const bool good = !name.empty() && letter(name.front()) &&
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
    TomlTable keys = lesson_table(table, "ask block", line, problems);
    Ask ask;
    ask.line = line;
    keys.require("question");
    keys.read("question", ask.key);
    ask.question = prose(keys, "question", reader);
    if (const auto answer = keys.text("answer"))
        ask.answer = reader.expression(*answer, place_of(keys.place_of("answer")));
    read_pairs(keys, "options", 2, "[\"label\", \"condition\"], two to eight",
               [&](const toml::node& label, const toml::node& condition) {
                   if (auto holds = reader.expression(text_of(condition), place_of(condition.source())))
                       ask.options.push_back({text_of(label), *holds});
               });
    if (keys.has("answer") == keys.has("options"))
        problems.push_back({line, "this ask block needs either 'answer', an expression, or 'options', a list"});
    keys.read("tolerance", ask.tolerance, 0.0, 1.0);
    keys.read("unit", ask.unit);
    ask.hint = prose(keys, "hint", reader);
    ask.right = prose(keys, "right", reader);
    ask.wrong = prose(keys, "wrong", reader);
    keys.read("predict", ask.predict);
    keys.read("final", ask.final);
    keys.finish();
    for (std::size_t i = before; i < problems.size(); ++i)
        if (!problems[i].warning) return std::nullopt;
    return ask;
}

std::optional<Task> read_task(const toml::table& table, int line, const TextReader& reader) {
    Problems& problems = *reader.problems;
    const std::size_t before = problems.size();
    TomlTable keys = lesson_table(table, "do block", line, problems);
    Task task;
    task.line = line;
    keys.require("task");
    keys.require("until");
    keys.read("task", task.key);
    task.task = prose(keys, "task", reader);
    if (const auto until = keys.text("until"))
        if (auto condition = reader.expression(*until, place_of(keys.place_of("until")))) task.until = *condition;
    task.hint = prose(keys, "hint", reader);
    if (const auto solve = keys.table("solve"))
        task.solve = read_show(solve->all(), place_of(solve->all().source()).line, *reader.registry, problems);
    keys.finish();
    for (std::size_t i = before; i < problems.size(); ++i)
        if (!problems[i].warning) return std::nullopt;
    return task;
}

}  // namespace convscope::lessons
