#include "app/ui/overlays/help.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/commands/key_sheet.h"
#include "app/ui/overlays/overlay.h"
#include "app/ui/widgets/view.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr float sheet_width = 1160, key_width = 128, sheet_row = 17;

void draw_group(const SheetGroup& group) {
    heading(group.title.c_str());
    const float left = ImGui::GetCursorPosX();
    for (const SheetRow& row : group.rows) {
        const float y = ImGui::GetCursorPosY();
        {
            WithFont font(look().fonts->mono_small);
            ImGui::TextUnformatted(row.keys.c_str());
        }
        ImGui::SetCursorPos({left + px(key_width), y});
        {
            WithFont font(look().fonts->small);
            ImGui::TextDisabled("%s", in_lines(row.what, ImGui::GetContentRegionAvail().x).c_str());
        }
        ImGui::SetCursorPosY(y + std::max(px(sheet_row), ImGui::GetItemRectSize().y + px(1)));
    }
}

/// The groups in columns of about the same height, none of them torn apart.
void draw_sheet(const std::vector<SheetGroup>& groups) {
    const float room = ImGui::GetContentRegionAvail().x;
    const int columns = std::clamp(static_cast<int>(room / px(330)), 1, 3);
    std::size_t rows = 0, next = 0;
    for (const SheetGroup& group : groups) rows += group.rows.size() + 2;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(2)});
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(8), 0});
    if (ImGui::BeginTable("keys", columns, ImGuiTableFlags_SizingStretchSame)) {
        ImGui::TableNextRow();
        std::size_t taken = 0;
        for (int i = 0; i < columns; ++i) {
            ImGui::TableNextColumn();
            const std::size_t goal = rows * static_cast<std::size_t>(i + 1) / static_cast<std::size_t>(columns);
            while (next < groups.size()) {
                const std::size_t size = groups[next].rows.size() + 2;
                if (i + 1 < columns && taken > 0 && taken + size / 2 > goal) break;
                draw_group(groups[next++]);
                taken += size;
            }
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar(2);
}

}  // namespace

void HelpOverlay::draw(Frame& frame) {
    if (frame.session.desktop_state.overlay != Overlay::help) return;
    if (begin_overlay("##help", sheet_width)) {
        const Explanation explanation = frame.view().explain(frame.session);
        overlay_title(explanation.title);
        paragraph(explanation.text, look().theme->text.u32());
        hairline();
        draw_sheet(key_sheet(frame.session.view));
        ImGui::Dummy({0, px(2)});
        if (button("help/tour", "Take the tour")) {
            frame.session.desktop_state.overlay = Overlay::none;
            frame.session.desktop_state.tour_stop = 0;
        }
        tip("One minute: what is where, in six stops");
        ImGui::SameLine();
        if (button("help/glossary", "Glossary")) frame.session.desktop_state.overlay = Overlay::glossary;
        tip("What the words mean: occupancy, sector, K_index");
        ImGui::SameLine();
        if (close_button("help/close")) frame.session.desktop_state.overlay = Overlay::none;
    }
    ImGui::End();
}

}  // namespace convscope::app
