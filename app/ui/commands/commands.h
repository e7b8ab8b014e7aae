// The commands of keys and of the palette in one table, which the keyboard, the palette and the help sheet are made
// from. Keys that move within one view or field (arrows, Escape, page keys) are taken where they are used.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/file/history.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/frame.h"

namespace convscope::app {

struct Shortcut {
    Key key = Key::count;  ///< count: none
    bool ctrl = false, shift = false, alt = false;
};

struct Command {
    std::string name;  ///< "Run or stop the measurement"
    Shortcut shortcut;
    std::function<void(Frame&, History&)> action;
    std::optional<ViewId> view;  ///< where its key works; unset: everywhere
    bool repeats = false;        ///< while the key is held
    std::string keys{};          ///< as the sheet prints them; commands() fills in the shortcut's, "Ctrl+Z"
    std::string group{};         ///< heading in the sheet of keys, kind in the palette
    /// Why it cannot be done now, for the palette; empty when it can. Unset: it always can. By its key an action that
    /// cannot be done does nothing.
    std::function<std::string(const Frame&, const History&)> why_not{};
    bool keyboard_only = false;  ///< of no use in the palette
    std::string synonyms{};      ///< words that it is looked for by and that its name has not got: "mode night"

    bool has_key_in(ViewId shown) const { return !view || *view == shown; }
    /// Shows the command's own view first.
    void run(Frame&, History&) const;
};

const std::vector<Command>& commands();
/// Runs what was pressed in this frame. Keys without Ctrl are left to a text field that is being typed in.
void handle_keys(Frame&, History&);

}  // namespace convscope::app
