// What every overlay is drawn in: a card above the panels, which step back behind it.
#pragma once

namespace convscope::app {

/// Begins a card of at most 'width' (at scale 1) in the middle of the window, its upper edge 'top' px down, never
/// taller than the window: what does not fit scrolls. ImGui::End() must follow, whatever it returns.
bool begin_overlay(const char* name, float width, float top);
/// The title in semi-bold.
void overlay_title(const char* text);

}  // namespace convscope::app
