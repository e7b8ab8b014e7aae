// What a control is for, said once the pointer has rested on it: the same everywhere, and over nothing that is next
// to it.
#pragma once

#include <string>

#include <imgui.h>

namespace convscope {

inline constexpr double tooltip_after_s = 0.5;

/// Call while the pointer is on what lies between 'min' and 'max', in its window. Stands beside the panel that holds
/// it, or below or above it where that is as wide as the screen. 'font': of running text; 'scale': of the interface.
void tooltip(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale);
/// Whether one will stand there soon, if the pointer stays: a frame is to be drawn then.
bool tooltip_pending();

}  // namespace convscope
