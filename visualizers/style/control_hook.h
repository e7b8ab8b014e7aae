// Views tell of the controls that they draw, so that whoever shows them can lead the keyboard and a screen reader
// there. Knows no one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/value_range.h"

namespace convscope {

/// The role of a control for assistive technology.
enum class ControlRole : unsigned char {
    unknown,
    button,
    check_box,
    tab,     ///< one of several views or pages
    option,  ///< one of several values
    field,   ///< takes text
    number,  ///< takes a number
    list,    ///< opens a list; its value is what was picked
    list_item,
    menu_item,
    edge,    ///< between two panels
    image,   ///< a drawing that keys or the pointer move in
    array,   ///< its value is what stands in its cells
    scroll,  ///< a part that is scrolled by keys
    text,
    panel,
    dialog,
    popup
};

/// A control's description of itself, besides its purpose.
struct Control {
    ControlRole role = ControlRole::unknown;
    std::string_view label{};  ///< the text on it or before it; where that has no letter, its purpose is its name
    std::string_view value{};
    bool on = false;  ///< ticked, chosen, or open
};

/// Called after each control (a legend's entry, a row that can be clicked) with its name and what it is for.
inline void (*control_hook)(const char* name, const char* meaning, const Control&) = nullptr;

inline void tell_of_control(const char* name, const char* meaning, const Control& control) {
    if (control_hook) control_hook(name, meaning, control);
}

/// Called after each array that was drawn, with its title and what stands in its cells; null while nobody wants that.
inline void (*array_hook)(const std::string& title, const std::string& values) = nullptr;

/// The meaning of cells' colours: those of each array run from its own lowest value to its largest.
struct ArrayColours {
    std::vector<ValueRange> ranges;  ///< of each array; empty: no cells
    bool unused_slots = false;       ///< some cells hold nothing
    const char* unit = "";           ///< of printed numbers: "%"
};

/// Called after each figure that was drawn by itself, such as an array with its title and names, with its place on the
/// screen: what can be saved alone. Null while nobody wants that.
inline void (*figure_hook)(const std::string& title, float x, float y, float width, float height,
                           const ArrayColours&) = nullptr;

}  // namespace convscope
