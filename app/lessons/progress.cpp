#include "app/lessons/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/files/toml_table.h"
#include "kernels/files/user_folders.h"

namespace convscope::lessons {
namespace {

class ProgressReader {
public:
    ProgressReader(const std::filesystem::path& file, bool own, std::vector<std::string>& notices)
        : file_(file), own_(own), notices_(notices) {}

    /// The text up to a syntax error reads, where that is at the head of a later lesson.
    toml::table parse(std::string text) {
        while (true) {
            try {
                return parse_any_toml(text);
            } catch (const toml::parse_error& error) {
                complain(error.source(), "is not valid TOML");
                const std::size_t table = start_of_table(text, error.source().begin.line);
                if (table == 0) return {};
                text.resize(table);
            }
        }
    }

    ProgressBook book(const toml::table& table) {
        ProgressBook book;
        for (const auto& [id, node] : table)
            if (const toml::table* lesson = node.as_table())
                book[std::string(id.str())] = read(*lesson);
            else
                complain(node.source(), fmt::format("'{}' must be a table", std::string(id.str())));
        return book;
    }

    bool complained() const { return complained_; }

private:
    void complain(const toml::source_region& where, const std::string& sentence) {
        if (!complained_)
            notices_.push_back(fmt::format(
                "{}:{}:{}: {}{}", file_.string(), where.begin.line, where.begin.column, sentence,
                own_ ? fmt::format("; it is left out, and the file is kept as {}.broken", file_.filename().string())
                     : std::string()));
        complained_ = true;
    }

    /// Where the last lesson's own table before this line begins; 0 when there is none.
    static std::size_t start_of_table(const std::string& text, toml::source_index line) {
        std::size_t at = 0, found = 0;
        for (toml::source_index i = 1; i <= line; ++i) {
            if (text[at] == '[' && text.find('.', at) > text.find('\n', at)) found = at;
            const std::size_t end = text.find('\n', at);
            at = end == std::string::npos ? text.size() : end + 1;
        }
        return found;
    }

    LessonProgress read(const toml::table& table) {
        LessonProgress lesson;
        lesson.step = static_cast<int>(std::clamp<std::int64_t>(table["step"].value_or<std::int64_t>(0), 0, 1000));
        lesson.finished = table["finished"].value_or(false);
        for (auto [name, keys] : {std::pair{"tasks", &lesson.tasks}, {"missed", &lesson.missed}})
            if (const toml::array* list = table[name].as_array())
                for (const toml::node& each : *list)
                    if (const auto key = each.value<std::string>()) keys->insert(*key);
        if (const toml::array* answers = table["answers"].as_array())
            for (const toml::node& node : *answers)
                if (const toml::table* answer = node.as_table()) read_answer(*answer, lesson);
        return lesson;
    }

    void read_answer(const toml::table& table, LessonProgress& lesson) {
        const auto question = table["question"].value<std::string>();
        if (!question) return complain(table.source(), "an answer without its 'question'");
        lesson.answers[*question] = {
            table["answer"].value_or<std::string>(""), table["right"].value_or(false),
            table["first_right"].value_or(false),      table["words"].value_or<std::string>(""),
            table["undecided"].value_or(false),        table["asked"].value_or<std::string>("")};
    }

