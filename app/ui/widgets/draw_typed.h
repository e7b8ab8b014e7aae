// A number that is typed takes effect at Enter, not at each key: on the way to 96 nothing is built for 9.
#pragma once

#include <imgui_internal.h>

#include <utility>

namespace convscope::app {

enum class Edit : unsigned char { none, moved, typed };

/// A field of ImGui's that can be dragged and typed into: draw(T&) draws the one with that id. Dragging is live; what
/// is typed is taken at Enter, at Tab, or once another control has the keyboard; Esc leaves the value as it was.
/// 'shown': what stands in the field.
template <typename T, typename Draw>
Edit draw_typed(const char* id, T& value, T& shown, const Draw& draw) {
    static struct {
        ImGuiID field = 0;
        int frame = -2;
        T so_far{};
    } now;
    const ImGuiID field = ImGui::GetID(id);
    const int frame = ImGui::GetFrameCount();
    const bool typing = ImGui::TempInputIsActive(field), was_typing = now.field == field && now.frame + 1 == frame;
    shown = value;
    draw(shown);
    if (ImGui::TempInputIsActive(field)) {
        now = {field, frame, shown};
        return Edit::none;
    }
    // A control that is drawn before this one has taken the keyboard in this frame.
    if (was_typing && !typing) shown = now.so_far;
    if (was_typing) now = {};
    if (std::exchange(value, shown) == shown) return Edit::none;
    return was_typing ? Edit::typed : Edit::moved;
}

}  // namespace convscope::app
