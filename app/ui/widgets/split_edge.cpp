#include "app/ui/widgets/split_edge.h"

#include <algorithm>

#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr float min_share = 0.15F;

}  // namespace

void split_edge(const char* item_name, ImVec2 at, ImVec2 size, bool vertical, float& length, const EdgeLength& limits) {
    size = {std::max(1.0F, size.x), std::max(1.0F, size.y)};
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(item_name, size);
    register_item(item_name, {ControlRole::edge, item_name});
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
        ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        const float x = at.x + size.x / 2, y = at.y + size.y / 2, half = px(1);
        const ImVec2 from = vertical ? ImVec2{x - half, at.y} : ImVec2{at.x, y - half};
        const ImVec2 to = vertical ? ImVec2{x + half, at.y + size.y} : ImVec2{at.x + size.x, y + half};
        ImGui::GetWindowDrawList()->AddRectFilled(from, to, look().theme->accent.u32());
    }
    const auto grow = [&](float by) { length = std::clamp(length + limits.sign * by, limits.least, limits.most); };
    if (ImGui::IsItemActive()) {
        const ImVec2 moved = ImGui::GetIO().MouseDelta;
        grow((vertical ? moved.x : moved.y) / look().scale);
    }
    focus_order().keep_arrows();
    if (focus_order().is_last_item()) {
        const int by = vertical ? pressed(Key::right, true) - pressed(Key::left, true)
                                : pressed(Key::down, true) - pressed(Key::up, true);
        grow(8 * static_cast<float>(by));
    }
    tip("Drag it, or move it by the arrows");
}

void split_share(const char* item_name, ImVec2 at, ImVec2 size, bool vertical, float& share, float whole) {
    const float units = whole / look().scale, before = share * units;
    float length = before;
    split_edge(item_name, at, size, vertical, length, {1, min_share * units, (1 - min_share) * units});
    // A share that the file holds stays as it is while nobody moves it.
    if (length != before && units > 0) share = std::clamp(length / units, min_share, 1 - min_share);
}

}  // namespace convscope::app
