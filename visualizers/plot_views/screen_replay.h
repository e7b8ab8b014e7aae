// Redraws ImGui's draw lists into a file: text as text, everything else as flat shapes.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "visualizers/plots/file_canvas.h"

namespace convscope {

/// Draws what a window and those within it have inside 'part' of a frame, cut at its edge; nothing that lies over them.
/// 'own' is called for each command that draws by itself. The frame is best one without soft edges, which are shapes of
/// their own: sharp_edges().
void replay(const ImDrawData&, const std::string& window, FileCanvas&, const CanvasBox& part,
            const std::function<void(const ImDrawCmd&)>& own);

/// From the next frame on, whether edges are hard.
void sharp_edges(bool sharp);

/// The texts of a draw list, in the order in which they were drawn.
std::vector<std::string> texts_of(const ImDrawList&);

}  // namespace convscope
