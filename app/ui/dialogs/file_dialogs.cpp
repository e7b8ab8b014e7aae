#include "app/ui/dialogs/file_dialogs.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "app/ui/dialogs/portal_dialog.h"
#include "kernels/core/error.h"

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
    answered_.reset();
    if (asking_ == Asking::nobody && question.kind == FileQuestion::Kind::save) {
        then_ = std::move(then);
        return take(session, {question.start});
    }
    std::error_code none;
    question.start = std::filesystem::absolute(question.start, none).lexically_normal();
    question_ = std::move(question);
    then_ = std::move(then);
    begin_asking({});
}

void FileDialogs::ask_again(Session& session, const std::string& why) {
    const bool builtin = asking_ == Asking::builtin;
    if (!builtin || !answered_ || question_) notify(session, why, true);
    if (!answered_ || question_) return;
    question_ = answered_;
    begin_asking(why);
}

void FileDialogs::begin_asking(const std::string& why) {
    if (asking_ == Asking::builtin || asking_ == Asking::nobody) return builtin_.begin(*question_, why);
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
        builtin_.begin(*question_, {});
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
    answered_ = *std::exchange(question_, {});
    std::string exists;
    if (answered_->kind == FileQuestion::Kind::save && !answered_->ending.empty())
        for (std::filesystem::path& file : files) {
            if (file.filename().string().ends_with(answered_->ending)) continue;
            file += answered_->ending;
            std::error_code none;
            if (std::filesystem::exists(file, none))
                exists = fmt::format("{} exists already; choose that name itself to replace it", file.string());
        }
    if (answered_->kind == FileQuestion::Kind::save) answered_->start = files.front();
    if (!exists.empty()) return ask_again(session, exists);
    take(session, files);
}

void FileDialogs::take(Session& session, const std::vector<std::filesystem::path>& files) {
    const Then then = then_;  // which may ask for another file
    try {
        then(files);
    } catch (const Error& error) {
        ask_again(session, error.what());
    }
}

}  // namespace convscope::app
