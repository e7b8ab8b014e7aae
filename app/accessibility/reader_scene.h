// A frame as a screen reader is told of it, and the actions that the reader's user requests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "visualizers/style/control_hook.h"

namespace convscope::app {

/// Panels and what is like them.
constexpr bool holds_others(ControlRole role) {
    return role == ControlRole::panel || role == ControlRole::dialog || role == ControlRole::popup;
}

struct ReaderNode {
    std::uint32_t id = 0;
    std::uint32_t parent = 0;  ///< a panel; 0: the window
    ControlRole role = ControlRole::unknown;
    std::string name;
    std::string meaning;                        ///< what it is for
    std::string value;                          ///< of a field, a number, a list
    float x = 0, y = 0, width = 0, height = 0;  ///< in the window
    bool enabled = true, on = false, focused = false;
    bool live = false;  ///< a text that is announced when it appears

    bool operator==(const ReaderNode&) const = default;
};

/// Panels stand before what is in them; everything in the order in which it is drawn.
struct ReaderScene {
    std::vector<ReaderNode> nodes;
    int x = 0, y = 0;  ///< of the window on the screen
    int width = 0, height = 0;
    bool active = false;  ///< the window has the keyboard
};

struct ReaderRequest {
    enum class Kind : unsigned char { press, focus, set_value };
    Kind kind = Kind::press;
    std::uint32_t id = 0;
    std::string text{};  ///< of set_value
};

}  // namespace convscope::app