    const std::filesystem::path& file_;
    bool own_;
    std::vector<std::string>& notices_;
    bool complained_ = false;
};

toml::table write(const LessonProgress& lesson) {
    toml::array tasks, missed, answers;
    for (const std::string& task : lesson.tasks) tasks.push_back(task);
    for (const std::string& question : lesson.missed) missed.push_back(question);
    for (const auto& [question, given] : lesson.answers)
        answers.push_back(toml::table{{"question", question},
                                      {"answer", given.answer},
                                      {"right", given.right},
                                      {"first_right", given.first_right},
                                      {"words", given.words},
                                      {"undecided", given.undecided},
                                      {"asked", given.question}});
    return toml::table{{"step", lesson.step},
                       {"finished", lesson.finished},
                       {"tasks", tasks},
                       {"missed", missed},
                       {"answers", answers}};
}

}  // namespace

int left_open(const LessonProgress& progress, const Step& step) {
    int open = 0;
    for (const Block& block : step.blocks) {
        if (const auto* ask = std::get_if<Ask>(&block)) open += !progress.answers.contains(ask->key);
        if (const auto* task = std::get_if<Task>(&block)) open += !progress.tasks.contains(task->key);
    }
    return open;
}

int left_open(const LessonProgress& progress, const Lesson& lesson) {
    int open = 0;
    for (const Step& step : lesson.steps) open += left_open(progress, step);
    return open;
}

float share_done(const LessonProgress& progress, const Lesson& lesson) {
    if (progress.finished || lesson.steps.empty()) return progress.finished ? 1 : 0;
    std::size_t done = 0;
    for (std::size_t i = 0; i < lesson.steps.size() && static_cast<int>(i) < progress.step; ++i)
        done += left_open(progress, lesson.steps[i]) == 0 ? 1 : 0;
    return static_cast<float>(done) / static_cast<float>(lesson.steps.size());
}

std::string describe(const LessonProgress& progress, const Lesson& lesson, bool open) {
    int all = 0, right = 0;
    for (const Step& step : lesson.steps)
        for (const Block& block : step.blocks)
            if (const auto* ask = std::get_if<Ask>(&block); ask && ask->final) {
                ++all;
                const auto given = progress.answers.find(ask->key);
                right += given != progress.answers.end() && given->second.first_right;
            }
    if (progress.finished) return all > 0 ? fmt::format("finished, check {} of {}", right, all) : "finished";
    if (!progress.started() && !open) return "not begun";
    if (progress.step >= static_cast<int>(lesson.steps.size()))
        return fmt::format("{} left open", left_open(progress, lesson));
    return fmt::format("step {} of {}", progress.step + 1, lesson.steps.size());
}

std::vector<LessonFinding> lesson_findings(const LessonProgress& progress, const Lesson& lesson) {
    std::vector<LessonFinding> findings;
    for (const Step& step : lesson.steps)
        for (const Block& block : step.blocks) {
            const Ask* const ask = std::get_if<Ask>(&block);
            if (!ask) continue;
            const auto at = progress.answers.find(ask->key);
            if (at == progress.answers.end()) continue;
            const Given& given = at->second;
            const std::string answer = !ask->answer        ? fmt::format("'{}'", given.answer)
                                       : ask->unit.empty() ? given.answer
                                                           : given.answer + " " + ask->unit;
            findings.push_back({step.title, given.question, answer, given.right, given.undecided, given.words});
        }
    return findings;
}

std::pair<int, int> tasks_done(const LessonProgress& progress, const Lesson& lesson) {
    int done = 0, all = 0;
    for (const Step& step : lesson.steps)
        for (const Block& block : step.blocks)
            if (const Task* const task = std::get_if<Task>(&block)) {
                ++all;
                done += progress.tasks.contains(task->key) ? 1 : 0;
            }
    return {done, all};
}

std::filesystem::path progress_file() {
    const std::filesystem::path state = user_folder(UserFolder::state);
    return state.empty() ? state : state / "lessons.toml";
}

LoadedProgress load_progress(const std::filesystem::path& file, bool own) {
    LoadedProgress loaded;
    std::error_code none;
    if (file.empty() || !std::filesystem::exists(file, none)) return loaded;
    try {
        ProgressReader reader(file, own, loaded.notices);
        loaded.book = reader.book(reader.parse(read_text_file(file)));
        if (own && reader.complained())
            std::filesystem::copy_file(file, file.string() + ".broken",
                                       std::filesystem::copy_options::overwrite_existing, none);
    } catch (const Error& error) {
        loaded.notices.emplace_back(error.what());
    }
    return loaded;
}

void save_progress(const std::filesystem::path& file, const ProgressBook& book) {
    if (file.empty()) return;
    std::error_code none;
    std::filesystem::create_directories(file.parent_path(), none);
    toml::table table;
    for (const auto& [id, lesson] : book)
        if (lesson.started()) table.insert(id, write(lesson));
    std::ostringstream text;
    text << table << '\n';
    write_text_file(file, text.str());
}

}  // namespace convscope::lessons
