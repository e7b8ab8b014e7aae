#include "app/ui/widgets/transport_button.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/theme/legible.h"

namespace convscope::app {
namespace {

/// A triangle of the size of a button's icon, pointing left (-1) or right (1) from 'x'.
void triangle(ImDrawList& draw, float x, float y, float direction, ImU32 colour) {
    const float half = px(5), length = px(8) * direction;
    if (direction > 0)
        draw.AddTriangleFilled({x, y - half}, {x + length, y}, {x, y + half}, colour);
    else
        draw.AddTriangleFilled({x, y - half}, {x, y + half}, {x + length, y}, colour);
}

void bar(ImDrawList& draw, float x, float y, ImU32 colour) {
    draw.AddRectFilled({x - px(1), y - px(5)}, {x + px(1), y + px(5)}, colour);
}

void draw_icon(TransportIcon icon, ImVec2 centre, ImU32 colour) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float x = centre.x, y = centre.y;
    switch (icon) {
        case TransportIcon::first:
            bar(draw, x - px(7), y, colour);
            triangle(draw, x + px(2), y, -1, colour);
            triangle(draw, x + px(9), y, -1, colour);
            break;
        case TransportIcon::previous_barrier:
            bar(draw, x - px(5), y, colour);
            triangle(draw, x + px(5), y, -1, colour);
            break;
        case TransportIcon::back:
            triangle(draw, x + px(4), y, -1, colour);
            break;
        case TransportIcon::forward:
            triangle(draw, x - px(4), y, 1, colour);
            break;
        case TransportIcon::next_barrier:
            triangle(draw, x - px(5), y, 1, colour);
            bar(draw, x + px(5), y, colour);
            break;
        case TransportIcon::last:
            triangle(draw, x - px(9), y, 1, colour);
            triangle(draw, x - px(2), y, 1, colour);
            bar(draw, x + px(7), y, colour);
            break;
        case TransportIcon::pause:
            draw.AddRectFilled({x - px(5), y - px(6)}, {x - px(1.5F), y + px(6)}, colour);
            draw.AddRectFilled({x + px(1.5F), y - px(6)}, {x + px(5), y + px(6)}, colour);
            break;
        case TransportIcon::play:
            draw.AddTriangleFilled({x - px(4), y - px(7)}, {x + px(7), y}, {x - px(4), y + px(7)}, colour);
            break;
    }
}

}  // namespace

bool transport_button(const char* item_name, TransportIcon icon, bool accent, bool enabled, float edge) {
    const Theme& theme = *look().theme;
    const ImVec2 at = ImGui::GetCursorScreenPos(), size{px(edge), px(edge)};
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::InvisibleButton(item_name, size);
    register_item(item_name, {ControlRole::button});
    ImGui::EndDisabled();
    const bool hovered = enabled && ImGui::IsItemHovered();
    const Rgba back = accent ? (hovered ? mix(theme.accent, theme.text, 0.2F) : theme.accent)
                             : (hovered ? theme.hovered : theme.raised);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y}, back.u32(), px(4));
    const Rgba ink = accent ? readable_on(theme.accent) : enabled ? theme.text : theme.text_dim.with_alpha(0.5F);
    draw_icon(icon, {at.x + size.x / 2, at.y + size.y / 2}, ink.u32());
    return pressed;
}

std::optional<PlayMove> play_buttons(const PlayButtons& buttons, bool playing) {
    std::optional<PlayMove> pressed;
    const auto button = [&](const char* name, TransportIcon icon, bool enabled, PlayMove move,
                            const std::string& tips) {
        if (transport_button((buttons.page + name).c_str(), icon, false, enabled, buttons.size)) pressed = move;
        tip(tips);
        ImGui::SameLine(0, px(PlayButtons::gap));
    };
    const std::string each = buttons.each;
    button("/back", TransportIcon::back, buttons.has_back, PlayMove::back, "One " + each + " back (Left)");
    button("/play", playing ? TransportIcon::pause : TransportIcon::play, true, PlayMove::play_or_pause,
           std::string(buttons.played) + " (M)");
    button("/forward", TransportIcon::forward, buttons.has_forward, PlayMove::forward, "One " + each + " on (Right)");
    return pressed;
}

bool transport_scale(const char* item_name, const char* label, float width, std::size_t last, std::size_t& done) {
    const Theme& theme = *look().theme;
    const ImVec2 at = ImGui::GetCursorScreenPos(), size{width, px(transport_size)};
    ImGui::InvisibleButton(item_name, size);
    register_item(item_name, {ControlRole::number, label, std::to_string(done)});
    const std::size_t before = done;
    if (ImGui::IsItemActive()) {
        const float share = std::clamp((ImGui::GetIO().MousePos.x - at.x) / size.x, 0.0F, 1.0F);
        done = static_cast<std::size_t>(std::lround(share * static_cast<float>(last)));
    }
    const float half = px(2), y = at.y + size.y / 2;
    const float now =
        std::round(at.x + size.x * static_cast<float>(done) / static_cast<float>(std::max<std::size_t>(1, last)));
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled({at.x, y - half}, {at.x + size.x, y + half}, theme.raised.u32(), half);
    draw.AddRectFilled({at.x, y - half}, {now, y + half}, theme.text_dim.u32(), half);
    draw.AddCircleFilled({now, y}, px(6), theme.accent.u32());
    return done != before;
}

}  // namespace convscope::app
