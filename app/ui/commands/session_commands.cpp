#include "app/ui/commands/session_commands.h"

#include "app/ui/dialogs/kernel_question.h"
#include "app/ui/sessions/session_manager.h"

namespace convscope::app {

std::vector<Command> session_commands() {
    std::vector<Command> list;
    const auto add = [&list](const char* name, const char* keys, Shortcut shortcut, void (SessionManager::*action)()) {
        list.push_back({name, keys, shortcut, [action](Frame& f, History&) { (f.sessions.*action)(); }, {}});
    };
    add("New session", "Ctrl+N", {Key::n, true}, &SessionManager::new_session);
    add("Open a file", "Ctrl+O", {Key::o, true}, &SessionManager::ask_to_open);
    list.push_back({"Open a kernel",
                    "Ctrl+Shift+O",
                    {Key::o, true, true},
                    [](Frame& f, History&) { ask_for_kernel(f.session, f.dialogs); },
                    {}});
    add("Save the session", "Ctrl+S", {Key::s, true}, &SessionManager::save);
    add("Save the session as", "Ctrl+Shift+S", {Key::s, true, true}, &SessionManager::save_as);
    add("Reopen last session", "", {}, &SessionManager::open_last);
    return list;
}

}  // namespace convscope::app
