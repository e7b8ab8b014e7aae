// The card that every overlay is drawn in, above the panels, which are dimmed.
#pragma once

#include <optional>

namespace convscope::app {

/// Begins a card of at most 'width' (at scale 1) in the middle of the window, never taller than it: what does not fit
/// scrolls. ImGui::End() must follow, whatever it returns. With a 'top' its upper edge stays there, so many px down,
/// while what is typed changes its height.
bool begin_overlay(const char* name, float width, std::optional<float> top = {});
/// The button at the right end of its line, in every overlay. True when it is pressed.
bool close_button(const char* item, const char* meaning = "Back to the view (Esc)");
/// The title in semi-bold.
void overlay_title(const char* text);

}  // namespace convscope::app
