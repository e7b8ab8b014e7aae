#include "app/ui/layout_view/element_cursor.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/input/keys.h"

namespace convscope::app {

std::optional<ElementRef> ElementCursor::move(const std::optional<ElementRef>& pinned, const LinkSet& links) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!io.KeyShift || io.KeyCtrl || !pinned) return std::nullopt;
    const int arrays = pressed(Key::right, true) - pressed(Key::left, true);
    const int cells = pressed(Key::down, true) - pressed(Key::up, true);
    if (arrays == 0 && cells == 0) return std::nullopt;
    return step(*pinned, links, arrays, cells);
}

std::optional<ElementRef> ElementCursor::step(const ElementRef& pinned, const LinkSet& links, int arrays, int cells) {
    if (at_ != pinned) {
        if (links.focus != pinned) return std::nullopt;  // not found out yet
        origin_ = links;
    }
    std::size_t array = static_cast<std::size_t>(pinned.array);
    if (arrays != 0) {
        do
            array =
                (array + array_count + static_cast<std::size_t>(arrays + static_cast<int>(array_count))) % array_count;
        while (origin_.cells[array].empty() && array != static_cast<std::size_t>(pinned.array));
    }
    const std::vector<Cell>& there = origin_.cells[array];
    if (there.empty()) return std::nullopt;
    std::size_t place = 0;
    if (arrays == 0) {
        const auto found = std::ranges::find(there, pinned.cell);
        const std::size_t now = static_cast<std::size_t>(found - there.begin());
        if (found != there.end())
            place =
                (now + there.size() + static_cast<std::size_t>(cells + static_cast<int>(there.size()))) % there.size();
    } else if (array == static_cast<std::size_t>(origin_.focus.array)) {
        return at_ = origin_.focus;  // back where the walk began
    }
    return at_ = ElementRef{static_cast<ArrayId>(array), there[place]};
}

}  // namespace convscope::app
