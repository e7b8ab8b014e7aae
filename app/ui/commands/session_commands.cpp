#include "app/ui/commands/session_commands.h"

#include "app/ui/dialogs/kernel_question.h"
#include "app/ui/sessions/session_manager.h"

namespace convscope::app {

std::vector<Command> session_commands() {
    std::vector<Command> list;
    const auto add = [&list](const char* name, Shortcut shortcut, void (SessionManager::*action)()) {
        list.push_back({name, shortcut, [action](Frame& f, History&) { (f.sessions.*action)(); }, {}});
    };
    add("New session", {Key::n, true}, &SessionManager::new_session);
    add("Open a file", {Key::o, true}, &SessionManager::ask_to_open);
    list.push_back(
        {"Open a kernel", {Key::o, true, true}, [](Frame& f, History&) { ask_for_kernel(f.session, f.dialogs); }, {}});
    add("Save the session", {Key::s, true}, &SessionManager::save);
    add("Save the session as", {Key::s, true, true}, &SessionManager::save_as);
    add("Reopen last session", {}, &SessionManager::open_last);
    return list;
}

}  // namespace convscope::app
