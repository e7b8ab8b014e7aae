// Views tell of the controls that they draw, so that whoever shows them can lead the keyboard there. Knows no one.
#pragma once

namespace convscope {

/// Called after each control (a legend's entry, a row that can be clicked) with its name and what it is for.
inline void (*control_hook)(const char* name, const char* meaning) = nullptr;

inline void tell_of_control(const char* name, const char* meaning) {
    if (control_hook) control_hook(name, meaning);
}

}  // namespace convscope
