// Asks for files' names without holding up a frame: by the desktop's portal, else by a dialog of our own.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/session.h"
#include "app/ui/dialogs/builtin_file_dialog.h"

namespace convscope::app {

/// Who asks.
enum class Asking {
    nobody,   ///< what is saved takes the name that is suggested: nobody is at the screen (the tour, a test)
    builtin,  ///< the dialog of our own
    desktop,  ///< the portal, else our own
};
/// $CONVSCOPE_DIALOGS: portal or own; unset: desktop. A word that is none of these becomes a sentence in
/// 'problem'.
Asking asking_of_environment(std::string& problem);

class FileDialogs {
public:
    using Then = std::function<void(const std::vector<std::filesystem::path>&)>;

    /// 'wake' asks for a frame; it is called from other threads.
    explicit FileDialogs(std::function<void()> wake);
    ~FileDialogs();  ///< closes what is open
    FileDialogs(const FileDialogs&) = delete;

    void set_asking(Asking asking) { asking_ = asking; }
    /// The window's name for the portal: "x11:3a00007".
    void set_window(std::string window) { window_ = std::move(window); }

    /// 'then' is called in a later frame with what was chosen, or never. One question at a time: a second one is told
    /// so in a notice. Where it throws Error, the question is asked again, as by ask_again.
    void ask(Session&, FileQuestion, Then then);
    /// The last choice failed, for this reason: the dialog opens again with the chosen path in it. A notice alone where
    /// there is no choice to repeat, or another dialog is open already.
    void ask_again(Session&, const std::string& why);
    /// Once a frame: takes an answer, draws our own dialog.
    void draw(Session&);
    bool open() const { return question_.has_value(); }
    /// Whether the dialog is our own: it stands above the panels.
    bool builtin_open() const { return builtin_.open(); }
    /// Esc: closes our own.
    void cancel();

private:
    void begin_asking(const std::string& why);
    void finish(Session&, std::vector<std::filesystem::path>);
    void take(Session&, const std::vector<std::filesystem::path>&);

    std::function<void()> wake_;
    Asking asking_ = Asking::nobody;
    std::string window_;
    std::optional<FileQuestion> question_, answered_;  ///< that is asked; the last, with its answer in it
    Then then_;                                        ///< of the two
    BuiltinFileDialog builtin_;
    std::mutex mutex_;  // guards answer_
    std::optional<FileAnswer> answer_;
    std::jthread asker_;  ///< last: it uses all of the above
};

}  // namespace convscope::app
