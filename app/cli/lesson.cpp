// convscope lesson: which lessons there are, and what is wrong with one, for its author.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/subcommand.h"
#include "app/lessons/catalogue.h"
#include "app/lessons/check_lesson.h"
#include "app/lessons/progress.h"
#include "app/user_kernel/exercise.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/printable.h"
#include "kernels/core/say.h"
#include "kernels/method/registry.h"
#include "kernels/records/csv_text.h"

namespace convscope::cli {
namespace {

using lessons::CheckedLesson;
using lessons::Lesson;
using lessons::ReadLesson;
using Json = nlohmann::ordered_json;

struct Counts {
    std::size_t questions = 0, tasks = 0;
};

Counts count(const Lesson& lesson) {
    Counts counts;
    for (const lessons::Step& step : lesson.steps)
        for (const lessons::Block& block : step.blocks) {
            counts.questions += std::holds_alternative<lessons::Ask>(block);
            counts.tasks += std::holds_alternative<lessons::Task>(block);
        }
    return counts;
}

Json json_of(const ReadLesson& read) {
    const Lesson& lesson = read.lesson;
    const auto [questions, tasks] = count(lesson);
    return {{"id", lesson.id},       {"title", lesson.title},         {"summary", lesson.summary},
            {"moral", lesson.moral}, {"minutes", lesson.minutes},     {"paper", lesson.paper},
            {"part", lesson.part},   {"steps", lesson.steps.size()},  {"questions", questions},
            {"tasks", tasks},        {"own_layer", lesson.own_layer}, {"file", lesson.file.string()},
            {"good", read.good()}};
}

int list(bool json) {
    const auto registry = make_registry();
    const std::vector<ReadLesson> all = lessons::read_lessons(*registry);
    if (json) {
        Json array = Json::array();
        for (const ReadLesson& each : all) array.push_back(json_of(each));
        fmt::print("{}\n", array.dump(2, ' ', false, Json::error_handler_t::replace));
        return 0;
    }
    std::size_t width = 2;
    for (const ReadLesson& each : all) width = std::max(width, each.lesson.id.size());
    fmt::print("{:<{}}  min  title\n", "id", width);
    for (const auto& [lesson, problems] : all)
        fmt::print("{:<{}}  {:>3}  {}\n", lesson.id, width, lesson.minutes,
                   lesson.title.empty() ? "(does not read; see convscope lesson check)" : printable(lesson.title));
    return 0;
}

bool check(const std::string& file, const Registry& registry, bool values) {
    const CheckedLesson checked = lessons::check_lesson(file, registry);
    std::fflush(stdout);
    for (const lessons::Problem& problem : checked.read.problems)
        say("{}:{}:{}: {}{}\n", file, problem.line, problem.column, problem.warning ? "warning: " : "",
            problem.sentence);
    if (!checked.read.good()) return false;
    if (values)
        for (const auto& [line, expression, value] : checked.values)
            fmt::print("{}", printable(fmt::format("{}:{}: {} = {}\n", file, line, expression, value)));
    const Lesson& lesson = checked.read.lesson;
    const auto [questions, tasks] = count(lesson);
    fmt::print("{}: '{}', {}, {}, {}; {} evaluated", file, printable(lesson.title),
               counted(lesson.steps.size(), "step"), counted(questions, "question"), counted(tasks, "task"),
               counted(checked.expressions, "expression"));
    if (checked.measured > 0) fmt::print(", {} of them wait for a measurement", checked.measured);
    fmt::print("\nMoral: {}\n", printable(lesson.moral));
    return true;
}

/// How far a student has come: who runs this, or whose files these are.
int progress(const std::vector<std::string>& words) {
    const auto registry = make_registry();
    const std::vector<ReadLesson> all = lessons::read_lessons(*registry);
    std::vector<std::filesystem::path> files(words.begin() + 1, words.end());
    if (files.empty()) files.push_back(lessons::progress_file());
    int unread = 0;
    for (const std::filesystem::path& file : files) {
        if (words.size() > 1 && !std::filesystem::is_regular_file(file))
            throw Error(ErrorKind::file, fmt::format("there is no file '{}'", file.string()));
        const auto [book, notices] = lessons::load_progress(file, words.size() == 1);
        for (const std::string& notice : notices) say("{}\n", notice);
        unread += !notices.empty();
        fmt::print("{}: {} begun\n", printable(file.string()), counted(book.size(), "lesson"));
        for (const auto& [id, done] : book) {
            const auto found = std::ranges::find(all, id, [](const ReadLesson& each) { return each.lesson.id; });
            fmt::print("  {:<24}  {}\n", printable(id),
                       found != all.end() ? describe(done, found->lesson)
                                          : fmt::format("step {}; the lesson is not here", done.step + 1));
            for (const std::string& question : done.missed) fmt::print("    missed: {}\n", printable(question));
        }
    }
    if (unread > 0) throw Error(ErrorKind::file, "not all of it was read; what was not is named above");
    return 0;
}

/// Writes students' answers, one line of CSV for each: the files of a folder and of those in it, in order of their
/// names.
int collect(const std::vector<std::string>& words) {
    if (words.size() != 2)
        throw Error(ErrorKind::usage, "lesson collect: give the one folder that holds the students' files");
    const std::filesystem::path folder = words[1];
    if (!std::filesystem::is_directory(folder))
        throw Error(ErrorKind::file, fmt::format("there is no folder '{}'", folder.string()));
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().extension() == ".toml") files.push_back(entry.path());
    if (files.empty())
        throw Error(ErrorKind::usage,
                    fmt::format("{}: no .toml file is in it; students hand in their lessons.toml", folder.string()));
    std::ranges::sort(files);
    const auto registry = make_registry();
    const std::vector<ReadLesson> all = lessons::read_lessons(*registry);
    std::string csv = csv_line({"file", "lesson", "step", "question", "answer", "right", "first_right"}) + '\n';
    for (const std::filesystem::path& file : files) {
        const lessons::LoadedProgress loaded = lessons::load_progress(file, false);
        if (!loaded.notices.empty())
            throw Error(ErrorKind::usage, loaded.notices.front() + "; accepted are students' lessons.toml");
        for (const auto& [id, done] : loaded.book) {
            if (!done.started())
                throw Error(ErrorKind::usage, fmt::format("{}: '{}' has no answers of a lesson; accepted are students' "
                                                          "lessons.toml",
                                                          file.string(), id));
            const auto found = std::ranges::find(all, id, [](const ReadLesson& each) { return each.lesson.id; });
            for (const auto& [question, given] : done.answers) {
                const int step = found == all.end() ? 0 : lessons::step_of(found->lesson, question);
                const auto mark = [&](bool good) { return given.undecided ? "" : good ? "1" : "0"; };
                csv += csv_line({file.lexically_relative(folder).string(), id, step > 0 ? std::to_string(step) : "",
                                 question, given.answer, mark(given.right), mark(given.first_right)}) +
                       '\n';
            }
        }
    }
    fmt::print("{}", csv);
    return 0;
}

int list_exercises() {
    for (const app::Exercise& each : app::all_exercises()) fmt::print("{:<32}  {}\n", each.id, each.title);
    return 0;
}

/// Writes what a student begins with: into the file, or one of the exercise's name in this folder.
int start(const std::vector<std::string>& words) {
    if (words.size() < 2 || words.size() > 3)
        throw Error(ErrorKind::usage,
                    "lesson start: give an exercise and, if you like, a file: lesson start "
                    "01-vector-add [FILE.cu]");
    const std::vector<app::Exercise> all = app::all_exercises();
    const auto found = std::ranges::find(all, words[1], &app::Exercise::id);
    if (found == all.end())
        throw Error(ErrorKind::not_found,
                    fmt::format("there is no exercise '{}'; convscope lesson exercises lists them", words[1]));
    const std::string file = words.size() == 3 ? words[2] : found->id + ".cu";
    app::start_exercise(*found, file);
    fmt::print("{}: {}\nEdit it, then: convscope kernel {}\n", file, found->title, file);
    return 0;
}

int run(const std::vector<std::string>& words, bool json, bool values) {
    const std::string what = words.empty() ? "" : words.front();
    if (words.size() > 1 && std::ranges::find(words, "") != words.end())
        throw Error(ErrorKind::usage, fmt::format("lesson {}: '' names no file", what));
    if (what == "exercises" && words.size() == 1) return list_exercises();
    if (what == "start") return start(words);
    if (what == "progress") {
        if (json || values)
            throw Error(ErrorKind::usage, "lesson progress: it takes files alone, no --json or --values");
        return progress(words);
    }
    if (what == "collect") {
        if (json || values)
            throw Error(ErrorKind::usage, "lesson collect: it takes a folder alone, no --json or --values");
        return collect(words);
    }
    if (what == "list") {
        if (words.size() > 1)
            throw Error(ErrorKind::usage,
                        fmt::format("lesson list: '{}' is not accepted; it takes no files", words[1]));
        return list(json);
    }
    if (what != "check")
        throw Error(
            ErrorKind::usage,
            what.empty()
                ? "lesson what? Give list, check FILE..., progress [FILE...], collect DIR, exercises or start EXERCISE"
                : fmt::format("lesson: '{}' is not accepted; give list, check "
                              "FILE..., progress [FILE...], collect DIR, exercises or start EXERCISE",
                              what));
    if (json) throw Error(ErrorKind::usage, "--json goes with lesson list; lesson check takes files alone");
    if (words.size() == 1) throw Error(ErrorKind::usage, "lesson check: which file? Give one .md file or several");
    const auto registry = make_registry();
    int broken = 0;
    for (std::size_t i = 1; i < words.size(); ++i) broken += !check(words[i], *registry, values);
    if (broken == 0) return 0;
    throw Error(ErrorKind::file, broken == 1
                                     ? "a lesson does not read; its lines are named above"
                                     : fmt::format("{} lessons do not read; their lines are named above", broken));
}

}  // namespace

Command add_lesson(CLI::App& program) {
    Subcommand command(
        program, "lesson",
        "list the lessons, check one for its author, say how far a student is, collect answers, begin an "
        "exercise");
    auto words = std::make_shared<std::vector<std::string>>();
    auto json = std::make_shared<bool>(false), values = std::make_shared<bool>(false);
    command.option("WHAT", *words, "...",
                   "list; check FILE...; progress [FILE...]; collect DIR; exercises; start EXERCISE [FILE.cu]");
    command.toggle("--json", *json, "the list as JSON");
    command.toggle("--values", *values, "with check: what each expression is on the lesson's own examples");
    return command.runs([words, json, values] { return run(*words, *json, *values); });
}

}  // namespace convscope::cli
