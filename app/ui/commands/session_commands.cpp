#include "app/ui/commands/session_commands.h"

#include "app/ui/commands/session_desk.h"

namespace convscope::app {

std::vector<Command> session_commands() {
    std::vector<Command> list;
    const auto add = [&list](const char* name, const char* keys, Shortcut shortcut, void (SessionDesk::*action)()) {
        list.push_back({name, keys, shortcut, [action](Frame& f, History&) { (f.desk.*action)(); }, {}});
    };
    add("New session", "Ctrl+N", {Key::n, true}, &SessionDesk::begin_again);
    add("Open a session", "Ctrl+O", {Key::o, true}, &SessionDesk::ask_to_open);
    add("Save the session", "Ctrl+S", {Key::s, true}, &SessionDesk::save);
    add("Save the session as", "Ctrl+Shift+S", {Key::s, true, true}, &SessionDesk::save_as);
    add("Bring back the session before this one", "", {}, &SessionDesk::open_last);
    return list;
}

}  // namespace convscope::app
