// The chips over each plot of the Compare view: what it holds at one value.
#include <imgui.h>
#include <imgui_internal.h>

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/compare_view/compare_view.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {

float CompareView::chips(Frame& frame, std::size_t index, float width) {
    WithFont font(look().fonts->small);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeight() + px(4), gap = px(4);
    ImVec2 at = start;
    for (const FixedColumn& each : result_->fixed[index]) {
        const ImVec2 size{std::min(width, ImGui::CalcTextSize(each.words.c_str()).x + px(12)), height};
        if (at.x > start.x && at.x + size.x > start.x + width) at = {start.x, at.y + height + gap};
        ImGui::SetCursorScreenPos(at);
        chip(frame, index, each, size);
        at.x += size.x + gap;
    }
    const float used = at.y + height + gap - start.y;
    ImGui::SetCursorScreenPos({start.x, start.y + used});
    return used;
}

/// Filled where a click has something to choose from.
void CompareView::chip(Frame& frame, std::size_t index, const FixedColumn& fixed, ImVec2 size) {
    const Theme& theme = *look().theme;
    const bool choosable = fixed.values.size() > 1;
    const ImVec2 at = ImGui::GetCursorScreenPos(), end{at.x + size.x, at.y + size.y};
    ImGui::PushID(static_cast<int>(index));
    ImGui::PushID(fixed.column.c_str());
    if (ImGui::InvisibleButton("chip", size) && choosable) ImGui::OpenPopup("values");
    register_item(fmt::format("compare/chip {} {}", index, fixed.column).c_str(), {ControlRole::list, fixed.words});
    tip(fixed.meaning + (choosable ? ". Click to hold another" : ""));
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (choosable)
        draw.AddRectFilled(at, end, (ImGui::IsItemHovered() ? theme.hovered : theme.raised).u32(), px(4));
    else
        draw.AddRect(at, end, theme.hairline.u32(), px(4));
    ImGui::PushStyleColor(ImGuiCol_Text, (choosable ? theme.text : theme.text_dim).u32());
    ImGui::RenderTextEllipsis(&draw, {at.x + px(6), at.y + px(2)}, {end.x - px(4), end.y}, end.x, end.x,
                              fixed.words.c_str(), nullptr, nullptr);
    ImGui::PopStyleColor();
    ImGui::SetNextWindowSizeConstraints({size.x, 0}, {px(420), px(320)});
    if (ImGui::BeginPopup("values")) {
        const auto offer = [&](const std::string& words, const std::string& value, bool chosen) {
            if (ImGui::Selectable(words.c_str(), chosen)) fix_at(frame.session.compare, fixed.column, value);
            register_item(("compare/chip/" + words).c_str(), {ControlRole::list_item, words, {}, chosen});
        };
        offer("automatic", "", false);
        for (const std::string& value : fixed.values)
            offer(fixed_value(fixed.column, value), value, value == fixed.value);
        ImGui::EndPopup();
    }
    ImGui::PopID();
    ImGui::PopID();
}

}  // namespace convscope::app
