// What a control is for, said once the pointer has rested on it: the same everywhere, and over nothing that is next
// to it.
#pragma once

#include <string>

#include <imgui.h>

namespace convscope {

inline constexpr double tooltip_after_s = 0.5;

/// Call while the pointer is on what lies between 'min' and 'max', in its window. Stands beside the panel or the table
/// that holds it, or below or above it where that is as wide as the screen. 'font': of running text; 'scale': of the
/// interface.
void tooltip(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale);
void tooltip_now(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale);
/// At once, for what is read off: below or above what lies between 'min' and 'max'.
void read_out(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale);
/// Where a tooltip of 'size' stands beside what lies between 'min' and 'max'.
ImVec2 place_of_tooltip(ImVec2 min, ImVec2 max, ImVec2 size, float scale);
/// Whether one will stand there soon, if the pointer stays: a frame is to be drawn then.
bool tooltip_pending();

}  // namespace convscope
