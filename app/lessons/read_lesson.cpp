// A lesson file, line by line: the front matter between +++, a step for each '## ', directives in fences.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "app/lessons/lesson.h"
#include "app/lessons/read_blocks.h"
#include "app/lessons/toml_problems.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"

namespace convscope::lessons {

bool shows_anything(const Step& step) {
    return std::ranges::any_of(step.blocks, [](const Block& block) { return std::holds_alternative<Show>(block); });
}

namespace {

bool is_directive(const std::string& word) {
    return word == "show" || word == "ask" || word == "do";
}

constexpr std::array languages{"text", "c", "cpp", "cuda", "python", "toml", "sh", "bash"};

bool is_language(const std::string& word) {
    return word.empty() || std::ranges::find(languages, word) != languages.end();
}

std::string without_end(std::string line) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.pop_back();
    return line;
}

class Reader {
public:
    Reader(const std::filesystem::path& file, const std::string& text, const Registry& registry) {
        read_.lesson.file = file;
        read_.lesson.id = file.stem().string();
        text_ = {&registry, &read_.problems};
        std::istringstream in(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text);  // some editors mark UTF-8
        for (std::string line; std::getline(in, line);) lines_.push_back(without_end(line));
    }

    ReadLesson run() {
        front();
        while (at_ < lines_.size()) line();
        flush();
        if (read_.lesson.steps.empty())
            complain(static_cast<int>(lines_.size()),
                     "the lesson has no step; each begins with a line '## Its heading'");
        for (const Step& step : read_.lesson.steps)
            if (step.blocks.empty()) complain(step.line, fmt::format("the step '{}' is empty", step.title));
        std::ranges::stable_sort(read_.problems, {}, &Problem::line);
        return std::move(read_);
    }

private:
    int number() const { return static_cast<int>(at_) + 1; }
    void complain(Place place, std::string sentence) {
        read_.problems.push_back({{std::max(1, place.line), place.column}, std::move(sentence)});
    }

    /// toml++ counts lines from the start of what it is given: empty ones before it make them the file's.
    std::optional<toml::table> parse(std::size_t from, std::size_t to, const char* what) {
        std::string text(from, '\n');
        for (std::size_t i = from; i < to; ++i) text += lines_[i] + '\n';
        try {
            return parse_any_toml(text);
        } catch (const toml::parse_error& error) {
            complain(place_of(error.source()),
                     fmt::format("this {} is not valid TOML: {}", what, std::string(error.description())));
            return std::nullopt;
        }
    }

    std::size_t find_end(const std::string& mark, std::size_t from) const {
        for (std::size_t i = from; i < lines_.size(); ++i)
            if (lines_[i] == mark) return i;
        return lines_.size();
    }

    void front() {
        while (at_ < lines_.size() && lines_[at_].empty()) ++at_;
        if (at_ == lines_.size() || lines_[at_] != "+++")
            return complain(number(),
                            "a lesson begins with its front matter: a line '+++', title, summary, minutes and "
                            "moral in TOML, a line '+++'");
        const std::size_t end = find_end("+++", at_ + 1);
        if (end == lines_.size()) complain(number(), "the front matter has no second line '+++'");
        const int line = number();
        if (const auto table = parse(at_ + 1, end, "front matter")) {
            read_front(*table, line, text_, read_.lesson);
            lets_ = read_lets(*table, text_);
            text_.lets = &lets_;
        }
        at_ = std::min(end + 1, lines_.size());
    }

    void line() {
        const std::string& line = lines_[at_];
        if (line.starts_with("## ")) {
            flush();
            read_.lesson.steps.push_back({number(), line.substr(3), {}});
            ++at_;
        } else if (line.starts_with("```")) {
            fence(line.substr(3));
        } else {
            take(line);
        }
    }

    void take(const std::string& line) {
        if (prose_.empty()) prose_line_ = number();
        prose_ += line + '\n';
        ++at_;
    }

    void fence(const std::string& word) {
        const std::size_t end = find_end("```", at_ + 1);
        if (end == lines_.size()) {
            complain(number(), "this fence ``` has no end");
            at_ = lines_.size();
            return;
        }
        if (!is_directive(word)) {
            if (!is_language(word))
                complain(number(),
                         fmt::format("there is no directive '{}'; accepted are show, ask and do, and for code "
                                     "nothing or {}",
                                     word, fmt::join(languages, ", ")));
            while (at_ <= end) take(lines_[at_]);
            return;
        }
        flush();
        directive(word, end);
        at_ = end + 1;
    }

    void directive(const std::string& word, std::size_t end) {
        const int line = number();
        if (read_.lesson.steps.empty())
            return complain(line, fmt::format("this {} block stands before the first step ('## ')", word));
        const auto table = parse(at_ + 1, end, (word + " block").c_str());
        if (!table) return;
        std::vector<Block>& blocks = read_.lesson.steps.back().blocks;
        if (word == "show") blocks.emplace_back(read_show(*table, line, *text_.registry, read_.problems));
        if (word == "ask")
            if (auto ask = read_ask(*table, line, text_)) {
                ask->key = unique(ask->key);
                blocks.emplace_back(std::move(*ask));
            }
        if (word == "do")
            if (auto task = read_task(*table, line, text_)) {
                task->key = unique(task->key);
                blocks.emplace_back(std::move(*task));
            }
        // A text stands for a block that could not be read: its step does not count as empty.
        if (word != "show" && blocks.empty()) blocks.emplace_back(Text{});
    }

    /// The key of an answer: the question's words, with its step's where two ask the same.
    std::string unique(const std::string& words) {
        std::string key = words;
        if (keys_.contains(key)) key = fmt::format("{}: {}", read_.lesson.steps.back().title, words);
        for (int i = 2; !keys_.insert(key).second; ++i)
            key = fmt::format("{}: {} ({})", read_.lesson.steps.back().title, words, i);
        return key;
    }

    void flush() {
        const std::string prose = std::exchange(prose_, {});
        if (prose.find_first_not_of(" \n\t") == std::string::npos) return;
        if (read_.lesson.steps.empty())
            return complain(prose_line_, "text before the first step; each begins with a line '## Its heading'");
        read_.lesson.steps.back().blocks.emplace_back(text_.read(prose, prose_line_));
    }

    std::vector<std::string> lines_;
    std::size_t at_ = 0;
    std::string prose_;
    int prose_line_ = 1;
    std::set<std::string> keys_;
    ReadLesson read_;
    Lets lets_;
    TextReader text_;
};

}  // namespace

int step_of(const Lesson& lesson, const std::string& key) {
    int number = 0;
    for (const Step& step : lesson.steps) {
        ++number;
        for (const Block& block : step.blocks)
            if (const Ask* ask = std::get_if<Ask>(&block); ask && ask->key == key) return number;
    }
    return 0;
}

std::string unsuited(const Lesson& lesson, const FactSource& own_layer) {
    if (!lesson.own_layer) return lesson.own_layer_why;
    for (const Need& need : lesson.needs)
        if (!need.holds.evaluate(own_layer).holds()) return need.sentence;
    return {};
}

ReadLesson read_lesson(const std::filesystem::path& file, const std::string& text, const Registry& registry) {
    return Reader(file, text, registry).run();
}

ReadLesson read_lesson(const std::filesystem::path& file, const Registry& registry) {
    return read_lesson(file, read_text_file(file), registry);
}

}  // namespace convscope::lessons
