#include "app/ui/dialogs/file_dialogs.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "app/ui/dialogs/portal_dialog.h"

namespace convscope::app {
Asking asking_of_environment(std::string& problem) {
    const char* wanted = std::getenv("CONVSCOPE_DIALOGS");
    const std::string word = wanted ? wanted : "";
    if (word == "own") return Asking::builtin;
    if (!word.empty() && word != "portal")
        problem = fmt::format("CONVSCOPE_DIALOGS is '{}'; accepted: portal, own", word);
    return Asking::desktop;
}

FileDialogs::FileDialogs(std::function<void()> wake) : wake_(wake), builtin_(std::move(wake)) {}

FileDialogs::~FileDialogs() {
    asker_.request_stop();
}

void FileDialogs::ask(Session& session, FileQuestion question, Then then) {
    if (question_) return notify(session, "Another file dialog is open; answer or close it first", true);
    if (asking_ == Asking::nobody && question.kind == FileQuestion::Kind::save) return then({question.start});
    std::error_code none;
    question.start = std::filesystem::absolute(question.start, none).lexically_normal();
    question_ = std::move(question);
    then_ = std::move(then);
    begin_asking();
}

void FileDialogs::begin_asking() {
    if (asking_ == Asking::builtin || asking_ == Asking::nobody) return builtin_.begin(*question_);
    asker_ = std::jthread([this, question = *question_, window = window_](const std::stop_token& stop) {
        FileAnswer answer = ask_portal(question, window, stop);
        {
            const std::lock_guard lock(mutex_);
            answer_ = std::move(answer);
        }
        wake_();
    });
}

void FileDialogs::cancel() {
    if (!builtin_.open()) return;
    builtin_.close();
    question_.reset();
}

void FileDialogs::draw(Session& session) {
    std::optional<FileAnswer> answer;
    {
        const std::lock_guard lock(mutex_);
        answer = std::exchange(answer_, {});
    }
    if (answer && answer->outcome == FileAnswer::Outcome::unavailable && question_) {
        builtin_.begin(*question_);
        answer.reset();
    }
    if (!answer) answer = builtin_.draw();
    if (!answer || !question_) return;
    if (answer->outcome == FileAnswer::Outcome::chosen)
        finish(session, std::move(answer->files));
    else
        question_.reset();
}

/// A name that is given its ending may be one that nobody was warned about: that file is not replaced.
void FileDialogs::finish(Session& session, std::vector<std::filesystem::path> files) {
    const FileQuestion question = *std::exchange(question_, {});
    const Then then = std::exchange(then_, {});
    if (question.kind == FileQuestion::Kind::save && !question.ending.empty())
        for (std::filesystem::path& file : files) {
            if (file.filename().string().ends_with(question.ending)) continue;
            file += question.ending;
            std::error_code none;
            if (std::filesystem::exists(file, none))
                return notify(session,
                              fmt::format("{} exists already; choose that name itself to replace it", file.string()),
                              true);
        }
    then(files);
}

}  // namespace convscope::app
