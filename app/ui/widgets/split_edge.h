// The edge between two parts of a window, dragged by the mouse or moved by the arrows.
#pragma once

#include <imgui.h>

namespace convscope::app {

/// A part's length in units of one pixel at scale 1, which grows with the pointer times 'sign', and its limits.
struct EdgeLength {
    float sign = 1, least = 0, most = 0;
};

/// In the rectangle 'at', 'size' of the present window; 'vertical': the edge is, and moves sideways.
void split_edge(const char* item_name, ImVec2 at, ImVec2 size, bool vertical, float& length, const EdgeLength&);
/// The same of a share of 'whole' px, which keeps both parts at 15 % or more.
void split_share(const char* item_name, ImVec2 at, ImVec2 size, bool vertical, float& share, float whole);

}  // namespace convscope::app
