#include "visualizers/grid/dashed_frame.h"

#include <algorithm>
#include <cmath>

namespace convscope {

void draw_dashed_frame(ImDrawList* list, ImVec2 a, ImVec2 b, const Rgba& color, float scale) {
    const float width = std::max(1.0f, std::round(2 * scale)), dash = 6 * scale, gap = 4 * scale;
    const ImU32 ink = color.u32();
    for (float x = a.x; x < b.x; x += dash + gap) {
        const float end = std::min(x + dash, b.x);
        list->AddRectFilled({x, a.y}, {end, a.y + width}, ink);
        list->AddRectFilled({x, b.y - width}, {end, b.y}, ink);
    }
    for (float y = a.y; y < b.y; y += dash + gap) {
        const float end = std::min(y + dash, b.y);
        list->AddRectFilled({a.x, y}, {a.x + width, end}, ink);
        list->AddRectFilled({b.x - width, y}, {b.x, end}, ink);
    }
}

}  // namespace convscope
