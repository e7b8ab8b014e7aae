// Tooltips: explain a control once the pointer has rested on it, the same everywhere, and never cover anything that is
// looked at or read.
#pragma once

#include <string>

#include <imgui.h>

namespace convscope {

inline constexpr double tooltip_after_s = 0.5;

/// Call while the pointer is on what lies between 'min' and 'max', in its window. One line or a few stand where they
/// cover nothing of keep_tooltips_off(): next to the panel or the table that holds it, below or above it, else at the
/// lower edge of the screen. What is read off, in more lines, stands at the side, below or above. 'font': of running
/// text; 'scale': of the interface.
void tooltip(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale);
void tooltip_now(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale);
/// At once, for what is read off: below or above what lies between 'min' and 'max'.
void read_out(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale);
/// Protects the area between 'min' and 'max' of the present window from tooltips; call every frame.
void keep_tooltips_off(ImVec2 min, ImVec2 max);
/// Call once a frame, before anything is drawn: a control that is clicked or turned by the wheel is no longer explained
/// until the pointer has left it.
void begin_tooltips();
/// The position of a tooltip of 'size' next to the area between 'min' and 'max'.
ImVec2 place_of_tooltip(ImVec2 min, ImVec2 max, ImVec2 size, float scale);
/// Whether one will stand there soon, if the pointer stays: a frame is to be drawn then.
bool tooltip_pending();

}  // namespace convscope
